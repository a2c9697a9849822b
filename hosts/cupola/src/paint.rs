//! Colours, which never are the only signal.

use cupola_kernel::{Env, Side};
use cupola_library::Library;
use cupola_look::{Colour, Faces};
use std::io::IsTerminal;

/// Whether and how to colour text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Paint {
    on: bool,
    /// Whether the side listed first is the one that people expect in blue.
    swapped: bool,
}

impl Paint {
    /// Colours if stdout is a terminal that has them, and `NO_COLOR` is not set.
    pub fn detect() -> Paint {
        let forbidden = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Paint {
            on: std::io::stdout().is_terminal() && !forbidden && !dumb,
            swapped: false,
        }
    }

    /// The same, with the side in blue whose counters are blue, whichever is listed first.
    pub fn of_sides(self, library: &Library, env: &Env) -> Paint {
        let folder = library.root().join("rulesets").join(&env.board.name);
        let blue = |faces: Faces| {
            let livery = faces.for_sides(env).livery(&env.sides.first.id);
            livery.colour == Colour::Blue
        };
        Paint {
            swapped: Faces::of(&folder).is_ok_and(blue),
            ..self
        }
    }

    fn is_red(self, side: Side) -> bool {
        (side == Side::First) != self.swapped
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.on && !text.is_empty() {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    /// For headings.
    pub fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }

    /// For what matters less.
    pub fn dim(self, text: &str) -> String {
        self.wrap("2", text)
    }

    /// For what can be chosen.
    pub fn choice(self, text: &str) -> String {
        self.wrap("1;33", text)
    }

    /// For complaints.
    pub fn warn(self, text: &str) -> String {
        self.wrap("35", text)
    }

    /// In the colour of a side: red or blue, both bright enough for dark screens.
    pub fn side(self, side: Side, text: &str) -> String {
        self.wrap(if self.is_red(side) { "1;31" } else { "1;94" }, text)
    }

    /// In the colour of a side, turned round: what can be chosen.
    pub fn chosen_side(self, side: Side, text: &str) -> String {
        self.wrap(
            if self.is_red(side) {
                "1;7;31"
            } else {
                "1;7;94"
            },
            text,
        )
    }

    /// Terrain: woods green, water blue, town yellow.
    pub fn terrain(self, cover: cupola_ground::Cover, text: &str) -> String {
        use cupola_ground::Cover;
        match cover {
            Cover::Clear => self.dim(text),
            Cover::Woods | Cover::Orchard => self.wrap("32", text),
            Cover::Marsh => self.wrap("36", text),
            Cover::Rocks => self.wrap("37", text),
            Cover::Town => self.wrap("33", text),
        }
    }
}
