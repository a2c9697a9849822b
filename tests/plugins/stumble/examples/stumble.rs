//! The shared library.

cupola_plugin::export!(stumble::contribution);
