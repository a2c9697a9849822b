//! A situation set up by hand: what a position file of the block game may say.

use crate::chain;
use crate::field::{freeze_control, put, rules, show_guns};
use crate::state::{Army, Attack, Field, Melees, Score, boxes, flag};
use cupola_data::{Problem, Problems};
use cupola_kernel::{HexId, Place, PositionFile, Side, Table, UnitId};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The state of a position.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct State {
    /// Take every block off the map first.
    clear: bool,
    /// Blocks by id.
    units: BTreeMap<String, UnitState>,
    /// Blocks lost, by side.
    lost: BTreeMap<String, u8>,
    /// Attacks into melee.
    attacks: Vec<AttackState>,
    /// The first hour is still to come: its initiative is not rolled for.
    first_hour: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct UnitState {
    /// A hex or a box.
    at: Option<String>,
    steps: Option<u8>,
    face_up: bool,
    /// Activated for command.
    active: bool,
    fired: bool,
    column: bool,
    /// On the turn track: the turn's id and the entry's code.
    due: Option<String>,
    by: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AttackState {
    unit: String,
    /// From where; left out for blocks that come onto the map.
    #[serde(default)]
    from: Option<String>,
    hex: String,
    #[serde(default)]
    unsupported: bool,
}

/// Reads a position with every mistake.
struct Reader<'a> {
    file: &'a PositionFile,
    problems: Problems,
}

impl Reader<'_> {
    fn problem(&self, field: &str, message: String) -> Problem {
        self.file.source.problem(&self.file.field(field), message)
    }

    fn unit(&mut self, t: &Table, field: &str, id: &str) -> Option<UnitId> {
        let found = t.env().unit(id);
        if found.is_none() {
            let problem = self.problem(field, format!("no block \"{id}\""));
            let known = t.env().units.iter().map(|unit| unit.id.as_str());
            self.problems.push(problem.with_nearest(id, known));
        }
        found
    }

    fn hex(&mut self, t: &Table, field: &str, label: &str) -> Option<HexId> {
        match t.board().hex(label) {
            Ok(hex) => Some(hex),
            Err(wrong) => {
                self.problems.push(self.problem(field, wrong.to_string()));
                None
            }
        }
    }

    fn set(&mut self, t: &mut Table, field: &str, unit: UnitId, state: &UnitState) {
        let most = rules(t).card(unit).max;
        if let Some(steps) = state.steps {
            if steps > most {
                let message = format!("{steps} steps; the block has {most}");
                self.problems
                    .push(self.problem(&format!("{field}.steps"), message));
            }
            t.res_mut::<Army>().at(unit).steps = steps;
        }
        let flags = [
            (state.face_up || state.active || state.fired, flag::UP),
            (state.active, flag::ACTIVE),
            (state.fired, flag::FIRED),
            (state.column, flag::COLUMN),
        ];
        let bits = flags
            .iter()
            .filter(|(on, _)| *on)
            .fold(0, |bits, (_, bit)| bits | bit);
        t.res_mut::<Army>().at(unit).flags = bits;
        if let Some(turn) = &state.due {
            self.due(t, field, unit, turn, state.by.as_deref());
        }
        let Some(at) = &state.at else { return };
        if let Some(number) = boxes::NAMES.iter().position(|name| name == at) {
            put(t, unit, Place::Box(number as u8));
        } else if let Some(hex) = self.hex(t, &format!("{field}.at"), at) {
            put(t, unit, Place::Hex(hex));
        }
    }

    fn due(&mut self, t: &mut Table, field: &str, unit: UnitId, id: &str, by: Option<&str>) {
        let turns = &t.env().track.turns;
        let turn = turns.iter().position(|turn| turn.id == id);
        if turn.is_none() {
            let problem = self.problem(&format!("{field}.due"), format!("no turn \"{id}\""));
            let known = turns.iter().map(|turn| turn.id.as_str());
            self.problems.push(problem.with_nearest(id, known));
        }
        let entries = &rules(t).entries;
        let code = by.unwrap_or_default();
        let way = entries.iter().position(|entry| entry.code == code);
        if way.is_none() {
            let problem = self.problem(&format!("{field}.by"), format!("no entry \"{code}\""));
            let known = entries.iter().map(|entry| entry.code.as_str());
            self.problems.push(problem.with_nearest(code, known));
        }
        let block = t.res_mut::<Army>().at(unit);
        block.due = turn.unwrap_or(0) as u16;
        block.way = way.unwrap_or(0) as u8;
        put(t, unit, Place::Box(boxes::TRACK));
    }

    fn attack(&mut self, t: &mut Table, i: usize, state: &AttackState) {
        let field = format!("state.attacks[{i}]");
        let unit = self.unit(t, &format!("{field}.unit"), &state.unit);
        let hex = self.hex(t, &format!("{field}.hex"), &state.hex);
        let from = match &state.from {
            Some(label) => match self.hex(t, &format!("{field}.from"), label) {
                Some(hex) => Some(hex),
                None => return,
            },
            None => None,
        };
        if let (Some(unit), Some(hex)) = (unit, hex) {
            put(t, unit, Place::Hex(hex));
            t.res_mut::<Melees>().attacks.push(Attack {
                unit,
                hex,
                from,
                unsupported: state.unsupported,
            });
        }
    }
}

/// Reads a position's state and puts it on the table.
pub fn apply(t: &mut Table, file: &PositionFile) -> Result<(), Problems> {
    let state: State = file.read::<State>()?.state.unwrap_or_default();
    let mut reader = Reader {
        file,
        problems: Problems::default(),
    };
    if state.clear {
        for unit in t.units() {
            put(t, unit, Place::Box(boxes::OUT));
        }
    }
    for (id, unit) in &state.units {
        let field = format!("state.units.{id}");
        if let Some(number) = reader.unit(t, &field, id) {
            reader.set(t, &field, number, unit);
        }
    }
    for (id, &count) in &state.lost {
        match t.env().side(id) {
            Some(side) => t.res_mut::<Score>().lost[side] = count,
            None => {
                let field = format!("state.lost.{id}");
                reader
                    .problems
                    .push(reader.problem(&field, format!("no side \"{id}\"")));
            }
        }
    }
    check_stacks(t, &mut reader);
    freeze_control(t);
    show_guns(t);
    for (i, attack) in state.attacks.iter().enumerate() {
        reader.attack(t, i, attack);
    }
    chain::mark_commanded(t);
    t.res_mut::<Score>().begun = !state.first_hour;
    reader.problems.check(())
}

/// §6.2 No hex holds too many blocks, or blocks of both sides.
fn check_stacks(t: &Table, reader: &mut Reader) {
    let (field, rules) = (t.res::<Field>(), rules(t));
    for hex in 0..rules.limit.len() {
        let [first, second] = Side::BOTH.map(|side| field.count[side as usize][hex]);
        let label = t.board().label(HexId(hex as u16));
        let message = if first > 0 && second > 0 {
            format!("{label} holds blocks of both sides; an attack goes under `attacks`")
        } else if first.max(second) > rules.limit[hex] {
            format!("{label} holds {} blocks (§6.2)", first.max(second))
        } else {
            continue;
        };
        reader.problems.push(reader.problem("state", message));
    }
}
