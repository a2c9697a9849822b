//! Wrappers that catch a panic inside the library it happens in.
//!
//! A panic that leaves a library aborts the program: the two have their own runtimes. So every call goes
//! through a wrapper that was compiled into the library. A call that returns a `Result` returns
//! [`Fault::Panicked`]. One that does not
//! * and may change the table, leaves the fault on the table ([`Table::fail`]): the step fails with it;
//! * and only finds words, says in these words that it panicked: no state depends on them;
//! * and registers state, spoils the wrapped thing for good: every later call returns the fault.
//!
//! After a fault a table may be half-changed. A session takes the step back; see `Session::apply`.

use cupola_data::{Problem, Problems};
use cupola_kernel::{
    Act, Arg, Ask, Bounds, Change, Chart, Cite, Combat, CommandRange, DerivedFile, Deriving, Dice,
    Env, Fact, Fault, Fight, HexId, Input, Lead, LineOfSight, Loaded, Modifiers, Needs, Options,
    Outcome, Outlook, Phase, PositionFile, Posting, Presence, Preview, Prize, Promise, Refusal,
    Ruleset, Schema, Seat, Setup, Spell, Standing, Step, Table, Toll, UnitId, View, Walked,
};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Once, OnceLock};

thread_local! {
    /// How many guards this thread is under.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    /// Where the last panic of this thread happened.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps panics that will be caught off the terminal, and notes where they happened. For a library, whose
/// runtime and panic hook are its own.
pub(crate) fn listen_to_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if DEPTH.get() == 0 {
                before(panic);
            }
            PLACE.set(panic.location().map(ToString::to_string));
        }));
    });
}

/// Runs the author's code; a panic becomes a fault of this name.
pub(crate) fn caught<T>(name: &str, work: impl FnOnce() -> T) -> Result<T, Fault> {
    DEPTH.set(DEPTH.get() + 1);
    // What was half-changed is never looked at again: the caller gives it up or goes back to a copy.
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    DEPTH.set(DEPTH.get() - 1);
    done.map_err(|payload| Fault::Panicked {
        name: name.to_owned(),
        message: message(&*payload),
    })
}

fn message(payload: &(dyn Any + Send)) -> String {
    let said = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("something that is no text");
    match PLACE.take() {
        Some(place) => format!("{said} ({place})"),
        None => said.to_owned(),
    }
}

/// A fault from a call that had no way to return it, for good.
#[derive(Default)]
struct Spoiled(OnceLock<Fault>);

impl Spoiled {
    fn keep(&self, done: Result<(), Fault>) {
        if let Err(fault) = done {
            self.0.get_or_init(|| fault);
        }
    }

    fn check(&self) -> Result<(), Fault> {
        self.0.get().cloned().map_or(Ok(()), Err)
    }
}

/// A phase that cannot panic.
pub(crate) struct GuardedPhase {
    phase: Arc<dyn Phase>,
    full: String,
    name: &'static str,
    verbs: &'static [&'static str],
    spoiled: Spoiled,
}

impl GuardedPhase {
    pub(crate) fn new(space: &str, phase: Arc<dyn Phase>) -> GuardedPhase {
        let name = phase.name();
        GuardedPhase {
            full: format!("{space}.{name}"),
            name,
            verbs: phase.verbs(),
            phase,
            spoiled: Spoiled::default(),
        }
    }

    fn run<T>(&self, work: impl FnOnce(&dyn Phase) -> Result<T, Fault>) -> Result<T, Fault> {
        self.spoiled.check()?;
        caught(&self.full, || work(&*self.phase)).flatten()
    }

    fn say<T>(&self, work: impl FnOnce(&dyn Phase) -> T, sorry: impl FnOnce(Fault) -> T) -> T {
        caught(&self.full, || work(&*self.phase)).unwrap_or_else(sorry)
    }
}

impl Phase for GuardedPhase {
    fn name(&self) -> &'static str {
        self.name
    }

    fn verbs(&self) -> &'static [&'static str] {
        self.verbs
    }

    fn needs(&self) -> Needs {
        caught(&self.full, || self.phase.needs()).unwrap_or_default()
    }

    fn register(&self, schema: &mut Schema) {
        self.spoiled
            .keep(caught(&self.full, || self.phase.register(schema)));
    }

    fn prepare(&self, table: &mut Setup) {
        if let Err(fault) = self.run(|phase| {
            phase.prepare(table);
            Ok(())
        }) {
            table.fail(fault);
        }
    }

    fn enter(&self, table: &mut Table) -> Result<(), Fault> {
        self.run(|phase| phase.enter(table))
    }

    fn next(&self, table: &mut Table) -> Result<Step, Fault> {
        self.run(|phase| phase.next(table))
    }

    fn options(&self, table: &Table, ask: Ask, out: &mut Options) -> Result<(), Fault> {
        self.run(|phase| phase.options(table, ask, out))
    }

    fn take(&self, table: &mut Table, ask: Ask, act: Act) -> Result<(), Fault> {
        self.run(|phase| phase.take(table, ask, act))
    }

    fn why_not(&self, table: &Table, ask: Ask, act: Act) -> Refusal {
        self.say(
            |phase| phase.why_not(table, ask, act),
            |fault| Refusal::new(Cite::new(""), fault.to_string()),
        )
    }

    fn text(&self, table: &Table, ask: Ask, act: Act) -> String {
        self.say(
            |phase| phase.text(table, ask, act),
            |fault| fault.to_string(),
        )
    }

    fn prompt(&self, table: &Table, ask: Ask) -> String {
        self.say(|phase| phase.prompt(table, ask), |fault| fault.to_string())
    }

    fn outlook(&self, table: &Table, ask: Ask, act: Act) -> Outlook {
        self.say(
            |phase| phase.outlook(table, ask, act),
            |_| Outlook::default(),
        )
    }

    fn fight(&self, table: &Table, ask: Ask, act: Act) -> Option<(Arc<dyn Combat>, Fight)> {
        self.say(|phase| phase.fight(table, ask, act), |_| None)
    }

    fn prospect(&self, table: &Table, ask: Ask, act: Act) -> Option<(Arc<dyn Combat>, Fight)> {
        self.say(|phase| phase.prospect(table, ask, act), |_| None)
    }

    fn promise(&self, table: &Table, ask: Ask, act: Act) -> Option<Promise> {
        self.say(|phase| phase.promise(table, ask, act), |_| None)
    }

    fn preview(&self, table: &Table, ask: Ask, act: Act) -> Option<Preview> {
        self.say(|phase| phase.preview(table, ask, act), |_| None)
    }

    fn has_preview(&self, table: &Table, ask: Ask, act: Act) -> bool {
        self.say(|phase| phase.has_preview(table, ask, act), |_| false)
    }

    fn touches(&self, table: &Table, ask: Ask, act: Act) -> Vec<Arg> {
        self.say(|phase| phase.touches(table, ask, act), |_| vec![])
    }
}

/// A combat system that cannot panic.
pub(crate) struct GuardedCombat {
    combat: Arc<dyn Combat>,
    full: String,
    name: &'static str,
}

impl GuardedCombat {
    pub(crate) fn new(space: &str, combat: Arc<dyn Combat>) -> GuardedCombat {
        let name = combat.name();
        GuardedCombat {
            full: format!("{space}.{name}"),
            name,
            combat,
        }
    }
}

impl Combat for GuardedCombat {
    fn name(&self) -> &'static str {
        self.name
    }

    fn needs(&self) -> Needs {
        caught(&self.full, || self.combat.needs()).unwrap_or_default()
    }

    fn takes_riders(&self) -> bool {
        caught(&self.full, || self.combat.takes_riders()).unwrap_or_default()
    }

    fn modifiers(&self, table: &Table, fight: &Fight) -> Modifiers {
        let sum = caught(&self.full, || self.combat.modifiers(table, fight));
        // Shown to people; what a fight comes to is said by `resolve`, which can fail.
        sum.unwrap_or_else(|fault| Modifiers::new().add(Cite::new(""), fault.to_string(), 0))
    }

    fn resolve(&self, table: &Table, fight: &Fight, dice: &mut dyn Dice) -> Result<Outcome, Fault> {
        caught(&self.full, || self.combat.resolve(table, fight, dice)).flatten()
    }

    fn reckon(&self, table: &Table, fight: &Fight) -> Option<Vec<i16>> {
        caught(&self.full, || self.combat.reckon(table, fight)).unwrap_or_default()
    }

    fn describe(&self, table: &Table, outcome: &Outcome) -> String {
        let words = caught(&self.full, || self.combat.describe(table, outcome));
        words.unwrap_or_else(|fault| fault.to_string())
    }

    fn toll(&self, table: &Table, fight: &Fight, outcome: &Outcome) -> Toll {
        caught(&self.full, || self.combat.toll(table, fight, outcome)).unwrap_or_default()
    }

    fn swing(&self, table: &Table, fight: &Fight, outcome: &Outcome) -> i32 {
        caught(&self.full, || self.combat.swing(table, fight, outcome)).unwrap_or_default()
    }
}

/// A ruleset that cannot panic.
pub(crate) struct GuardedRuleset {
    ruleset: Arc<dyn Ruleset>,
    name: &'static str,
    version: &'static str,
    bounds: Bounds,
    spoiled: Spoiled,
}

impl GuardedRuleset {
    pub(crate) fn new(ruleset: Arc<dyn Ruleset>) -> GuardedRuleset {
        GuardedRuleset {
            name: ruleset.name(),
            version: ruleset.version(),
            bounds: ruleset.bounds(),
            ruleset,
            spoiled: Spoiled::default(),
        }
    }

    fn run<T>(&self, work: impl FnOnce(&dyn Ruleset) -> T) -> Result<T, Fault> {
        self.spoiled.check()?;
        caught(self.name, || work(&*self.ruleset))
    }
}

impl Ruleset for GuardedRuleset {
    fn name(&self) -> &'static str {
        self.name
    }

    fn version(&self) -> &'static str {
        self.version
    }

    fn sides(&self) -> Option<[&'static str; 2]> {
        self.run(|ruleset| ruleset.sides()).unwrap_or_default()
    }

    fn register(&self, schema: &mut Schema) {
        self.spoiled
            .keep(caught(self.name, || self.ruleset.register(schema)));
    }

    fn load(&self, input: &Input) -> Result<Loaded, Problems> {
        let wrong = |fault: Fault| Problem::file(&input.scenario.name, fault.to_string()).into();
        self.run(|ruleset| ruleset.load(input))
            .unwrap_or_else(|fault| Err(wrong(fault)))
    }

    fn setup(&self, table: &mut Setup) {
        if let Err(fault) = self.run(|ruleset| ruleset.setup(table)) {
            table.fail(fault);
        }
    }

    fn position(&self, table: &mut Setup, file: &PositionFile) -> Result<(), Problems> {
        let wrong = |fault: Fault| Problem::file(&file.source.name, fault.to_string()).into();
        self.run(|ruleset| ruleset.position(table, file))
            .unwrap_or_else(|fault| Err(wrong(fault)))
    }

    fn position_keys(&self) -> Vec<String> {
        self.run(|ruleset| ruleset.position_keys())
            .unwrap_or_default()
    }

    fn finish(&self, table: &mut Table) {
        if let Err(fault) = self.run(|ruleset| ruleset.finish(table)) {
            table.fail(fault);
        }
    }

    fn view(&self, table: &Table, seat: Seat, view: &mut View) {
        // On a copy: half a view might show what the other half would have covered.
        let mut whole = view.clone();
        if self
            .run(|ruleset| ruleset.view(table, seat, &mut whole))
            .is_ok()
        {
            *view = whole;
        }
    }

    fn shuffle_hidden(&self, table: &mut Table, seat: Seat, dice: &mut dyn Dice) -> bool {
        let done = self.run(|ruleset| ruleset.shuffle_hidden(table, seat, dice));
        done.unwrap_or_else(|fault| {
            table.fail(fault);
            false
        })
    }

    fn knows(&self, table: &Table, seat: Seat, unit: UnitId) -> bool {
        // What cannot be told is not told.
        self.run(|ruleset| ruleset.knows(table, seat, unit))
            .unwrap_or(false)
    }

    fn standings(&self, table: &Table, out: &mut Vec<Standing>) {
        let mut told = vec![];
        let done = self.run(|ruleset| ruleset.standings(table, &mut told));
        // Asked for by reports and bots: a unit nobody can tell about is out of the count.
        let nobody = Standing {
            lost: 0,
            presence: Presence::Gone,
        };
        if done.is_err() {
            told.clear();
        }
        told.resize(table.unit_count(), nobody);
        out.append(&mut told);
    }

    fn captured(&self, table: &Table, unit: UnitId) -> Option<u16> {
        // What cannot be told is not told.
        self.run(|ruleset| ruleset.captured(table, unit))
            .unwrap_or(None)
    }

    fn margin(&self, table: &Table) -> i32 {
        self.run(|ruleset| ruleset.margin(table)).unwrap_or(0)
    }

    fn drawn(&self, table: &Table) -> u32 {
        self.run(|ruleset| ruleset.drawn(table)).unwrap_or(0)
    }

    fn leads(&self, table: &Table) -> Vec<Lead> {
        self.run(|ruleset| ruleset.leads(table)).unwrap_or_default()
    }

    fn command_range(&self, table: &Table, leader: UnitId) -> Option<CommandRange> {
        self.run(|ruleset| ruleset.command_range(table, leader))
            .unwrap_or_default()
    }

    fn line_of_sight(&self, table: &Table, from: HexId, to: HexId) -> Option<LineOfSight> {
        self.run(|ruleset| ruleset.line_of_sight(table, from, to))
            .unwrap_or_default()
    }

    fn prizes(&self, table: &Table, out: &mut Vec<Prize>) {
        let mut told = vec![];
        // Asked for by bots: what cannot be told counts for nothing.
        if self.run(|ruleset| ruleset.prizes(table, &mut told)).is_ok() {
            out.append(&mut told);
        }
    }

    fn forces_fights(&self) -> bool {
        self.run(|ruleset| ruleset.forces_fights()).unwrap_or(false)
    }

    fn charts(&self, env: &Env) -> Vec<Chart> {
        self.run(|ruleset| ruleset.charts(env)).unwrap_or_default()
    }

    fn ask(&self, table: &Table, what: &str, about: &[Arg]) -> Option<Fact> {
        self.run(|ruleset| ruleset.ask(table, what, about))
            .unwrap_or_default()
    }

    fn questions(&self) -> &'static [&'static str] {
        self.run(|ruleset| ruleset.questions()).unwrap_or_default()
    }

    fn change(
        &self,
        table: &mut Table,
        what: &str,
        about: &[Arg],
        value: i64,
    ) -> Result<(), String> {
        self.run(|ruleset| ruleset.change(table, what, about, value))
            .unwrap_or_else(|fault| Err(fault.to_string()))
    }

    fn spells(&self) -> Vec<Spell> {
        let told = self.run(|ruleset| ruleset.spells()).unwrap_or_default();
        let name = self.name;
        let guarded = told.into_iter().map(|spell| {
            Spell::new(spell.name, spell.until, move |table| {
                caught(name, || spell.left(table)).unwrap_or_else(|fault| Some(fault.to_string()))
            })
        });
        guarded.collect()
    }

    fn walked(&self, table: &Table, ask: Ask) -> Option<Walked> {
        let told = self.run(|ruleset| ruleset.walked(table, ask));
        told.unwrap_or_default()
    }

    fn derive(&self, from: &Deriving) -> Result<Vec<DerivedFile>, Problems> {
        let wrong = |fault: Fault| Problem::file(self.name, fault.to_string()).into();
        self.run(|ruleset| ruleset.derive(from))
            .unwrap_or_else(|fault| Err(wrong(fault)))
    }

    fn posting(&self, order: &Posting) -> Vec<Change> {
        self.run(|ruleset| ruleset.posting(order))
            .unwrap_or_default()
    }

    fn bounds(&self) -> Bounds {
        self.bounds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A method that a trait of the kernel gains, with a default, would pass by the guard unseen.
    #[test]
    fn every_method_is_guarded() {
        let kernel = |file: &str| {
            let path = format!("{}/../kernel/src/{file}", env!("CARGO_MANIFEST_DIR"));
            std::fs::read_to_string(path).unwrap()
        };
        check("Phase", &kernel("phase.rs"));
        check("Combat", &kernel("combat.rs"));
        check("Ruleset", &kernel("ruleset.rs"));
    }

    fn check(name: &str, source: &str) {
        let methods = |text: &str, from: &str| -> Vec<String> {
            let block = text.split_once(from).expect("the block").1;
            let block = block.split_once("\n}").expect("its end").0;
            let found = block
                .lines()
                .filter_map(|line| line.strip_prefix("    fn "));
            found
                .map(|line| line.split(['(', '<']).next().unwrap().to_owned())
                .collect()
        };
        let own = include_str!("guard.rs");
        assert_eq!(
            methods(own, &format!("impl {name} for Guarded{name} {{")),
            methods(source, &format!("pub trait {name}: Send + Sync {{")),
        );
    }

    #[test]
    fn a_panic_becomes_a_fault_that_is_named() {
        let fault = caught("toy.fall", || panic!("slipped")).unwrap_err();
        assert!(
            fault.to_string().starts_with("toy.fall panicked: slipped"),
            "{fault}"
        );
        let number = 3;
        let fault = caught("toy.fall", || panic!("slipped {number} times")).unwrap_err();
        assert!(fault.to_string().contains("slipped 3 times"), "{fault}");
        assert_eq!(caught("toy.fall", || 7), Ok(7));
    }
}
