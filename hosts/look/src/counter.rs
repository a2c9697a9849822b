//! One counter, ready to be drawn.

use crate::faces::{Colour, Corners, Face, Faces, Livery, Outline, Spot, Symbol, Tone};
use crate::template;
use cupola_kernel::Env;
use cupola_kernel::view::UnitView;
use serde::Serialize;
use std::collections::BTreeMap;

/// What is drawn for a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Counter {
    /// Its outline.
    pub outline: Outline,
    /// The colour of its side.
    pub colour: Colour,
    /// The corners of its side.
    pub corners: Corners,
    /// Its symbol.
    pub symbol: Symbol,
    /// Its texts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub slots: Vec<SlotText>,
    /// Its steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pips: Option<Pips>,
    /// Signs of its states.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub badges: Vec<BadgeSign>,
    /// Which way it looks, in degrees clockwise from north.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facing: Option<u16>,
    /// The second hex it stands in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spans: Option<String>,
    /// Its back is shown: who it is may not be known.
    #[serde(skip_serializing_if = "is_false")]
    pub back: bool,
    /// Drawn pale.
    #[serde(skip_serializing_if = "is_false")]
    pub pale: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as serde wants it")]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// A text in its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SlotText {
    /// Where.
    pub at: Spot,
    /// What.
    pub text: String,
    /// Larger than the others.
    #[serde(skip_serializing_if = "is_false")]
    pub large: bool,
}

/// Steps left of those there were.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Pips {
    /// Left.
    pub now: u8,
    /// At full strength.
    pub of: u8,
}

/// A sign on a counter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BadgeSign {
    /// One or two letters.
    pub sign: String,
    /// What it means.
    pub means: String,
    /// Whether that is good or bad.
    pub tone: Tone,
}

impl Faces {
    /// The counter of a unit, as far as its view tells.
    #[must_use]
    pub fn counter(&self, unit: &UnitView) -> Counter {
        let livery = self.livery(&unit.side);
        let plain = plain();
        let face = if unit.id.is_none() {
            self.back.as_ref()
        } else {
            self.faces.iter().find(|face| fits(face, unit))
        };
        let face = face.unwrap_or(&plain);
        let slots = face.slots.iter().map(|slot| SlotText {
            at: slot.at,
            text: template::fill(&slot.text, unit),
            large: slot.large,
        });
        let badges = face.badges.iter().filter(|badge| is(&badge.when, unit));
        Counter {
            outline: face.outline,
            colour: livery.colour,
            corners: livery.corners,
            symbol: if unit.id.is_none() && self.back.is_none() {
                Symbol::Unknown
            } else {
                face.symbol
            },
            slots: slots.filter(|slot| !slot.text.is_empty()).collect(),
            pips: face.pips.as_ref().and_then(|(now, of)| pips(now, of, unit)),
            badges: badges
                .map(|badge| BadgeSign {
                    sign: badge.sign.clone(),
                    means: badge.means.clone(),
                    tone: badge.tone,
                })
                .collect(),
            facing: face
                .facing
                .as_ref()
                .and_then(|name| template::state(name, unit))
                .and_then(|way| face.degrees.get(way).copied().or_else(|| degrees(way))),
            spans: face
                .spans
                .as_ref()
                .and_then(|name| template::state(name, unit))
                .filter(|hex| !hex.is_empty())
                .map(str::to_owned),
            back: unit.id.is_none(),
            pale: face.pale.as_ref().is_some_and(|when| is(when, unit)),
        }
    }

    /// The ways in which a unit can face, in degrees from north; none where no counter shows one.
    #[must_use]
    pub fn ways(&self) -> BTreeMap<String, u16> {
        let faces = self.faces.iter().filter(|face| face.facing.is_some());
        let compass = COMPASS.iter().map(|name| name.to_uppercase());
        let plain = compass.filter_map(|name| Some((name.clone(), degrees(&name)?)));
        let all = faces.flat_map(|face| match face.degrees.is_empty() {
            true => plain.clone().collect(),
            false => face.degrees.clone(),
        });
        all.collect()
    }

    /// What tells a side apart.
    #[must_use]
    pub fn livery(&self, side: &str) -> Livery {
        self.sides.get(side).copied().unwrap_or_default()
    }

    /// Gives the sides of a game their colours and corners: as declared, of the side whose place they take, or such
    /// that they differ.
    #[must_use]
    pub fn for_sides(mut self, env: &Env) -> Faces {
        let kinds = [
            (Colour::Blue, Corners::Square),
            (Colour::Rust, Corners::Cut),
        ];
        for ((_, side), (colour, corners)) in env.sides.iter().zip(kinds) {
            let livery = self.sides.get(&side.role).copied();
            let livery = livery.unwrap_or(Livery { colour, corners });
            self.sides.entry(side.id.clone()).or_insert(livery);
        }
        self
    }
}

/// What a ruleset's counters show if it does not say.
fn plain() -> Face {
    Face {
        slots: vec![crate::faces::Slot {
            at: Spot::Bottom,
            text: "{ratings}".into(),
            large: true,
        }],
        ..Face::default()
    }
}

fn fits(face: &Face, unit: &UnitView) -> bool {
    (face.kinds.is_empty() || face.kinds.contains(&unit.kind))
        && face.when.as_ref().is_none_or(|when| is(when, unit))
}

fn is((name, wanted): &(String, String), unit: &UnitView) -> bool {
    template::state(name, unit).is_some_and(|value| value == wanted)
}

fn pips(now: &str, of: &str, unit: &UnitView) -> Option<Pips> {
    let number = |name: &str| template::state(name, unit)?.parse().ok();
    let of = number(of).or_else(|| of.parse().ok())?;
    Some(Pips {
        now: number(now)?,
        of,
    })
}

/// A direction as degrees: sixths of a circle by number, or by the compass.
const COMPASS: [&str; 16] = [
    "n", "nne", "ne", "ene", "e", "ese", "se", "sse", "s", "ssw", "sw", "wsw", "w", "wnw", "nw",
    "nnw",
];

fn degrees(text: &str) -> Option<u16> {
    let lower = text.to_lowercase();
    if let Some(index) = COMPASS.iter().position(|name| *name == lower) {
        // Sixteenths of a circle are 22.5 degrees; hexes have none that needs the half.
        return Some((index as u16 * 45) / 2);
    }
    lower.parse::<u16>().ok().map(|degrees| degrees % 360)
}
