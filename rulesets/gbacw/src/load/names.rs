//! Looking names up, with every mistake kept.

use super::parts::Spans;
use crate::files::{BySideName, LeaderValues, Values};
use crate::rules::{Brigade, Gate};
use cupola_army::{Counter, Counters};
use cupola_data::{Problems, Source};
use cupola_ground::Board;
use cupola_ground::HexId;
use cupola_ground::board::AreaKind;
use cupola_kernel::{BySide, Input, Side, UnitId, UnitInfo};
use std::collections::BTreeSet;

/// Looks up what a scenario names.
pub struct Names<'a> {
    input: &'a Input<'a>,
    file: &'a Source,
    spans: Spans<'a>,
    /// What is wrong so far.
    pub problems: Problems,
    units: Vec<String>,
    brigades: Vec<(String, Side)>,
    guns: Vec<Option<Side>>,
    /// Units, leaders and whole brigades that the scenario leaves out: no list needs them.
    absent: (Vec<String>, Vec<String>),
    /// Names of the markers.
    pub formations: Vec<String>,
    /// Gates that special rules have besides those of the set-up, which are so many.
    pub gates: (usize, Vec<Gate>),
}

impl<'a> Names<'a> {
    /// Knows turns, sides and hexes; units once it has learnt them.
    pub fn new(input: &'a Input<'a>, file: &'a Source, spans: Spans<'a>) -> Names<'a> {
        Names {
            input,
            file,
            spans,
            problems: Problems::default(),
            units: vec![],
            brigades: vec![],
            guns: vec![],
            absent: (vec![], vec![]),
            formations: vec![],
            gates: (0, vec![]),
        }
    }

    /// Learns the scenario's units and brigades.
    pub fn learn(&mut self, infos: &[UnitInfo], brigades: &[Brigade]) {
        self.units = infos.iter().map(|info| info.id.clone()).collect();
        let guns = |info: &UnitInfo| info.kind.ends_with("artillery").then_some(info.side);
        self.guns = infos.iter().map(guns).collect();
        self.brigades = brigades.iter().map(|b| (b.name.clone(), b.side)).collect();
    }

    /// Learns who is not there, whatever lists would have him.
    pub fn miss(&mut self, left_out: &[String], counters: &Counters<Values, LeaderValues>) {
        let gone = |counter: &&Counter<Values>| left_out.contains(&counter.id);
        let (gone, there): (Vec<_>, Vec<_>) = counters.counters.iter().partition(gone);
        let of = |counter: &Counter<Values>| counter.values.brigade.clone();
        let there: BTreeSet<String> = there.into_iter().map(of).collect();
        let whole = gone
            .into_iter()
            .map(of)
            .filter(|name| !there.contains(name));
        self.absent = (left_out.to_vec(), whole.collect());
    }

    /// Notes a mistake.
    pub fn problem(&mut self, field: &str, message: impl Into<String>) {
        let (file, field) = self.spans.locate(self.file, field);
        self.problems.push(file.problem(&field, message));
    }

    /// The place of a name in a list.
    pub fn choose<'n>(
        &mut self,
        field: &str,
        what: &str,
        name: &str,
        known: impl Iterator<Item = &'n str> + Clone,
    ) -> usize {
        let found = known.clone().position(|other| other == name);
        if found.is_none() {
            let (file, field) = self.spans.locate(self.file, field);
            let problem = file.problem(&field, format!("no {what} \"{name}\""));
            self.problems.push(problem.with_known(name, known));
        }
        found.unwrap_or(0)
    }

    /// A turn.
    pub fn turn(&mut self, field: &str, id: &str) -> u16 {
        let turns = self.input.track.turns.iter().map(|turn| turn.id.as_str());
        self.choose(field, "turn", id, turns) as u16
    }

    /// A turn that another file names.
    pub fn turn_of(&mut self, file: &str, field: &str, id: &str) -> u16 {
        let turns = self.input.track.turns.iter().map(|turn| turn.id.as_str());
        let found = turns.clone().position(|turn| turn == id);
        if found.is_none()
            && let Some(file) = self.input.files.get(file)
        {
            let problem = file.problem(field, format!("no turn \"{id}\""));
            self.problems.push(problem.with_known(id, turns));
        }
        found.unwrap_or(0) as u16
    }

    /// A side.
    pub fn side(&mut self, field: &str, id: &str) -> Side {
        let known = self.input.sides.iter().map(|side| side.id.as_str());
        self.input.side(id).unwrap_or_else(|| {
            self.choose(field, "side", id, known);
            Side::First
        })
    }

    /// Something of each side, by its id: neither may be left out.
    pub fn by_side<T: Copy>(&mut self, field: &str, by: &BySideName<T>) -> Option<BySide<T>> {
        for id in by.keys() {
            self.side(field, id);
        }
        let ids: Vec<String> = self
            .input
            .sides
            .iter()
            .map(|side| side.id.clone())
            .collect();
        for id in ids.iter().filter(|&id| !by.contains_key(id)) {
            self.problem(field, format!("nothing is said of \"{id}\""));
        }
        Some(BySide {
            first: *by.get(ids.first()?)?,
            second: *by.get(ids.get(1)?)?,
        })
    }

    /// A unit or leader of the scenario.
    pub fn unit(&mut self, field: &str, id: &str) -> UnitId {
        let units = std::mem::take(&mut self.units);
        let found = self.choose(field, "unit", id, units.iter().map(String::as_str));
        self.units = units;
        UnitId(found as u16)
    }

    /// All batteries of a side.
    #[must_use]
    pub fn batteries(&self, side: Side) -> Vec<UnitId> {
        let guns = (0u16..)
            .zip(&self.guns)
            .filter(|(_, of)| **of == Some(side));
        guns.map(|(unit, _)| UnitId(unit)).collect()
    }

    /// Units of the scenario; who is left out of it is no part of the list.
    pub fn units(&mut self, field: &str, ids: &[String]) -> Vec<UnitId> {
        let absent = self.absent.0.clone();
        let there = ids.iter().filter(|id| !absent.contains(id));
        there.map(|id| self.unit(field, id)).collect()
    }

    /// A brigade of the scenario.
    pub fn brigade(&mut self, field: &str, name: &str) -> u16 {
        let brigades = std::mem::take(&mut self.brigades);
        let known = brigades.iter().map(|(name, _)| name.as_str());
        let found = self.choose(field, "brigade", name, known);
        self.brigades = brigades;
        found as u16
    }

    /// Brigades of the scenario; one that is left out of it is no part of the list.
    pub fn brigades(&mut self, field: &str, names: &[String]) -> Vec<u16> {
        let absent = self.absent.1.clone();
        let there = names.iter().filter(|name| !absent.contains(name));
        there.map(|name| self.brigade(field, name)).collect()
    }

    /// A marker of the scenario.
    pub fn formation(&mut self, field: &str, name: &str) -> u16 {
        let formations = std::mem::take(&mut self.formations);
        let found = self.choose(field, "marker", name, formations.iter().map(String::as_str));
        self.formations = formations;
        found as u16
    }

    /// Whose a brigade is.
    #[must_use]
    pub fn side_of_brigade(&self, brigade: u16) -> Side {
        let found = self.brigades.get(usize::from(brigade));
        found.map_or(Side::First, |(_, side)| *side)
    }

    /// A hex.
    pub fn hex(&mut self, field: &str, label: &str) -> HexId {
        self.input.board.hex(label).unwrap_or_else(|wrong| {
            self.problem(field, wrong.to_string());
            HexId(0)
        })
    }

    /// Hexes.
    pub fn hexes(&mut self, field: &str, labels: &[String]) -> Vec<HexId> {
        labels.iter().map(|label| self.hex(field, label)).collect()
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &'a Board {
        self.input.board
    }

    /// The hexes of one of the board's areas; per hex, whether it is in it.
    pub fn extent(&mut self, field: &str, id: &str) -> Vec<bool> {
        let mut inside = vec![false; self.input.board.len()];
        let areas = self.input.board.areas();
        self.choose(field, "area", id, areas.iter().map(|area| area.id.as_str()));
        if let Some(area) = areas.iter().find(|area| area.id == id) {
            area.hexes.iter().for_each(|hex| inside[hex.index()] = true);
        }
        inside
    }

    /// Which hexes are played on: those of an area, or all.
    pub fn field(&mut self, area: Option<&str>) -> Vec<bool> {
        match area {
            Some(area) => self.extent("field", area),
            None => vec![true; self.input.board.len()],
        }
    }

    /// The hexes of an entry, that with the road first: an area of the board, or a hex.
    pub fn entry(&mut self, field: &str, id: &str) -> Vec<HexId> {
        let board = self.input.board;
        if let Some(area) = board.areas().iter().find(|area| area.id == id) {
            return area.hexes.clone();
        }
        if let Ok(hex) = board.hex(id) {
            return vec![hex];
        }
        let entries = board
            .areas()
            .iter()
            .filter(|area| area.kind == AreaKind::Entry);
        self.choose(field, "entry", id, entries.map(|area| area.id.as_str()));
        vec![]
    }

    /// A gate of a special rule: several entries to choose from.
    pub fn gate(&mut self, field: &str, side: Side, entries: &[String]) -> u16 {
        let gate = super::gates::extra(self, field, side, entries);
        self.gates.1.push(gate);
        (self.gates.0 + self.gates.1.len() - 1) as u16
    }

    /// Hexes within a distance of a hex or area.
    pub fn near(&mut self, field: &str, (id, apart): &(String, u8)) -> Vec<HexId> {
        let (centres, board) = (self.entry(field, id), self.input.board);
        let close = |hex: &HexId| {
            let mut centres = centres.iter();
            centres.any(|&centre| board.distance(centre, *hex) <= u32::from(*apart))
        };
        board.hexes().filter(close).collect()
    }

    /// Per hex: whether it lies west of a road, in a row of hexes that the road goes through.
    pub fn west_of(&mut self, field: &str, road: &str) -> Vec<bool> {
        let board = self.input.board;
        let on = |hex: &HexId| board.threads(*hex).any(|name| name == road);
        let hexes: Vec<HexId> = board.hexes().filter(on).collect();
        if hexes.is_empty() {
            self.problem(field, format!("no road \"{road}\" on the board"));
        }
        let west = |hex: HexId| {
            let (row, x) = (board.axial(hex).y, board.axial(hex).x);
            let here = hexes.iter().filter(|&&road| board.axial(road).y == row);
            here.map(|&road| board.axial(road).x)
                .min()
                .is_some_and(|road| x < road)
        };
        board.hexes().map(west).collect()
    }

    /// Hexes and those beside them.
    #[must_use]
    pub fn around(&self, hexes: &[HexId]) -> Vec<HexId> {
        let board = self.input.board;
        let beside = hexes
            .iter()
            .flat_map(|&hex| board.neighbours(hex).map(|(_, next)| next));
        hexes.iter().copied().chain(beside).collect()
    }

    /// Rectangles of hexes, each by two corners on one sheet; per hex, whether it is in one of them.
    pub fn area(&mut self, field: &str, corners: &[(String, String)]) -> Vec<bool> {
        let mut inside = vec![false; self.input.board.len()];
        for (a, b) in corners {
            let (Some(first), Some(last)) = (split(a), split(b)) else {
                self.problem(
                    field,
                    format!("\"{a}\" to \"{b}\" is no rectangle of hexes"),
                );
                continue;
            };
            if first.0 != last.0 {
                self.problem(field, format!("\"{a}\" and \"{b}\" lie on two sheets"));
                continue;
            }
            for hex in self.input.board.hexes() {
                let at = split(self.input.board.label(hex));
                inside[hex.index()] |= at.is_some_and(|(sheet, row, column)| {
                    sheet == first.0
                        && (first.1.min(last.1)..=first.1.max(last.1)).contains(&row)
                        && (first.2.min(last.2)..=first.2.max(last.2)).contains(&column)
                });
            }
        }
        inside
    }
}

/// Sheet, row and column of a label: `B3432`.
fn split(label: &str) -> Option<(char, u8, u8)> {
    let sheet = label.chars().next()?;
    let digits = label.get(1..)?;
    let row = digits.get(..2)?.parse().ok()?;
    let column = digits.get(2..)?.parse().ok()?;
    Some((sheet, row, column))
}
