//! What single scenarios add: small rules of their own, named by the scenario file.
//!
//! A special rule is asked at a few places of the general rules, and answers "nothing" unless it has something to
//! say. None of them is known to a general chapter by name.

mod bounds;
mod cemetery_hill;
mod cemetery_ridge;
mod culps_hill;
mod decision;
mod east_field;
mod first_day;
mod held;
mod oak_ridge;
mod objectives;
mod peach_orchard;
mod round_tops;
mod seminary_ridge;

use crate::acts::Do;
use crate::engine::{Answer, Question, not_asked, pop};
use crate::field::Field;
use crate::load::Names;
use crate::state::{Deed, Frame, Land, Order};
use cupola_kernel::{BySide, Check, Fight, HexId, Options, Side, Table, UnitId, Verdict};
use serde::Deserialize;

/// A special rule in a scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpecialFile {
    /// A side picks the marker that is played after so many.
    Picks {
        /// Whose choice it is.
        side: String,
        /// After how many markers.
        after: u8,
        /// The section.
        rule: String,
    },
    /// Cavalry that attacks for itself while it is mounted, and slows a brigade down.
    Squares(seminary_ridge::SquaresFile),
    /// Brigades that stay where they are until the enemy is next to their hexes.
    Waits(culps_hill::WaitsFile),
    /// Guns off the map that fire at whoever enters open ground.
    FarGuns(culps_hill::FarGunsFile),
    /// A boundary.
    Bounds(bounds::BoundsFile),
    /// A brigade that attacks only once the enemy has come up to it.
    Provoked(bounds::ProvokedFile),
    /// Batteries that shoot better from some hexes.
    Posts(bounds::PostsFile),
    /// Brigades in command wherever their leaders are.
    InCommand(bounds::InCommandFile),
    /// Troops that are held back until the enemy comes, or their time does.
    Held(held::HeldFile),
    /// Batteries that heed one leader only.
    GunnersOwn(east_field::GunnersOwnFile),
    /// Nobody acts three times in a row, and who acted last gives up the initiative.
    Turnabout,
    /// Guns that shoot better far off.
    BetterGuns(east_field::BetterGunsFile),
    /// A leader with luck.
    Lucky(east_field::LuckyFile),
    /// Markers that their owner withholds.
    Withheld(cemetery_ridge::WithheldFile),
    /// Guns that do not fire far.
    ShortOfShell(cemetery_ridge::ShortOfShellFile),
    /// Guns that stay where they are.
    Planted(cemetery_ridge::PlantedFile),
    /// Disordered units that are steadier than printed.
    Steady(cemetery_ridge::SteadyFile),
    /// A bombardment before the first turn.
    Bombardment(cemetery_ridge::BombardmentFile),
    /// Cavalry that neither mounts nor dismounts.
    AsTheyAre(round_tops::AsTheyAreFile),
    /// Points for who has crossed a road.
    Crossed(round_tops::CrossedFile),
    /// A first turn on which one brigade acts, and must attack.
    Opening(oak_ridge::OpeningFile),
    /// Units whom some leaders do not steady.
    Strangers(oak_ridge::StrangersFile),
    /// A brigade that is surprised.
    Iverson(oak_ridge::IversonFile),
    /// Units that are called away.
    CalledAway(oak_ridge::CalledAwayFile),
    /// A place whose points grow less.
    Farm(oak_ridge::FarmFile),
    /// A division that forms on a lane before it attacks.
    LongLane(cemetery_hill::LongLaneFile),
    /// Victory by how much was committed.
    Committed(cemetery_hill::CommittedFile),
    /// Troops who are released as the enemy comes.
    Releases(peach_orchard::ReleasesFile),
    /// Troops who wait, and some who move before their time.
    Hidden(peach_orchard::HiddenFile),
    /// A brigade that may be used or not.
    Mahone(peach_orchard::MahoneFile),
    /// Batteries that are in command where they began.
    Batteries(peach_orchard::BatteriesFile),
    /// Victory by four places.
    Assault(peach_orchard::AssaultFile),
    /// A cavalry brigade that rides off and comes back.
    Devin(first_day::DevinFile),
    /// Leaders who go back to their own commands.
    Doubleday(first_day::DoubledayFile),
    /// Ground that is closed to a side until an hour.
    Closed(first_day::ClosedFile),
    /// Artillery that goes by itself until an hour.
    Unattached(first_day::UnattachedFile),
    /// Brigades that do not attack.
    Passive(first_day::PassiveFile),
    /// A leader who is in command anyhow.
    Trusted(first_day::TrustedFile),
    /// Columns that do not trust their road yet.
    SlowRoad(first_day::SlowRoadFile),
    /// Victory by places and worn brigades.
    Objectives(objectives::ObjectivesFile),
    /// Brigades that rest until an hour, or until the enemy comes.
    Resting(decision::RestingFile),
    /// Brigades that stay until the enemy is near.
    Watching(decision::WatchingFile),
    /// A division that is called away by the die.
    Recalled(decision::RecalledFile),
    /// Crossroads whose loss keeps others away.
    Crossroads(decision::CrossroadsFile),
}

impl SpecialFile {
    /// Makes the rule, with names looked up; the number is its place among the rules of the scenario.
    pub fn build(&self, names: &mut Names, field: &str, number: usize) -> Box<dyn Special> {
        match self {
            SpecialFile::Picks { side, after, .. } => Box::new(seminary_ridge::Picks {
                side: names.side(&format!("{field}.side"), side),
                after: *after,
            }),
            SpecialFile::Squares(file) => Box::new(file.build(names, field, number)),
            SpecialFile::Waits(file) => Box::new(file.build(names, field, number)),
            SpecialFile::FarGuns(file) => Box::new(file.build(names, field)),
            SpecialFile::Bounds(file) => Box::new(file.build(names, field)),
            SpecialFile::Provoked(file) => Box::new(file.build(names, field, number)),
            SpecialFile::Posts(file) => Box::new(file.build(names, field)),
            SpecialFile::InCommand(file) => Box::new(file.build(names, field)),
            SpecialFile::Held(file) => Box::new(file.build(names, field, number)),
            SpecialFile::GunnersOwn(file) => Box::new(file.build(names, field)),
            SpecialFile::Turnabout => Box::new(east_field::Turnabout),
            SpecialFile::BetterGuns(file) => Box::new(file.build(names, field)),
            SpecialFile::Lucky(file) => Box::new(file.build(names, field)),
            SpecialFile::Withheld(file) => Box::new(file.build(names, field)),
            SpecialFile::ShortOfShell(file) => Box::new(file.build(names, field)),
            SpecialFile::Planted(file) => Box::new(file.build(names, field)),
            SpecialFile::Steady(file) => Box::new(file.build(names, field)),
            SpecialFile::Bombardment(file) => Box::new(file.build(names, field, number)),
            SpecialFile::AsTheyAre(file) => Box::new(file.build(names, field)),
            SpecialFile::Crossed(file) => Box::new(file.build(names, field)),
            SpecialFile::Opening(file) => Box::new(file.build(names, field)),
            SpecialFile::Iverson(file) => Box::new(file.build(names, field)),
            SpecialFile::Strangers(file) => Box::new(file.build(names, field)),
            SpecialFile::CalledAway(file) => Box::new(file.build(names, field)),
            SpecialFile::Farm(file) => Box::new(file.build(names, field, number)),
            SpecialFile::LongLane(file) => Box::new(file.build(names, field, number)),
            SpecialFile::Committed(file) => Box::new(file.build(names, field)),
            SpecialFile::Releases(file) => Box::new(file.build(names, field, number)),
            SpecialFile::Hidden(file) => Box::new(file.build(names, field, number)),
            SpecialFile::Mahone(file) => Box::new(file.build(names, field, number)),
            SpecialFile::Batteries(file) => Box::new(file.build(names, field)),
            SpecialFile::Assault(file) => Box::new(file.build(names, field)),
            SpecialFile::Devin(file) => Box::new(file.build(names, field, number)),
            SpecialFile::Doubleday(file) => Box::new(file.build(names, field)),
            SpecialFile::Closed(file) => Box::new(file.build(names, field)),
            SpecialFile::Unattached(file) => Box::new(file.build(names, field)),
            SpecialFile::Passive(file) => Box::new(file.build(names, field)),
            SpecialFile::Trusted(file) => Box::new(file.build(names, field)),
            SpecialFile::SlowRoad(file) => Box::new(file.build(names, field)),
            SpecialFile::Objectives(file) => Box::new(file.build(names, field)),
            SpecialFile::Resting(file) => Box::new(file.build(names, field, number)),
            SpecialFile::Watching(file) => Box::new(file.build(names, field, number)),
            SpecialFile::Recalled(file) => Box::new(file.build(names, field)),
            SpecialFile::Crossroads(file) => Box::new(file.build(names, field, number)),
        }
    }
}

/// How a unit must move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drive {
    /// As it likes.
    Free,
    /// Next to the enemy, and at him.
    Close,
    /// Nearer to the enemy.
    Approach,
    /// Off, to where its rules let it go.
    Away,
    /// Back to where it belongs, if it can get there; see [`Special::home`].
    Home,
}

/// A special rule. What it must remember is a word of [`Land::notes`].
#[allow(unused_variables, reason = "most rules answer few questions")]
pub trait Special: Send + Sync {
    /// Who picks the marker that is played after so many.
    fn chooses(&self, t: &Table, played: u8) -> Option<Side> {
        None
    }
    /// Who may act before a marker is played: whose choice, with which formation, which brigade.
    fn ahead(&self, t: &Table, formation: u16) -> Option<(Side, u16, u16)> {
        None
    }
    /// It does.
    fn goes_ahead(&self, t: &mut Table) {}
    /// A formation that acts once the cup is empty.
    fn closing(&self, t: &mut Table) -> Option<u16> {
        None
    }
    /// Whether a brigade is free to move before its time.
    fn frees(&self, t: &Table, brigade: u16) -> bool {
        false
    }
    /// Whether a unit is, without its brigade.
    fn frees_unit(&self, t: &Table, unit: UnitId) -> bool {
        false
    }
    /// Whether artillery may be attached to a formation, or go by itself again.
    fn may_attach(&self, t: &Table, brigade: u16, to: Option<u16>) -> Check {
        Ok(())
    }
    /// When and by which gate a unit comes, if not as the set-up says.
    fn arrival(&self, t: &Table, unit: UnitId) -> Option<(u16, u16)> {
        None
    }
    /// Before the first turn, once everybody is set up: a rule may put a frame of its own on the stack.
    fn opens(&self, t: &mut Table) {}
    /// What a frame of this rule asks.
    fn ask(&self, t: &Table, stage: u8) -> Question {
        None
    }
    /// Goes on where a frame of this rule asks nothing; it must take the frame away, or change something.
    fn go(&self, t: &mut Table, stage: u8) {
        pop(t);
    }
    /// Lists the answers.
    fn options(&self, t: &Table, stage: u8, out: &mut Options) {}
    /// Carries out an answer.
    fn take(&self, t: &mut Table, stage: u8, answer: Do) -> Answer {
        Err(not_asked())
    }
    /// The question in words.
    fn prompt(&self, t: &Table, stage: u8) -> String {
        "?".into()
    }
    /// Who has the initiative without a roll.
    fn initiative(&self, t: &Table) -> Option<Side> {
        None
    }
    /// Whether no side has more than two activations in a row, over the end of a turn too.
    fn counts_runs(&self) -> bool {
        false
    }
    /// Whether the markers of a formation are not in the cup, but played by their owner after an enemy's activation.
    fn withholds(&self, t: &Table, formation: u16) -> bool {
        false
    }
    /// How many activations a brigade has this turn.
    fn uses(&self, t: &Table, brigade: u16, usual: u8) -> u8 {
        usual
    }
    /// Whether a brigade and all its units are in command wherever its leaders are.
    fn commanded(&self, t: &Table, brigade: u16) -> bool {
        false
    }
    /// Whether a brigadier is in command wherever his superior is.
    fn brigadier(&self, t: &Table, brigade: u16) -> bool {
        self.commanded(t, brigade)
    }
    /// Whether a leader in its hex steadies a unit.
    fn heeds(&self, t: &Table, unit: UnitId, leader: UnitId) -> bool {
        true
    }
    /// Whether a unit is in command whatever its brigadier does; a division leader whatever his commander does.
    fn in_command(&self, t: &Table, unit: UnitId) -> bool {
        false
    }
    /// Whether a brigade may act with a marker.
    fn may_act(&self, t: &Table, brigade: u16) -> Check {
        Ok(())
    }
    /// Whether a brigade may take the attack posture.
    fn may_attack(&self, t: &Table, brigade: u16) -> Check {
        Ok(())
    }
    /// Whether a brigade must act, and attack.
    fn must_attack(&self, t: &Table, brigade: u16) -> bool {
        false
    }
    /// How a unit must move.
    fn drive(&self, t: &Table, unit: UnitId) -> Drive {
        Drive::Free
    }
    /// Points besides those of the scenario's list.
    fn points(&self, t: &Table) -> BySide<i32> {
        BySide::default()
    }
    /// How the game ended, if this rule says so.
    fn verdict(&self, t: &Table) -> Option<Verdict> {
        None
    }
    /// Units of a brigade that take a posture for themselves.
    fn wing(&self, t: &Table, brigade: u16) -> Option<Vec<UnitId>> {
        None
    }
    /// Whether a unit may act.
    fn may_move(&self, t: &Table, unit: UnitId) -> Check {
        Ok(())
    }
    /// Whether a unit may leave its hex in its own activation.
    fn may_go(&self, t: &Table, unit: UnitId) -> Check {
        Ok(())
    }
    /// Whether a hex is where a unit belongs.
    fn home(&self, t: &Table, unit: UnitId, hex: HexId) -> bool {
        true
    }
    /// Whether a unit may withdraw to a hex.
    fn may_withdraw_to(&self, t: &Table, unit: UnitId, hex: HexId) -> Check {
        self.may_end(t, unit, hex)
    }
    /// Whether [`Special::may_end`] can have anything against a hex for this unit: others are not asked hex by hex.
    fn bounds(&self, t: &Table, unit: UnitId) -> bool {
        false
    }
    /// Whether a hex is barred to a unit that ends there: what [`Special::may_end`] says, without the reason.
    fn bars(&self, t: &Table, unit: UnitId, hex: HexId) -> bool {
        self.may_end(t, unit, hex).is_err()
    }
    /// Whether what is barred to a unit is barred on its way as well, and not only where a move ends.
    fn fences(&self) -> bool {
        true
    }
    /// Whether a unit may end a move or advance in a hex; who answers says so by [`Special::bounds`].
    fn may_end(&self, t: &Table, unit: UnitId, hex: HexId) -> Check {
        Ok(())
    }
    /// Whether a unit may fall back to a hex.
    fn may_retreat(&self, t: &Table, unit: UnitId, hex: HexId) -> Check {
        Ok(())
    }
    /// Whether a unit may come onto the map by a hex.
    fn may_enter(&self, t: &Table, unit: UnitId, hex: HexId) -> Check {
        Ok(())
    }
    /// Whether a brigade may be given an order.
    fn may_order(&self, t: &Table, brigade: u16, order: Order) -> Check {
        Ok(())
    }
    /// Whether a unit may withdraw before the enemy.
    fn may_withdraw(&self, t: &Table, unit: UnitId) -> Check {
        self.may_move(t, unit)
    }
    /// Whether a unit may mount or dismount.
    fn may_mount(&self, t: &Table, unit: UnitId) -> Check {
        Ok(())
    }
    /// Whether a unit may fire in its own activation.
    fn may_fire(&self, t: &Table, unit: UnitId) -> Check {
        Ok(())
    }
    /// Whether a unit may fire at a hex.
    fn may_fire_at(&self, t: &Table, unit: UnitId, hex: HexId) -> Check {
        Ok(())
    }
    /// Whether a unit may fire in the other side's activation.
    fn may_answer(&self, t: &Table, unit: UnitId) -> Check {
        Ok(())
    }
    /// Whether columns of a side have no better road than others.
    fn slow_columns(&self, t: &Table, side: Side) -> bool {
        false
    }
    /// A cap on a unit's allowance, in half points.
    fn limit(&self, t: &Table, unit: UnitId) -> Option<u8> {
        None
    }
    /// Hexes near which a unit has fewer half points: centres, distance, half points.
    fn zone(&self, t: &Table, unit: UnitId) -> Option<(Vec<HexId>, u32, u8)> {
        None
    }
    /// A modifier of a fire: section, what, how much.
    fn fire(&self, t: &Table, fight: &Fight) -> Option<(&'static str, &'static str, i16)> {
        None
    }
    /// Whether high ground gives nothing here.
    fn no_high_ground(&self) -> bool {
        false
    }
    /// Whether a unit's charge gives it nothing.
    fn no_charge_bonus(&self, t: &Table, unit: UnitId) -> bool {
        false
    }
    /// A unit's cohesion as this rule has it.
    fn cohesion(&self, t: &Table, unit: UnitId, printed: u8) -> u8 {
        printed
    }
    /// A turn begins.
    fn turn_begins(&self, t: &mut Table) {}
    /// A turn ends.
    fn turn_ends(&self, t: &mut Table) {}
    /// An activation is over.
    fn activation_over(&self, t: &mut Table) {}
    /// A unit has entered a hex, moving, retreating or advancing.
    fn entered(&self, t: &mut Table, unit: UnitId, hex: HexId) {}
    /// A unit has completed a move or an advance.
    fn completed(&self, t: &mut Table, unit: UnitId, hex: HexId) {}
    /// A marker was drawn or played.
    fn drawn(&self, t: &mut Table, formation: u16) {}
    /// A brigade begins to act.
    fn brigade_begins(&self, t: &mut Table, brigade: u16) {}
    /// A unit has declared its fire at a hex.
    fn aimed(&self, t: &mut Table, unit: UnitId, at: HexId) {}
    /// A fire is about to be rolled.
    fn fired(&self, t: &mut Table, fight: &Fight) {}
    /// A unit has mounted or dismounted.
    fn mounted(&self, t: &mut Table, unit: UnitId) {}
    /// Whether a leader who should fall does not.
    fn spares(&self, t: &mut Table, leader: UnitId) -> bool {
        false
    }
}

/// The special rules that have something to say about the hexes in which a unit ends.
#[must_use]
pub fn bounding<'a>(field: Field<'a>, unit: UnitId) -> Vec<&'a dyn Special> {
    let specials = field.rules.specials.iter().map(|rule| &**rule);
    specials.filter(|rule| rule.bounds(field.t, unit)).collect()
}

/// Those of them who look at its way as well.
#[must_use]
pub fn fencing<'a>(field: Field<'a>, unit: UnitId) -> Vec<&'a dyn Special> {
    let mut rules = bounding(field, unit);
    rules.retain(|rule| rule.fences());
    rules
}

/// The rules of a game are behind an `Arc`, so that a rule may change the game while it is read.
fn with<T>(t: &mut Table, special: usize, act: impl FnOnce(&dyn Special, &mut Table) -> T) -> T {
    let rules = crate::ruleset::shared(t);
    act(&*rules.specials[special], t)
}

/// Lets every special rule hear of something, in their order.
pub fn each(t: &mut Table, mut hear: impl FnMut(&dyn Special, &mut Table)) {
    let rules = crate::ruleset::shared(t);
    rules.specials.iter().for_each(|rule| hear(&**rule, t));
}

/// See [`Special::goes_ahead`].
pub fn goes_ahead(t: &mut Table, special: usize) {
    with(t, special, |rule, t| rule.goes_ahead(t));
}

/// See [`Special::closing`].
pub fn closing(t: &mut Table, special: usize) -> Option<u16> {
    with(t, special, |rule, t| rule.closing(t))
}

/// See [`Special::opens`].
pub fn opens(t: &mut Table, special: usize) {
    with(t, special, |rule, t| rule.opens(t));
}

/// The rule that put a frame on the stack, and how far it has come.
fn asking<'a>(t: &'a Table, frame: &Frame) -> Option<(&'a dyn Special, u8)> {
    let Frame::Rule(number, stage) = *frame else {
        return None;
    };
    let rule = crate::field::rules(t).specials.get(usize::from(number))?;
    Some((&**rule, stage))
}

/// See [`Special::ask`].
pub fn ask(t: &Table, frame: &Frame) -> Question {
    asking(t, frame).and_then(|(rule, stage)| rule.ask(t, stage))
}

/// See [`Special::go`].
pub fn go(t: &mut Table, frame: Frame) -> Answer {
    if let Frame::Rule(number, stage) = frame {
        with(t, usize::from(number), |rule, t| rule.go(t, stage));
    }
    Ok(())
}

/// See [`Special::options`].
pub fn options(t: &Table, frame: &Frame, out: &mut Options) {
    if let Some((rule, stage)) = asking(t, frame) {
        rule.options(t, stage, out);
    }
}

/// See [`Special::take`].
pub fn take(t: &mut Table, frame: Frame, answer: Do) -> Answer {
    match frame {
        Frame::Rule(number, stage) => with(t, usize::from(number), |rule, t| {
            rule.take(t, stage, answer)
        }),
        _ => Err(not_asked()),
    }
}

/// See [`Special::prompt`].
#[must_use]
pub fn prompt(t: &Table, frame: &Frame) -> String {
    asking(t, frame).map_or("?".into(), |(rule, stage)| rule.prompt(t, stage))
}

/// See [`Special::spares`].
pub fn spares(t: &mut Table, special: usize, leader: UnitId) -> bool {
    with(t, special, |rule, t| rule.spares(t, leader))
}

/// Whether a combat unit that has entered a hex moves or advances, and does not fall back.
fn goes(t: &Table, unit: UnitId) -> bool {
    let field = Field::new(t);
    field.rules.fights(unit) && !field.deed(unit).any(Deed::FLEES)
}

/// What a rule remembers.
#[must_use]
pub fn note(t: &Table, number: usize) -> u64 {
    t.res::<Land>().notes.get(number).copied().unwrap_or(0)
}

/// Lets a rule remember something.
pub fn remember(t: &mut Table, number: usize, value: u64) {
    if let Some(note) = t.res_mut::<Land>().notes.get_mut(number) {
        *note = value;
    }
}
