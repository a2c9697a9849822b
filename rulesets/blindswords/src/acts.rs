//! Every answer that this ruleset knows. One list for all phases: any question can open in any of them.

use crate::field::{label, name, rules};
use crate::rules::Brigade;
use crate::units::Units;
use cupola_kernel::{Act, Acts, HexId, Table, TokenId, UnitId, acts};

acts! {
    /// Answers.
    pub enum Do {
        /// This unit is next.
        Unit(unit: UnitId) = "unit",
        /// At this hex: a target, a hex in chaos, a hex that fires.
        At(hex: HexId) = "at",
        /// This unit joins.
        Join(unit: UnitId) = "join",
        /// Those who joined go.
        Go = "go",
        /// Move there and end.
        To(hex: HexId) = "to",
        /// Move there and go on.
        Via(hex: HexId) = "via",
        /// Mount or dismount.
        Mount = "mount",
        /// Leave the map.
        Exit = "exit",
        /// Be shaken.
        Shaken = "shaken",
        /// Skedaddle.
        Run = "run",
        /// Retreat or withdraw there.
        Step(hex: HexId) = "step",
        /// This cavalry withdraws.
        Withdraw(unit: UnitId) = "withdraw",
        /// From this hex, assault that one.
        Assault(from: HexId, target: HexId) = "assault",
        /// From this hex, support the assault on that one.
        Support(from: HexId, target: HexId) = "support",
        /// This unit breaks through.
        Advance(unit: UnitId) = "advance",
        /// This unit rallies, or tries to.
        Rally(unit: UnitId) = "rally",
        /// This unit tries to turn to its fresh side.
        Flip(unit: UnitId) = "flip",
        /// This chit goes into the cup.
        Choose(chit: TokenId) = "choose",
        /// Play this chit.
        Play(chit: TokenId) = "play",
        /// Keep this chit.
        Hold(chit: TokenId) = "hold",
        /// Fire, or use a chit for one unit's fire.
        Fire = "fire",
        /// Move, or use a chit to move one unit one hex.
        March = "march",
        /// Put the chit away unused.
        Discard = "discard",
        /// Activate this brigade.
        Brigade(brigade: TokenId) = "brigade",
        /// Activate this division under one order.
        Division(division: TokenId) = "division",
        /// Activate this division, each brigade under its own order.
        Separate(division: TokenId) = "separate",
        /// Fire with this brigade of artillery.
        Guns(brigade: TokenId) = "guns",
        /// Give this order.
        Order(order: TokenId) = "order",
        /// Roll these dice again.
        Reroll(which: i16) = "reroll",
        /// Yes.
        Yes = "yes",
        /// No, or no more.
        Done = "done",
    }
}

fn token(t: &Table, token: TokenId) -> String {
    let rules = rules(t);
    if let Some(chit) = rules.chit_of(token) {
        return rules.chit(chit).name.clone();
    }
    if let Some(brigade) = rules.brigade_of(token) {
        return brigade_name(t, &rules.brigades[brigade]);
    }
    if let Some(division) = rules.division_of(token) {
        return format!("division {}", rules.divisions[division].code);
    }
    let name = t.env().tokens.get(usize::from(token.0));
    name.cloned().unwrap_or_else(|| "?".into())
}

/// A brigade as its counters call it, if they agree.
fn brigade_name(t: &Table, brigade: &Brigade) -> String {
    let units = brigade.units.into_iter();
    let names = units.map(|unit| t.env().units[usize::from(unit.0)].name.as_str());
    let mut names: Vec<&str> = names.collect();
    names.dedup();
    if let [name] = names[..] {
        return name.to_owned();
    }
    let mut letters = brigade.name.chars();
    let first = letters
        .next()
        .map(|letter| letter.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// The units of the formation that an answer names.
#[must_use]
pub fn formation(t: &Table, act: Act) -> Option<Units> {
    let rules = rules(t);
    match Do::from_act(act)? {
        Do::Brigade(token) | Do::Guns(token) => {
            rules.brigade_of(token).map(|at| rules.brigades[at].units)
        }
        Do::Division(token) | Do::Separate(token) => {
            rules.division_of(token).map(|at| rules.divisions[at].units)
        }
        _ => None,
    }
}

/// An answer in words.
#[must_use]
pub fn text(t: &Table, act: Act) -> String {
    let Some(answer) = Do::from_act(act) else {
        return "?".into();
    };
    match answer {
        Do::Unit(unit) => name(t, unit),
        Do::At(hex) => format!("at {}", label(t, hex)),
        Do::Join(unit) => format!("{} joins", name(t, unit)),
        Do::Go => "go".into(),
        Do::To(hex) => format!("move to {}", label(t, hex)),
        Do::Via(hex) => format!("move by way of {}", label(t, hex)),
        Do::Mount => "mount or dismount".into(),
        Do::Exit => "leave the map".into(),
        Do::Shaken => "be shaken".into(),
        Do::Run => "skedaddle".into(),
        Do::Step(hex) => format!("back to {}", label(t, hex)),
        Do::Withdraw(unit) => format!("{} withdraws", name(t, unit)),
        Do::Assault(from, target) => {
            format!("assault {} from {}", label(t, target), label(t, from))
        }
        Do::Support(from, target) => format!(
            "support the assault on {} from {}",
            label(t, target),
            label(t, from)
        ),
        Do::Advance(unit) => format!("{} breaks through", name(t, unit)),
        Do::Rally(unit) => format!("{} rallies", name(t, unit)),
        Do::Flip(unit) => format!("{} tries to become fresh", name(t, unit)),
        Do::Choose(chit) => format!("put {} into the cup", token(t, chit)),
        Do::Play(chit) => format!("play {}", token(t, chit)),
        Do::Hold(chit) => format!("keep {}", token(t, chit)),
        Do::Fire => "fire".into(),
        Do::March => "move".into(),
        Do::Discard => "put the chit away".into(),
        Do::Brigade(brigade) => format!("activate {}'s brigade", token(t, brigade)),
        Do::Division(division) => format!("activate {} together", token(t, division)),
        Do::Separate(division) => format!("activate {} brigade by brigade", token(t, division)),
        Do::Guns(brigade) => format!("fire with {}'s artillery", token(t, brigade)),
        Do::Order(order) => format!("order: {}", token(t, order)),
        Do::Reroll(2) => "roll the defender's dice again".into(),
        Do::Reroll(_) => "roll the dice again".into(),
        Do::Yes => "yes".into(),
        Do::Done => "no more".into(),
    }
}
