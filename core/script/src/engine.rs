//! The engine that runs scripts: pure, of whole numbers, and bounded.

use crate::limits;
use crate::world;
use rhai::Engine;
use std::sync::OnceLock;

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
    engine.on_print(|_| {});
    engine.on_debug(|_, _, _| {});
}
