//! The engine that runs scripts: pure, of whole numbers, and bounded.

use crate::limits;
use crate::world::{self, Wrong, wrong};
use rhai::{Dynamic, Engine};
use std::sync::OnceLock;

/// What `exit` comes to.
const LEAVE: &str = "a script ends with its answer: `return` it";

/// The engine; one for all scripts, since it keeps nothing of them.
pub fn engine() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(|| {
        let mut engine = Engine::new();
        bound(&mut engine);
        world::teach(&mut engine);
        crate::deeds::teach(&mut engine);
        engine
    })
}

fn bound(engine: &mut Engine) {
    engine
        .set_max_operations(limits::STEPS)
        .set_max_call_levels(limits::DEPTH)
        .set_max_expr_depths(limits::NESTING, limits::NESTING)
        .set_max_string_size(limits::LETTERS)
        .set_max_array_size(limits::THINGS)
        .set_max_map_size(limits::NAMES)
        .set_max_variables(limits::VARIABLES)
        .set_max_functions(limits::FUNCTIONS);
    // A script is its text: none is made while it runs, and nothing leaves it but its answer.
    engine.disable_symbol("eval");
    // These would hold up whoever asks, or end the script as if it had an answer. They stand in the language's own library,
    // so that a name in quotes would find them too.
    engine.register_fn("sleep", |_: i64| -> Result<(), Wrong> {
        Err(wrong("a script does not wait"))
    });
    engine.register_fn("exit", || -> Result<(), Wrong> { Err(wrong(LEAVE)) });
    engine.register_fn("exit", |_: Dynamic| -> Result<(), Wrong> {
        Err(wrong(LEAVE))
    });
    engine.on_print(|_| {});
    engine.on_debug(|_, _, _| {});
}
