//! A play: a ruleset composed with a scenario, from which games are started.

use crate::adapt::Made;
use crate::combat::Combat;
use crate::compose::Composition;
use crate::dice::{self, Seed};
use crate::env::{Env, SideInfo};
use crate::fit::{Fitting, schema};
use crate::game::Game;
use crate::hash::StateHash;
use crate::identity::{CODE, Identity};
use crate::ids::BySide;
use crate::phase::{Fault, Phase};
use crate::reference::{Reference, read_terms};
use crate::registry::Registry;
use crate::ruleset::{Bounds, Input, Loaded, Ruleset};
use crate::scripting::{Rider, SCRIPT};
use crate::setup::Setup;
use crate::spell::Spell;
use crate::table::Table;
use crate::terms::Lead;
use crate::watch::Watch;
use cupola_army::{Army, Turns};
use cupola_data::{Problem, Problems, Source};
use cupola_ground::Board;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A phase in its place in the turn.
#[derive(Clone)]
pub(crate) struct Slot {
    pub phase: Arc<dyn Phase>,
    pub name: String,
    pub code: u64,
    /// Whose player turn: 0 the first player's, 1 the second's.
    pub player: Option<u8>,
}

/// A ruleset with a scenario, ready to be played any number of times.
///
/// ```
/// # use cupola_corps20 as _;
/// # use cupola_library::Library;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use cupola_kernel::{Registry, Seed};
///
/// # let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data");
/// # let library = Library::new(data.into(), None, Registry::linked()?);
/// let play = library.play("corps20", "training", None)?;
/// assert!(play.phases().any(|phase| phase == "combat"));
/// // All games of it begin alike; the seed decides what the dice will say.
/// assert_eq!(play.game(Seed(7))?.hash(), play.game(Seed(8))?.hash());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Play {
    pub(crate) inner: Arc<PlayInner>,
    pub(crate) start: Arc<Table>,
    /// The text of the position that it starts from.
    pub(crate) position: Option<Arc<str>>,
}

#[derive(Clone)]
pub(crate) struct PlayInner {
    pub watch: Option<Arc<dyn Watch>>,
    pub made: Arc<Made>,
    pub env: Arc<Env>,
    pub ruleset: Arc<dyn Ruleset>,
    pub slots: Vec<Slot>,
    identity: Identity,
    scenario: String,
    /// The text of a scenario that lies in no data folder.
    scenario_text: Option<Arc<str>>,
}

/// What a play is made from.
pub struct PlayParts<'a> {
    /// Where phases and combat systems come from.
    pub registry: &'a Registry,
    /// What to compose.
    pub composition: &'a Composition,
    /// The file that says so, for messages.
    pub composition_file: &'a Source,
    /// The registered ruleset's name: the composition's own, or the base of a variant.
    pub base: &'a str,
    /// The ruleset's data files.
    pub files: &'a BTreeMap<String, Source>,
    /// The scenario.
    pub scenario: &'a Source,
    /// The scenario's name.
    pub scenario_name: &'a str,
    /// The compiled map.
    pub board: Arc<Board>,
    /// What was read besides: turns, army list, ground, variant.
    pub inputs: &'a Identity,
    /// The army list.
    pub army: &'a Army,
    /// The turns.
    pub track: Arc<Turns>,
}

impl Play {
    /// Composes a ruleset and loads a scenario.
    ///
    /// # Errors
    /// Everything that is wrong with the composition and the files, at once.
    pub fn new(parts: &PlayParts) -> Result<Play, Problems> {
        let mut fitting = Fitting::new(parts);
        let (slots, combats) = (fitting.slots(), fitting.combats());
        let riders = fitting.riders(&combats);
        fitting.spare_scripts();
        let Some(ruleset) = parts.registry.ruleset(parts.base).cloned() else {
            fitting.problems.push(
                parts
                    .composition_file
                    .problem("name", format!("no ruleset “{}” is registered", parts.base)),
            );
            return Err(fitting.problems);
        };
        fitting.sides(&*ruleset);
        let loaded = match load(&*ruleset, parts, &mut fitting) {
            Ok(loaded) => loaded,
            Err(more) => {
                fitting.problems.append(more);
                return Err(fitting.problems);
            }
        };
        let schema = schema(&*ruleset, &slots);
        fitting.needs(&slots, &combats, Some(&*loaded.rules), &schema);
        std::mem::take(&mut fitting.problems).check(())?;
        let env = env(parts, loaded, &slots, (combats, riders), ruleset.clone())?;
        let env = Arc::new(env);
        let mut setup = Setup::new(env.clone(), Arc::new(schema));
        setup.set_turn(env.first_turn);
        ruleset.setup(&mut setup);
        slots.iter().for_each(|slot| slot.phase.prepare(&mut setup));
        if let Some(fault) = setup.take_fault() {
            return Err(Problem::file(&parts.scenario.name, fault.to_string()).into());
        }
        fitting.present(&slots, &env.combats, &setup);
        fitting.try_riders(&env.riders, &setup);
        fitting.problems.check(())?;
        let start = setup.done();
        let identity = identity(parts, &*ruleset)?;
        let scenario = parts.scenario_name.to_owned();
        Ok(Play {
            inner: Arc::new(PlayInner {
                watch: None,
                made: Arc::new(Made::from(parts)),
                env,
                ruleset,
                slots,
                identity,
                scenario,
                scenario_text: None,
            }),
            start: Arc::new(start),
            position: None,
        })
    }

    /// Whether it is the very same play, and not one that was made alike.
    pub(crate) fn is(&self, other: &Play) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner) && Arc::ptr_eq(&self.start, &other.start)
    }

    /// The table as it is set up, before anybody has done anything.
    #[must_use]
    pub fn start(&self) -> &Table {
        &self.start
    }

    /// Starts a game.
    ///
    /// # Errors
    /// If the ruleset cannot begin.
    pub fn game(&self, seed: Seed) -> Result<Game, Fault> {
        self.game_with(dice::Shaker::Seeded(seed))
    }

    /// Starts a game with scripted dice.
    ///
    /// # Errors
    /// If the ruleset cannot begin.
    pub fn game_with(&self, source: dice::Shaker) -> Result<Game, Fault> {
        let mut table = self.start.rebuilt();
        table.set_source(source);
        Game::start(self.clone(), table)
    }

    /// The same play, starting where a game of it stands: everything is as there but the dice to come.
    #[must_use]
    pub fn from_game(game: &Game) -> Play {
        Play {
            inner: game.play().inner.clone(),
            start: Arc::new(game.table().rebuilt()),
            position: game.play().position.clone(),
        }
    }

    /// The same play, for whoever keeps the position elsewhere: journals need not bring it along.
    #[must_use]
    pub fn without_position(mut self) -> Play {
        self.position = None;
        self
    }

    /// The text of the position file that its games start from, if there is one.
    #[must_use]
    pub fn position(&self) -> Option<&str> {
        self.position.as_deref()
    }

    /// What never changes in a game of this play.
    #[must_use]
    pub fn env(&self) -> &Env {
        &self.inner.env
    }

    /// Whether units may have to attack where they stand.
    #[must_use]
    pub fn forces_fights(&self) -> bool {
        self.inner.ruleset.forces_fights()
    }

    /// Who leads whom when a game begins.
    #[must_use]
    pub fn leads(&self) -> Vec<Lead> {
        self.inner.ruleset.leads(&self.start)
    }

    /// The ruleset's limits.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        self.inner.ruleset.bounds()
    }

    /// What lasts for a while in games of this play and must then be gone.
    #[must_use]
    pub fn spells(&self) -> Vec<Spell> {
        self.inner.ruleset.spells()
    }

    /// The scenario's name.
    #[must_use]
    pub fn scenario(&self) -> &str {
        &self.inner.scenario
    }

    /// The same play, whose journals bring the scenario along, since it lies in no data folder.
    #[must_use]
    pub fn with_scenario_text(mut self, text: &str) -> Play {
        Arc::make_mut(&mut self.inner).scenario_text = Some(text.into());
        self
    }

    /// The text of the scenario, if it lies in no data folder.
    #[must_use]
    pub fn scenario_text(&self) -> Option<&str> {
        self.inner.scenario_text.as_deref()
    }

    /// What the rules of this play come to: one hash of everything that can change a game, code included.
    #[must_use]
    pub fn resolved(&self) -> StateHash {
        self.inner.identity.hash()
    }

    /// The rules of this play part by part, to tell in what two differ.
    #[must_use]
    pub fn identity(&self) -> &Identity {
        &self.inner.identity
    }

    /// What it is composed of, the ruleset first, that does not say what code it is compiled from: a change of that
    /// would be no change of the rules.
    pub fn unstamped(&self) -> impl Iterator<Item = &str> {
        let (made, base) = (&self.inner.made, self.inner.made.base.as_str());
        let parts = made.composition.phases();
        let parts = parts.chain(made.composition.combat.values().map(String::as_str));
        let parts = parts.filter(|name| !name.ends_with(SCRIPT));
        let parts = parts.map(move |name| (name, made.registry.code_of(base, name)));
        let ruleset = [(base, made.registry.code_of_ruleset(base))].into_iter();
        let all = ruleset.chain(parts);
        all.filter(|(_, code)| code.is_none_or(<[_]>::is_empty))
            .map(|(name, _)| name)
    }

    /// What lies beside the map: tables, cards, entries.
    #[must_use]
    pub fn reference(&self) -> Reference {
        Reference::of(&*self.inner.ruleset, &self.inner.env)
    }

    /// The names of the phases in order of play.
    pub fn phases(&self) -> impl Iterator<Item = &str> {
        self.inner.slots.iter().map(|slot| slot.name.as_str())
    }
}

/// Reads the ruleset's files and the scenario, and looks whether the switches are those of the ruleset.
fn load(
    ruleset: &dyn Ruleset,
    parts: &PlayParts,
    fitting: &mut Fitting,
) -> Result<Loaded, Problems> {
    let input = Input {
        files: parts.files,
        listed_in: parts.composition_file,
        scenario: parts.scenario,
        composition: parts.composition,
        sides: &parts.composition.sides,
        switches: &parts.composition.switches,
        board: &parts.board,
        army: parts.army,
        track: &parts.track,
        asked: RefCell::default(),
    };
    let loaded = ruleset.load(&input)?;
    fitting.switches(&input);
    called_alike(&loaded, parts)?;
    in_order(&loaded, parts)?;
    Ok(loaded)
}

/// A scenario ends on a turn that there is, and not before it begins.
fn in_order(loaded: &Loaded, parts: &PlayParts) -> Result<(), Problems> {
    let (first, last) = (loaded.first_turn, loaded.last_turn);
    let message = match parts.track.turns.get(usize::from(last)) {
        None => "the last turn is beyond the turns that there are".to_owned(),
        Some(turn) if last < first => format!("turn \"{}\" is before the first", turn.id),
        Some(_) => return Ok(()),
    };
    Err(parts.scenario.problem("last", message).into())
}

/// Orders and journals name a unit by its id, so no two may have the same.
fn called_alike(loaded: &Loaded, parts: &PlayParts) -> Result<(), Problems> {
    let mut known = BTreeMap::new();
    let mut problems = Problems::default();
    for unit in &loaded.units {
        let Some(first) = known.insert(unit.id.as_str(), unit.name.as_str()) else {
            continue;
        };
        let file = parts.files.get("counters.ron").unwrap_or(parts.scenario);
        let message = format!(
            "two units are called \"{}\": {first} and {}",
            unit.id, unit.name
        );
        let hint = "what stands behind the side in an id differs from that of every other unit";
        problems.push(Problem::file(&*file.name, message).with_hint(hint));
    }
    problems.check(())
}

/// Combat systems by role.
type Combats = Vec<(String, Arc<dyn Combat>)>;
/// Lines that are added to fights, by combat system.
type Riders = Vec<(&'static str, Arc<dyn Rider>)>;

/// What never changes in a game.
fn env(
    parts: &PlayParts,
    loaded: Loaded,
    slots: &[Slot],
    (combats, riders): (Combats, Riders),
    answers: Arc<dyn Ruleset>,
) -> Result<Env, Problems> {
    let [first, second] = parts.composition.sides.clone().map(|spec| SideInfo {
        role: spec.role().to_owned(),
        id: spec.id,
        name: spec.name,
    });
    Ok(Env {
        ruleset: parts.composition.name.clone(),
        sides: BySide { first, second },
        board: parts.board.clone(),
        units: loaded.units,
        tokens: loaded.tokens,
        track: parts.track.clone(),
        first_turn: loaded.first_turn,
        last_turn: loaded.last_turn,
        player_turns: slots.iter().map(|slot| slot.player.is_some()).collect(),
        combats,
        riders,
        answers,
        terms: read_terms(parts.files.get("terms.ron"))?,
        rules: loaded.rules,
    })
}

/// Everything that can change a game: files, scenario and what was read besides, the composition as resolved (a
/// variant counts, the layout of the file does not), and the code of all that is composed.
fn identity(parts: &PlayParts, ruleset: &dyn Ruleset) -> Result<Identity, Problems> {
    let mut identity = parts.inputs.clone();
    let composition = ron::to_string(parts.composition)
        .map_err(|why| parts.composition_file.problem("", why.to_string()))?;
    identity.text("composition", &composition);
    for (name, file) in parts.files {
        identity.text(name, &file.text);
    }
    let scenario = format!("scenarios/{}.ron", parts.scenario_name);
    identity.text(scenario, &parts.scenario.text);
    identity.code(CODE);
    identity.code(&[(
        &*format!("{} by its version", parts.base),
        ruleset.version(),
    )]);
    let (registry, base) = (parts.registry, parts.base);
    let phases = parts
        .composition
        .phases()
        .filter_map(|name| registry.code_of(base, name));
    let combats = parts.composition.combat.values();
    let combats = combats.filter_map(|name| registry.code_of(base, name));
    for code in registry
        .code_of_ruleset(base)
        .into_iter()
        .chain(phases)
        .chain(combats)
    {
        identity.code(code);
    }
    let composed = parts
        .composition
        .phases()
        .chain(parts.composition.combat.values().map(String::as_str));
    let scripted = composed.into_iter().any(|name| name.ends_with(SCRIPT));
    if scripted || !parts.composition.modifiers.is_empty() {
        registry
            .code_of_scripts()
            .into_iter()
            .for_each(|code| identity.code(code));
    }
    Ok(identity)
}
