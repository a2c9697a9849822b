//! Situations set up by hand: what the position files of all rulesets have in common.
//!
//! A ruleset declares the `state` of its positions as a type of its own (with `deny_unknown_fields`), and
//! reads names, places, turns and numbers with a [`PositionReader`], so that every mistake is told with
//! file, line, field and the nearest name, and what cannot be is refused.

use cupola_data::{Problem, Problems};
use cupola_ground::HexId;
use cupola_kernel::{Place, PositionFile, Side, Table, TokenId, UnitId};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::RangeInclusive;

/// Reads a position, with every mistake.
///
/// ```
/// use cupola_data::Problems;
/// use cupola_kernel::{PositionFile, Setup};
/// use cupola_kit::PositionReader;
/// use std::collections::BTreeMap;
///
/// #[derive(Debug, Default, serde::Deserialize)]
/// #[serde(deny_unknown_fields, default)]
/// struct State {
///     units: BTreeMap<String, UnitState>,
///     morale: BTreeMap<String, i8>,
/// }
///
/// #[derive(Debug, Default, serde::Deserialize)]
/// #[serde(deny_unknown_fields, default)]
/// struct UnitState {
///     at: Option<String>,
/// }
///
/// /// Boxes beside the map, by their numbers.
/// const BOXES: [&str; 2] = ["eliminated", "turn track"];
///
/// fn apply(t: &mut Setup, file: &PositionFile) -> Result<(), Problems> {
///     let (mut reader, state) = PositionReader::read::<State>(file)?;
///     for (field, unit, state) in reader.units(t, &state.units) {
///         if let Some(at) = &state.at
///             && let Some(place) = reader.place(t, &format!("{field}.at"), at, &BOXES)
///         {
///             t.place(unit, place);
///         }
///     }
///     for (field, _side, morale) in reader.by_side(t, "state.morale", &state.morale) {
///         reader.within(&field, *morale, 0..=10);
///     }
///     reader.no_shared_hexes(t);
///     reader.finish()
/// }
/// ```
pub struct PositionReader<'a> {
    file: &'a PositionFile,
    problems: Problems,
}

/// A line of a map in a position: its field, whom it is about, and what it says.
pub type Line<'s, K, V> = (String, K, &'s V);

impl<'a> PositionReader<'a> {
    /// Reads the ruleset's own state of a position.
    ///
    /// # Errors
    /// Where the file is not as it should be.
    pub fn read<S: DeserializeOwned + Default>(
        file: &'a PositionFile,
    ) -> Result<(PositionReader<'a>, S), Problems> {
        let state = file.state::<S>()?.unwrap_or_default();
        let problems = Problems::default();
        Ok((PositionReader { file, problems }, state))
    }

    /// A problem at a field: `state.units.heth.at`.
    #[must_use]
    pub fn problem(&self, field: &str, message: impl Into<String>) -> Problem {
        self.file.source.problem(&self.file.field(field), message)
    }

    /// Notes that a field is wrong.
    pub fn wrong(&mut self, field: &str, message: impl Into<String>) {
        self.problems.push(self.problem(field, message));
    }

    /// The place of a name in a list; none, and a problem with the nearest name, if it is not there.
    pub fn named<'n>(
        &mut self,
        field: &str,
        (what, name): (&str, &str),
        known: impl IntoIterator<Item = &'n str, IntoIter: Clone>,
    ) -> Option<usize> {
        let known = known.into_iter();
        let found = known.clone().position(|known| known == name);
        if found.is_none() {
            let problem = self.problem(field, format!("no {what} \"{name}\""));
            self.problems.push(problem.with_known(name, known));
        }
        found
    }

    /// A unit by its id.
    pub fn unit(&mut self, t: &Table, field: &str, id: &str) -> Option<UnitId> {
        let known = t.env().units.iter().map(|unit| unit.id.as_str());
        let found = self.named(field, ("unit", id), known)?;
        Some(UnitId(found as u16))
    }

    /// The units that `state.units` names, in the order of their ids, each with its field.
    pub fn units<'s, U>(
        &mut self,
        t: &Table,
        units: &'s BTreeMap<String, U>,
    ) -> Vec<Line<'s, UnitId, U>> {
        let lines = units.iter().filter_map(|(id, state)| {
            let field = format!("state.units.{id}");
            let unit = self.unit(t, &field, id)?;
            Some((field, unit, state))
        });
        lines.collect()
    }

    /// A hex by its label.
    pub fn hex(&mut self, t: &Table, field: &str, label: &str) -> Option<HexId> {
        let found = t.board().hex(label);
        if let Err(wrong) = &found {
            let problem = self.problem(field, format!("no hex \"{label}\" on this board"));
            let near = wrong.nearest.as_deref();
            self.problems.push(problem.with_nearest(label, near));
        }
        found.ok()
    }

    /// A hex by its label or a box by its name.
    pub fn place(&mut self, t: &Table, field: &str, at: &str, boxes: &[&str]) -> Option<Place> {
        if let Some(number) = boxes.iter().position(|name| *name == at) {
            return Some(Place::Box(number as u8));
        }
        let found = t.board().hex(at);
        if let Err(wrong) = &found {
            let message = format!(
                "no hex \"{at}\" on this board, and no box; there are the boxes {}",
                boxes.join(", ")
            );
            let near = wrong.nearest.as_deref().into_iter();
            let near = near.chain(boxes.iter().copied());
            let problem = self.problem(field, message).with_nearest(at, near);
            self.problems.push(problem);
        }
        found.ok().map(Place::Hex)
    }

    /// A side by its id.
    pub fn side(&mut self, t: &Table, field: &str, id: &str) -> Option<Side> {
        let sides = t.env().sides.iter().map(|(_, side)| side.id.as_str());
        let known: Vec<&str> = sides.collect();
        let found = self.named(field, ("side", id), known.iter().copied())?;
        Some(Side::BOTH[found])
    }

    /// The sides that a map at this field names, each with its own field.
    pub fn by_side<'s, V>(
        &mut self,
        t: &Table,
        field: &str,
        values: &'s BTreeMap<String, V>,
    ) -> Vec<Line<'s, Side, V>> {
        let lines = values.iter().filter_map(|(id, value)| {
            let field = format!("{field}.{id}");
            let side = self.side(t, &field, id)?;
            Some((field, side, value))
        });
        lines.collect()
    }

    /// The number of a turn by its id or its label.
    pub fn turn(&mut self, t: &Table, field: &str, id: &str) -> Option<u16> {
        let turns = &t.env().track.turns;
        if let Some(turn) = turns.iter().position(|turn| turn.label == id) {
            return Some(turn as u16);
        }
        let known = turns.iter().map(|turn| turn.id.as_str());
        self.named(field, ("turn", id), known)
            .map(|turn| turn as u16)
    }

    /// A card, chit or marker by its name.
    pub fn token(&mut self, t: &Table, field: &str, name: &str) -> Option<TokenId> {
        let known = t.env().tokens.iter().map(String::as_str);
        let found = self.named(field, ("card or chit", name), known)?;
        Some(TokenId(found as u16))
    }

    /// Cards or chits in the order in which they will be drawn: each named once.
    pub fn draws(&mut self, t: &Table, field: &str, names: &[String]) -> Vec<TokenId> {
        let mut order = vec![];
        for (i, name) in names.iter().enumerate() {
            let field = format!("{field}[{i}]");
            let Some(token) = self.token(t, &field, name) else {
                continue;
            };
            if order.contains(&token) {
                self.wrong(&field, format!("\"{name}\" is drawn already"));
            }
            order.push(token);
        }
        order
    }

    /// Who holds which hexes: a map from labels to sides, at this field.
    pub fn control(
        &mut self,
        t: &Table,
        field: &str,
        holders: &BTreeMap<String, String>,
    ) -> Vec<(HexId, Side)> {
        let lines = holders.iter().filter_map(|(label, id)| {
            let field = format!("{field}.{label}");
            let (hex, side) = (self.hex(t, &field, label), self.side(t, &field, id));
            hex.zip(side)
        });
        lines.collect()
    }

    /// Refuses a number that is not on its track.
    pub fn within<N: PartialOrd + Display>(
        &mut self,
        field: &str,
        value: N,
        track: RangeInclusive<N>,
    ) {
        if !track.contains(&value) {
            let (low, high) = track.into_inner();
            self.wrong(field, format!("{value} is not between {low} and {high}"));
        }
    }

    /// Refuses a hex that holds units of both sides.
    pub fn no_shared_hexes(&mut self, t: &Table) {
        for (hex, other, unit) in t.shared_hexes() {
            let (unit, other) = (&t.info(unit).id, &t.info(other).id);
            let message = format!(
                "{} holds {other} of the other side as well",
                t.board().label(hex)
            );
            self.wrong(&format!("state.units.{unit}.at"), message);
        }
    }

    /// Whether the position is in order.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn finish(self) -> Result<(), Problems> {
        self.problems.check(())
    }
}
