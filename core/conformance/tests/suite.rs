//! The suite on a sound ruleset, in as many lines as any ruleset needs.

mod toy;

cupola_conformance::suite!(toy::toy, settings: toy::settings, golden: "tests/golden");
