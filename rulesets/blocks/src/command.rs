//! §4 The command phase: headquarters deploy and are turned face up.

use crate::field::{freeze_control, label, may_share, name, put, rules, show, tell};
use crate::hits::free_friend;
use crate::promise;
use crate::rules::{Kind, Level, NOWHERE};
use crate::state::{Block, Chosen, Melees, Wounds, army, flag, forget};
use cupola_kernel::{
    Act, Acts, Ask, Check, Fault, HexId, Needs, Options, Phase, Place, Promise, Refusal, Step,
    Table, UnitId, acts, forbid, require, rule,
};

acts! {
    /// Answers in the command phase.
    pub enum Do {
        /// Activate this headquarters next.
        Pick(hq: UnitId) = "hq",
        /// It is activated here: where it stands, or in a friendly hex beside.
        At(hq: UnitId, hex: HexId) = "at",
        /// No more headquarters.
        Done = "done",
    }
}

/// Whether a headquarters may be activated for command.
fn may_activate(t: &Table, unit: UnitId, block: &Block) -> Check {
    let card = rules(t).card(unit);
    require(card.side == t.active(), rule!("4.3"), "is not yours")?;
    require(card.is_hq(), rule!("4.3"), "is no headquarters")?;
    let rank = if card.kind == Kind::Hq(Level::Army) {
        rule!("4.23")
    } else {
        rule!("4.22")
    };
    require(card.commands(), rank, "commands supply, not fire")?;
    require(t.hex(unit).is_some(), rule!("4.3"), "is not on the map")?;
    forbid(block.has(flag::ACTIVE), rule!("4.3"), "is active")?;
    require(block.steps > 0, rule!("4.3"), "has no step left")
}

/// Every headquarters that may be activated, in order: [`may_activate`] without the words.
fn idle(t: &Table) -> impl Iterator<Item = UnitId> {
    let (army, stacks) = (army(t), t.stacks());
    let all = rules(t).commanders[t.active()].iter().copied();
    all.filter(move |&hq| {
        let block = army.of(hq);
        let idle = !block.has(flag::ACTIVE) && block.steps > 0 && stacks.hex(hq).is_some();
        debug_assert_eq!(idle, may_activate(t, hq, block).is_ok());
        idle
    })
}

/// Calls `found` with every hex in which a headquarters may be activated: its own, or a friendly hex
/// beside it that has room (§4.3, §8.1).
pub fn posts(t: &Table, hq: UnitId, mut found: impl FnMut(HexId)) {
    let Some(hex) = t.hex(hq) else { return };
    let side = rules(t).card(hq).side;
    found(hex);
    for edge in rules(t).around(hex) {
        let beside = HexId(edge.to);
        if edge.to != NOWHERE && free_friend(t, side, beside) && may_share(t, hq, beside) {
            found(beside);
        }
    }
}

/// Why a headquarters may not be activated in a hex.
pub fn why_not_post(t: &Table, hq: UnitId, hex: HexId) -> Refusal {
    if t.res::<Chosen>().unit != Some(hq) {
        return Refusal::new(rule!("4.3"), "was not chosen");
    }
    let from = t.hex(hq).unwrap_or(hex);
    let beside = rules(t).direction(from, hex).is_some() || from == hex;
    Refusal::of(
        require(beside, rule!("4.3"), "deploys to an adjacent hex").and_then(|()| {
            require(
                free_friend(t, rules(t).card(hq).side, hex) && may_share(t, hq, hex),
                rule!("4.3"),
                "the hex is not friendly or has no room",
            )
        }),
    )
}

/// Moves a headquarters to its post and turns it face up.
pub fn activate(t: &mut Table, hq: UnitId, hex: HexId, role: u16) {
    let from = t.hex(hq);
    if from != Some(hex) {
        put(t, hq, Place::Hex(hex));
    }
    t.get_mut::<Block>(hq).flags |= role;
    t.res_mut::<Chosen>().unit = None;
    show(t, hq);
    tell(
        t,
        "activate",
        rule!("4.3"),
        hq,
        from,
        Some(hex),
        "is activated at",
    );
}

/// The command phase; there is none at night (§9.71).
pub struct Command;

impl Phase for Command {
    fn name(&self) -> &'static str {
        "command"
    }

    fn verbs(&self) -> &'static [&'static str] {
        Do::VERBS
    }

    fn needs(&self) -> Needs {
        crate::ruleset::needs().player_turn()
    }

    fn enter(&self, t: &mut Table) -> Result<(), Fault> {
        freeze_control(t);
        forget(t, flag::TURN);
        *t.res_mut::<Chosen>() = Chosen::default();
        *t.res_mut::<Wounds>() = Wounds::default();
        *t.res_mut::<Melees>() = Melees::default();
        Ok(())
    }

    fn next(&self, t: &mut Table) -> Result<Step, Fault> {
        let chosen = t.res::<Chosen>();
        if t.is_night() || chosen.closing {
            return Ok(Step::Done);
        }
        let question = if chosen.unit.is_some() {
            "deploy"
        } else {
            "activate"
        };
        Ok(Step::ask(t.active(), question, "4.3"))
    }

    fn options(&self, t: &Table, _: Ask, out: &mut Options) -> Result<(), Fault> {
        if let Some(hq) = t.res::<Chosen>().unit {
            posts(t, hq, |hex| out.push(Do::At(hq, hex)));
            return Ok(());
        }
        out.push_each(Do::Pick(UnitId(0)).act(), 0, idle(t));
        out.push(Do::Done);
        Ok(())
    }

    fn take(&self, t: &mut Table, _: Ask, act: Act) -> Result<(), Fault> {
        match Do::from_act(act) {
            Some(Do::Pick(hq)) => t.res_mut::<Chosen>().unit = Some(hq),
            Some(Do::At(hq, hex)) => activate(t, hq, hex, flag::ACTIVE),
            Some(Do::Done) => t.res_mut::<Chosen>().closing = true,
            None => return Err(Fault::Broken("not an answer of the command phase".into())),
        }
        Ok(())
    }

    fn why_not(&self, t: &Table, _: Ask, act: Act) -> Refusal {
        let other = || Refusal::new(rule!("4.3"), "is not asked now");
        match Do::from_act(act) {
            Some(Do::Pick(hq)) => may_activate(t, hq, t.get(hq)).err().unwrap_or_else(other),
            Some(Do::At(hq, hex)) => why_not_post(t, hq, hex),
            _ => other(),
        }
    }

    fn text(&self, t: &Table, _: Ask, act: Act) -> String {
        match Do::from_act(act) {
            Some(Do::Pick(hq)) => format!("activate {}", name(t, hq)),
            Some(Do::At(hq, hex)) => format!("{} commands from {}", name(t, hq), label(t, hex)),
            Some(Do::Done) => "no more headquarters".into(),
            None => "?".into(),
        }
    }

    fn promise(&self, t: &Table, _: Ask, act: Act) -> Option<Promise> {
        match Do::from_act(act)? {
            Do::Pick(hq) => promise::best(t, hq, promise::command),
            Do::At(hq, hex) => Some(promise::command(t, hq, hex)),
            Do::Done => None,
        }
    }

    fn prompt(&self, t: &Table, ask: Ask) -> String {
        match (ask.question, t.res::<Chosen>().unit) {
            ("deploy", Some(hq)) => format!("From where does {} command?", name(t, hq)),
            _ => "Which headquarters is activated?".into(),
        }
    }
}
