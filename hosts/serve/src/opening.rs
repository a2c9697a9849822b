//! Pictures of how scenarios begin, for whoever is about to choose one: as somebody sees it who looks on.

use crate::picture::keep;
use crate::wrong::Wrong;
use cupola_data::Problems;
use cupola_draw::MapRequest;
use cupola_ground::Battlefield;
use cupola_kernel::{Play, Seat, Seed, hash_bytes};
use cupola_library::Library;
use cupola_look::Faces;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Pixels across, and how wide for how high.
const WIDTH: u32 = 520;
const SHAPE: (i32, i32) = (4, 3);

/// A picture, as PNG.
type Png = Arc<Vec<u8>>;

/// The pictures that somebody has looked at.
pub(crate) struct Openings {
    library: Arc<Library>,
    cache: Option<PathBuf>,
    /// Held while one is drawn: drawing takes a core.
    known: Mutex<BTreeMap<(String, String), Png>>,
}

impl Openings {
    pub fn new(library: Arc<Library>, cache: Option<PathBuf>) -> Openings {
        Openings {
            library,
            cache,
            known: Mutex::default(),
        }
    }

    /// The picture of a scenario as it begins.
    ///
    /// # Errors
    /// If there is no such scenario, or everything that is wrong with it.
    pub fn get(&self, ruleset: &str, scenario: &str) -> Result<Png, Wrong> {
        let library = &*self.library;
        let played = library.rulesets().iter().any(|name| name == ruleset);
        let mut scenarios = library.scenarios(ruleset).into_iter();
        if !played || !scenarios.any(|known| known.name == scenario) {
            return Err(Wrong::missing("scenario"));
        }
        let key = (ruleset.to_owned(), scenario.to_owned());
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(png) = known.get(&key) {
            return Ok(png.clone());
        }
        let bad = |problems: Problems| Wrong::bad(problems.to_string());
        let play = library.play(ruleset, scenario, None).map_err(bad)?;
        let png = Arc::new(self.kept(ruleset, &play)?);
        known.insert(key, png.clone());
        Ok(png)
    }

    /// As it was drawn before, by the same code and of the same rules; or drawn now.
    fn kept(&self, ruleset: &str, play: &Play) -> Result<Vec<u8>, Wrong> {
        let what = format!("{} {:?}", play.identity().hash(), cupola_draw::CODE);
        let name = format!("opening-{}.png", hash_bytes(what.as_bytes()));
        let file = self.cache.as_ref().map(|folder| folder.join(name));
        let kept = file.as_ref().and_then(|path| std::fs::read(path).ok());
        if let Some(png) = kept {
            return Ok(png);
        }
        let png = self.draw(ruleset, play)?;
        if let Some(path) = &file {
            keep(path, &png);
        }
        Ok(png)
    }

    fn draw(&self, ruleset: &str, play: &Play) -> Result<Vec<u8>, Wrong> {
        let bad = |problems: Problems| Wrong::bad(problems.to_string());
        let env = play.env();
        let fields = self.library.root().join("battlefields");
        let field = Battlefield::read(&fields.join(&env.board.battlefield)).map_err(bad)?;
        let faces = Faces::of(&self.library.ruleset_dir(ruleset)).map_err(bad)?;
        let game = play
            .game(Seed(0))
            .map_err(|fault| Wrong::bad(fault.to_string()))?;
        let mut request = MapRequest::new(&field, &env.board);
        request.place(&game.view(Seat::Observer), &faces.for_sides(env));
        request.vignette(SHAPE.0, SHAPE.1);
        request.show.labels = false;
        cupola_draw::png(&request, WIDTH).map_err(|why| Wrong::bad(why.to_string()))
    }
}
