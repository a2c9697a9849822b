//! A shared library that leaves a file behind as soon as it is opened, before anything of it is called:
//! so a test can show that a library was not opened.

cupola_plugin::export!(stumble::contribution);

/// What the system calls when it opens the library.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "start-up code is put into its section by name")]
#[unsafe(link_section = ".init_array")]
#[used]
static OPENED: extern "C" fn() = {
    extern "C" fn opened() {
        if let Some(path) = option_env!("CUPOLA_WITNESS") {
            // Nobody could be told if it failed; the test looks for the file.
            let _ = std::fs::write(path, "opened");
        }
    }
    opened
};
