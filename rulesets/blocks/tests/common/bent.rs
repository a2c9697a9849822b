//! The ruleset as the proof plays it, and rulesets that leak, to show that the proof can fail.
//!
//! Both are the real ruleset behind a wrapper: one that can hold some blocks when the hidden ones are dealt
//! anew, and that gives something away if it is told to.

#![allow(dead_code, reason = "the example bends nothing")]

use cupola_blocks::field::{count, name, rules, steps};
use cupola_blocks::state::{Block, flag};
use cupola_blocks::{Blocks, fog, view};
use cupola_data::Problems;
use cupola_kernel::view::At;
use cupola_kernel::{
    Act, Arg, Ask, Bounds, Combat, Contribution, Dice, Event, Fault, Fight, Input, Loaded,
    Modifiers, Options, Outcome, Phase, Place, PositionFile, Refusal, Registry, Ruleset, Schema,
    Seat, Setup, Side, Standing, Step, Table, Toll, UnitId, View, rule,
};
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// What a bent ruleset gives away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leak {
    /// The view says whether an upright block is worn.
    Strength,
    /// The view lists upright blocks by their numbers.
    Order,
    /// An event names the block that moves.
    Name,
    /// An event says how far the block that moves could have gone.
    Speed,
    /// A refusal tells headquarters from others.
    Refusal,
    /// Hexes that a headquarters holds are not offered as targets.
    Options,
    /// The odds are better against guns.
    Odds,
    /// What cannot be taken back tells who stands next to it.
    Undo,
    /// More is said when guns move.
    Length,
    /// A block that fired stays face up for ever.
    Forever,
    /// A block that takes part in a melee stays upright.
    Never,
}

thread_local! {
    static LEAK: Cell<Option<Leak>> = const { Cell::new(None) };
    static HELD: RefCell<Vec<UnitId>> = const { RefCell::new(Vec::new()) };
}

/// The registry with the real ruleset, or with one that leaks, under the real name.
pub fn registry(leak: Option<Leak>) -> Registry {
    LEAK.set(leak);
    let contribution = Contribution {
        space: "blocks",
        code: &[],
        rulesets: || vec![Arc::new(Bent(LEAK.get()))],
        phases: || {
            let phases = (cupola_blocks::contribution().phases)();
            let bend = |phase| Arc::new(BentPhase(phase, LEAK.get())) as Arc<dyn Phase>;
            phases.into_iter().map(bend).collect()
        },
        combats: || {
            let combats = (cupola_blocks::contribution().combats)();
            let bend = |combat| Arc::new(BentCombat(combat, LEAK.get())) as Arc<dyn Combat>;
            combats.into_iter().map(bend).collect()
        },
    };
    let mut registry = Registry::default();
    registry.add(&contribution).expect("one of each name");
    registry
}

/// Holds these blocks while something is imagined.
pub fn holding<T>(held: &[UnitId], imagine: impl FnOnce() -> T) -> T {
    HELD.set(held.to_vec());
    let done = imagine();
    HELD.take();
    done
}

fn upright(t: &Table, unit: UnitId) -> bool {
    !t.get::<Block>(unit).has(flag::UP)
}

/// Whether an upright block of a kind stands in a hex.
fn lurks(t: &Table, side: Side, hex: cupola_kernel::HexId, guns: bool) -> bool {
    let kind = |unit: UnitId| {
        let card = rules(t).card(unit);
        card.side == side && if guns { card.is_guns() } else { card.is_hq() }
    };
    t.stacks()
        .units(hex)
        .any(|unit| kind(unit) && upright(t, unit))
}

struct Bent(Option<Leak>);

impl Ruleset for Bent {
    fn name(&self) -> &'static str {
        Blocks.name()
    }

    fn version(&self) -> &'static str {
        Blocks.version()
    }

    fn register(&self, schema: &mut Schema) {
        Blocks.register(schema);
    }

    fn load(&self, input: &Input) -> Result<Loaded, Problems> {
        Blocks.load(input)
    }

    fn setup(&self, t: &mut Setup) {
        Blocks.setup(t);
    }

    fn position(&self, t: &mut Setup, file: &PositionFile) -> Result<(), Problems> {
        Blocks.position(t, file)
    }

    fn finish(&self, t: &mut Table) {
        Blocks.finish(t);
    }

    fn view(&self, t: &Table, seat: Seat, out: &mut View) {
        Blocks.view(t, seat, out);
        let known = |unit: &UnitId| view::knows(t, seat, *unit);
        let hidden = t
            .units()
            .filter(|unit| !known(unit) && t.hex(*unit).is_some());
        let label = |unit: UnitId| t.hex(unit).map(|hex| t.board().label(hex).to_owned());
        match self.0 {
            Some(Leak::Strength) => {
                for unit in hidden.filter(|&unit| steps(t, unit) < rules(t).card(unit).max) {
                    let at = At::Hex(label(unit).unwrap_or_default());
                    let mut there = out.units.iter_mut();
                    let found = there.find(|other| other.id.is_none() && other.at == at);
                    found
                        .into_iter()
                        .for_each(|found| found.state.push(("worn", "yes".into())));
                }
            }
            Some(Leak::Order) => {
                let first = out.units.iter().position(|unit| unit.id.is_none());
                let mut rest = out.units.split_off(first.unwrap_or(out.units.len()));
                for unit in hidden {
                    let at = At::Hex(label(unit).unwrap_or_default());
                    if let Some(i) = rest.iter().position(|other| other.at == at) {
                        out.units.push(rest.remove(i));
                    }
                }
                out.units.append(&mut rest);
            }
            _ => {}
        }
    }

    fn shuffle_hidden(&self, t: &mut Table, seat: Seat, dice: &mut dyn Dice) -> bool {
        HELD.with_borrow(|held| fog::shuffle_but(t, seat, held, dice))
    }

    fn standings(&self, t: &Table, out: &mut Vec<Standing>) {
        Blocks.standings(t, out);
    }

    fn margin(&self, t: &Table) -> i32 {
        Blocks.margin(t)
    }

    fn bounds(&self) -> Bounds {
        Blocks.bounds()
    }
}

struct BentPhase(Arc<dyn Phase>, Option<Leak>);

impl BentPhase {
    /// What leaks when a block moves.
    fn moves(&self, t: &mut Table, unit: UnitId) {
        let card = *rules(t).card(unit);
        let Some(hex) = t.hex(unit).filter(|_| upright(t, unit)) else {
            return;
        };
        let event = |text: String| Event::new("move", rule!("6.1"), text);
        match self.1 {
            Some(Leak::Name) => t.say(|t| event(format!("{} has moved", name(t, unit))).unit(unit)),
            Some(Leak::Speed) => t.say(|_| event(format!("a step of {}", card.moves))),
            Some(Leak::Length) if card.is_guns() => t.say(|_| event("a block has moved".into())),
            Some(Leak::Undo) => {
                let around = rules(t).around(hex).map(|edge| edge.to);
                let mut beside = around
                    .iter()
                    .filter(|&&to| to != cupola_blocks::rules::NOWHERE);
                let enemy = card.side.other();
                if beside.any(|&to| lurks(t, enemy, cupola_kernel::HexId(to), true)) {
                    t.reveal();
                }
            }
            _ => {}
        }
    }
}

impl Phase for BentPhase {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn verbs(&self) -> &'static [&'static str] {
        self.0.verbs()
    }

    fn enter(&self, t: &mut Table) -> Result<(), Fault> {
        let fired: Vec<UnitId> = t
            .units()
            .filter(|&unit| self.1 == Some(Leak::Forever) && t.get::<Block>(unit).has(flag::FIRED))
            .collect();
        self.0.enter(t)?;
        for unit in fired.into_iter().filter(|_| self.name() == "supply") {
            t.get_mut::<Block>(unit).flags |= flag::UP;
        }
        Ok(())
    }

    fn next(&self, t: &mut Table) -> Result<Step, Fault> {
        let step = self.0.next(t);
        if self.1 == Some(Leak::Never) && self.name() == "melee" {
            let hex = t.res::<cupola_blocks::state::Melees>().hex;
            let first = hex.and_then(|hex| t.stacks().units(hex).next());
            if let Some(unit) = first {
                t.get_mut::<Block>(unit).flags &= !flag::UP;
            }
        }
        step
    }

    fn options(&self, t: &Table, ask: Ask, out: &mut Options) -> Result<(), Fault> {
        self.0.options(t, ask, out)?;
        if self.1 == Some(Leak::Options) && self.name() == "fire" {
            let acts = out.acts().to_vec();
            let enemy = t.active().other();
            let wary = |act: &Act| match (self.verbs()[usize::from(act.verb)], act.args[2]) {
                ("fire", Arg::Hex(hex)) => lurks(t, enemy, hex, false),
                _ => false,
            };
            // One target always stays.
            if acts.iter().any(|act| !wary(act)) {
                out.clear();
                acts.into_iter()
                    .filter(|act| !wary(act))
                    .for_each(|act| out.push_act(act));
            }
        }
        Ok(())
    }

    fn take(&self, t: &mut Table, ask: Ask, act: Act) -> Result<(), Fault> {
        self.0.take(t, ask, act)?;
        let verb = self.verbs().get(usize::from(act.verb));
        if let (Some(&"move"), "move", Arg::Unit(unit)) = (verb, self.name(), act.args[0]) {
            self.moves(t, unit);
        }
        Ok(())
    }

    fn why_not(&self, t: &Table, ask: Ask, act: Act) -> Refusal {
        match act.args[0] {
            Arg::Unit(unit) if self.1 == Some(Leak::Refusal) && rules(t).card(unit).is_hq() => {
                let hex = t.hex(unit).map_or("?", |hex| t.board().label(hex));
                Refusal::new(rule!("4.3"), format!("commands at {hex}"))
            }
            _ => self.0.why_not(t, ask, act),
        }
    }

    fn text(&self, t: &Table, ask: Ask, act: Act) -> String {
        self.0.text(t, ask, act)
    }

    fn prompt(&self, t: &Table, ask: Ask) -> String {
        self.0.prompt(t, ask)
    }

    fn fight(&self, t: &Table, ask: Ask, act: Act) -> Option<(Arc<dyn Combat>, Fight)> {
        self.0.fight(t, ask, act)
    }

    fn touches(&self, t: &Table, ask: Ask, act: Act) -> Vec<Arg> {
        self.0.touches(t, ask, act)
    }
}

struct BentCombat(Arc<dyn Combat>, Option<Leak>);

impl Combat for BentCombat {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn modifiers(&self, t: &Table, fight: &Fight) -> Modifiers {
        let sum = self.0.modifiers(t, fight);
        let guns = fight.hex.is_some_and(|hex| {
            let side = fight
                .attackers
                .first()
                .map(|&unit| rules(t).card(unit).side);
            side.is_some_and(|side| {
                count(t, side.other(), hex) > 0 && lurks(t, side.other(), hex, true)
            })
        });
        sum.add_if(
            guns && self.1 == Some(Leak::Odds),
            rule!("5.22"),
            "crews are easy marks",
            1,
        )
    }

    fn resolve(&self, t: &Table, fight: &Fight, dice: &mut dyn Dice) -> Result<Outcome, Fault> {
        self.0.resolve(t, fight, dice)
    }

    fn describe(&self, t: &Table, outcome: &Outcome) -> String {
        self.0.describe(t, outcome)
    }

    fn toll(&self, t: &Table, fight: &Fight, outcome: &Outcome) -> Toll {
        self.0.toll(t, fight, outcome)
    }
}

/// What everybody sees of where a block is: the hex and formation, or turn and entry.
pub fn spot(t: &Table, unit: UnitId) -> (Place, u16, u8) {
    let (at, block) = (t.stacks().place(unit), t.get::<Block>(unit));
    match at {
        Place::Hex(_) => (at, block.flags & flag::COLUMN, 0),
        Place::Box(_) => (at, block.due, block.way),
    }
}
