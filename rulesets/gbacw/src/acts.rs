//! Every answer that this ruleset knows. One list for all phases: any question can open in any of them.

use crate::field::{label, name, rules};
use cupola_kernel::{Act, Acts, HexId, Table, TokenId, UnitId, acts};

acts! {
    /// Answers.
    pub enum Do {
        /// Play this marker.
        Marker(formation: TokenId) = "am",
        /// This brigade is next.
        Brigade(brigade: TokenId) = "brigade",
        /// Take the attack posture.
        Attack = "attack",
        /// Keep the normal posture.
        Normal = "normal",
        /// This unit is next.
        Unit(unit: UnitId) = "unit",
        /// Move there.
        To(hex: HexId) = "to",
        /// Face this corner.
        Face(corner: TokenId) = "face",
        /// Rally.
        Rally = "rally",
        /// Mount or dismount.
        Mount = "mount",
        /// Stay.
        Stay = "stay",
        /// Those in this hex turn.
        Turn(hex: HexId, corner: TokenId) = "turn",
        /// This unit withdraws.
        Withdraw(unit: UnitId) = "withdraw",
        /// This battery fires at that hex.
        Fire(unit: UnitId, hex: HexId) = "fire",
        /// At this hex.
        At(hex: HexId) = "at",
        /// The fire from here to there is rolled next.
        Next(from: HexId, at: HexId) = "next",
        /// Fall back there.
        Step(hex: HexId) = "step",
        /// This brigade pays.
        Pay(brigade: TokenId) = "pay",
        /// This unit advances there.
        Advance(unit: UnitId, hex: HexId) = "advance",
        /// This unit routs.
        Rout(unit: UnitId) = "rout",
        /// This unit tries to recover.
        Recover(unit: UnitId) = "recover",
        /// This brigade is given March Orders.
        March(brigade: TokenId) = "march",
        /// This brigade goes into reserve.
        Reserve(brigade: TokenId) = "reserve",
        /// The orders of this brigade are lifted.
        Lift(brigade: TokenId) = "lift",
        /// This artillery goes with that division.
        Attach(brigade: TokenId, formation: TokenId) = "attach",
        /// This artillery goes by itself again.
        Detach(brigade: TokenId) = "detach",
        /// This battery goes with that brigade.
        Join(unit: UnitId, brigade: TokenId) = "join",
        /// This battery goes with its own brigade again.
        Rejoin(unit: UnitId) = "rejoin",
        /// This division has a marker more.
        Favour(formation: TokenId) = "favour",
        /// Leave the map by its road.
        Leave = "leave",
        /// Face this corner with that flank refused.
        Refuse(corner: TokenId, hand: TokenId) = "refuse",
        /// Extend the line to this hand.
        Extend(hand: TokenId) = "extend",
        /// Close the line up.
        Close = "close",
        /// Pull the breastworks down.
        Raze = "raze",
        /// Those in this hex begin breastworks of three hexsides, round to this hand.
        DigRound(hex: HexId, hand: TokenId) = "dig-round",
        /// Stand there.
        Place(hex: HexId) = "place",
        /// Those in this hex begin breastworks.
        Dig(hex: HexId) = "dig",
        /// No, or no more.
        Done = "done",
    }
}

fn token(t: &Table, token: TokenId) -> &str {
    let name = t.env().tokens.get(usize::from(token.0));
    name.map_or("?", |name| name.trim_start_matches("am:"))
}

/// A brigade as people speak of it: by its number and who leads it, where the number does not tell.
fn brigade_name(t: &Table, id: TokenId) -> String {
    let Some(brigade) = rules(t).brigades.iter().find(|brigade| brigade.token == id) else {
        return token(t, id).to_owned();
    };
    let leader = brigade.leader.map(|leader| name(t, leader));
    match leader.filter(|leader| !brigade.name.contains(leader)) {
        Some(leader) => format!("{} ({leader})", brigade.name),
        None => brigade.name.clone(),
    }
}

/// An answer in words.
#[must_use]
pub fn text(t: &Table, act: Act) -> String {
    let Some(answer) = Do::from_act(act) else {
        return "?".into();
    };
    match answer {
        Do::Marker(formation) => format!("play a marker of {}", token(t, formation)),
        Do::Brigade(brigade) => format!("{} acts", brigade_name(t, brigade)),
        Do::Attack => "attack posture".into(),
        Do::Normal => "normal posture".into(),
        // Batteries and their brigadiers share names.
        Do::Unit(unit) if rules(t).fights(unit) => name(t, unit).to_owned(),
        Do::Unit(unit) => format!("{}, the leader", name(t, unit)),
        Do::To(hex) => format!("move to {}", label(t, hex)),
        Do::Face(corner) => format!("face {}", token(t, corner)),
        Do::Rally => "rally".into(),
        Do::Mount => "mount or dismount".into(),
        Do::Stay => "stay".into(),
        Do::Turn(hex, corner) => format!("those in {} turn {}", label(t, hex), token(t, corner)),
        Do::Withdraw(unit) => format!("{} withdraws", name(t, unit)),
        Do::Fire(unit, hex) => format!("{} fires at {}", name(t, unit), label(t, hex)),
        Do::At(hex) => format!("fire at {}", label(t, hex)),
        Do::Next(from, at) => format!("the fire of {} at {}", label(t, from), label(t, at)),
        Do::Step(hex) => format!("back to {}", label(t, hex)),
        Do::Pay(brigade) => format!("{} bears the loss", brigade_name(t, brigade)),
        Do::Advance(unit, hex) => format!("{} advances to {}", name(t, unit), label(t, hex)),
        Do::Rout(unit) => format!("{} routs", name(t, unit)),
        Do::Recover(unit) => format!("{} tries to recover", name(t, unit)),
        Do::March(brigade) => format!("March Orders for {}", brigade_name(t, brigade)),
        Do::Reserve(brigade) => format!("Reserve Orders for {}", brigade_name(t, brigade)),
        Do::Lift(brigade) => format!("lift the orders of {}", brigade_name(t, brigade)),
        Do::Attach(brigade, to) => {
            format!("attach {} to {}", brigade_name(t, brigade), token(t, to))
        }
        Do::Detach(brigade) => format!("detach {}", brigade_name(t, brigade)),
        Do::Join(unit, brigade) => {
            format!("attach {} to {}", name(t, unit), brigade_name(t, brigade))
        }
        Do::Rejoin(unit) => format!("detach {}", name(t, unit)),
        Do::Favour(formation) => format!("a marker more for {}", token(t, formation)),
        Do::Leave => "leave the map by the road".into(),
        Do::Refuse(corner, hand) => format!(
            "face {} with the {} flank refused",
            token(t, corner),
            token(t, hand)
        ),
        Do::Extend(hand) => format!("extend the line to the {}", token(t, hand)),
        Do::Close => "close the line up".into(),
        Do::Raze => "pull the breastworks down".into(),
        Do::DigRound(hex, hand) => format!(
            "begin breastworks in {}, round to the {}",
            label(t, hex),
            token(t, hand)
        ),
        Do::Place(hex) => format!("in {}", label(t, hex)),
        Do::Dig(hex) => format!("begin breastworks in {}", label(t, hex)),
        Do::Done => "no more".into(),
    }
}
