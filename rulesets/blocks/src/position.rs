//! A situation set up by hand: what a position file of the block game may say.
//!
//! Control is that of the beginning of the player turn (§6.6): it is worked out with everybody who attacks still
//! in the hex from which he comes, and then as the file has it.

use crate::chain;
use crate::field::{freeze_control, put, rules, show_guns};
use crate::rules::{Card, Kind, Level};
use crate::state::{Army, Attack, Chosen, Field, Melees, NEUTRAL, Roads, Score, boxes, flag};
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
    /// Whose a hex was when the player turn began: a side's id, or `neutral`.
    control: BTreeMap<String, String>,
    /// By which entry a division comes (§6.7): headquarters and entry.
    roads: BTreeMap<String, String>,
    /// The fallen commander whom Hancock replaces (§4.6).
    hancock_for: Option<String>,
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
    /// Took half a hit (§5.24).
    half_hit: bool,
    column: bool,
    /// On the turn track: the turn's id and the entry's code.
    due: Option<String>,
    by: Option<String>,
    /// Off the board: the hex that it left by (§2.4).
    left: Option<String>,
    /// In the cavalry box: the division against which, or in which, it fights (§10.0).
    battle: Option<String>,
}

impl UnitState {
    /// What it has done, as flags.
    fn flags(&self) -> u16 {
        let up = self.face_up || self.active || self.fired;
        [
            (up, flag::UP),
            (self.active, flag::ACTIVE),
            (self.fired, flag::FIRED),
            (self.half_hit, flag::HALF),
            (self.column, flag::COLUMN),
        ]
        .into_iter()
        .filter(|(on, _)| *on)
        .fold(0, |bits, (_, bit)| bits | bit)
    }
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

    fn wrong(&mut self, field: &str, message: impl Into<String>) {
        self.problems.push(self.problem(field, message.into()));
    }

    /// Finds a name among those that exist.
    fn find<'n>(
        &mut self,
        (field, what, name): (&str, &str, &str),
        known: impl Iterator<Item = &'n str> + Clone,
    ) -> Option<usize> {
        let found = known.clone().position(|known| known == name);
        if found.is_none() {
            let problem = self.problem(field, format!("no {what} \"{name}\""));
            self.problems.push(problem.with_nearest(name, known));
        }
        found
    }

    fn unit(&mut self, t: &Table, field: &str, id: &str) -> Option<UnitId> {
        let known = t.env().units.iter().map(|unit| unit.id.as_str());
        let found = self.find((field, "block", id), known)?;
        Some(UnitId(found as u16))
    }

    fn hex(&mut self, t: &Table, field: &str, label: &str) -> Option<HexId> {
        match t.board().hex(label) {
            Ok(hex) => Some(hex),
            Err(wrong) => {
                self.wrong(field, wrong.to_string());
                None
            }
        }
    }

    fn entry(&mut self, t: &Table, field: &str, code: &str) -> Option<u8> {
        let known = rules(t).entries.iter().map(|entry| entry.code.as_str());
        let found = self.find((field, "entry", code), known)?;
        Some(found as u8)
    }

    fn side(&mut self, t: &Table, field: &str, id: &str) -> Option<Side> {
        let sides = Side::BOTH.map(|side| t.env().sides[side].id.as_str());
        let found = self.find((field, "side", id), sides.into_iter())?;
        Some(Side::BOTH[found])
    }

    /// Puts one block as the file has it.
    fn set(&mut self, t: &mut Table, field: &str, unit: UnitId, state: &UnitState) {
        let card = *rules(t).card(unit);
        self.check(t, field, &card, state);
        let block = t.res_mut::<Army>().at(unit);
        block.steps = state.steps.unwrap_or(block.steps).min(card.max);
        block.flags = state.flags();
        if let Some(turn) = &state.due {
            self.due(t, field, unit, turn, state.by.as_deref());
        }
        if let Some(label) = &state.left {
            let field = format!("{field}.left");
            if let Some(hex) = self.hex(t, &field, label) {
                t.res_mut::<Army>().at(unit).left = hex.0;
                if !rules(t).rim[usize::from(hex.0)] {
                    self.wrong(&field, format!("{label} is not on the map's edge (§2.4)"));
                }
            }
        }
        if let Some(battle) = &state.battle {
            self.battle(t, &format!("{field}.battle"), unit, battle);
        }
        let Some(at) = &state.at else { return };
        if let Some(number) = boxes::NAMES.iter().position(|name| name == at) {
            put(t, unit, Place::Box(number as u8));
        } else if let Some(hex) = self.place(t, &format!("{field}.at"), at) {
            put(t, unit, Place::Hex(hex));
        }
    }

    /// A hex; a box would have been found before.
    fn place(&mut self, t: &Table, field: &str, at: &str) -> Option<HexId> {
        let found = t.board().hex(at).ok();
        if found.is_none() {
            let problem = self.problem(field, format!("no hex and no box \"{at}\""));
            let hexes = t.board().hexes().map(|hex| t.board().label(hex));
            let known = boxes::NAMES.into_iter().chain(hexes);
            self.problems.push(problem.with_nearest(at, known));
        }
        found
    }

    /// What no block can be.
    fn check(&mut self, t: &Table, field: &str, card: &Card, state: &UnitState) {
        let (hq, most) = (card.is_hq(), card.max);
        let on_map = state
            .at
            .as_ref()
            .is_some_and(|at| t.board().hex(at).is_ok());
        let boxed = |name: &str| state.at.as_deref() == Some(name);
        let steps = state.steps.unwrap_or(most);
        let column = rules(t).switches.column_and_line;
        let division = card.kind == Kind::Hq(Level::Division);
        let active = card.commands() && Some(card.side) == t.player_turn() && steps > 0;
        let wrong = [
            (steps > most, "steps", format!("{steps} steps; the block has {most} at most (§3.11)")),
            (steps == 0 && !hq && on_map, "steps", "only a headquarters stands at zero (§7.5)".into()),
            (state.due.is_some() && state.at.is_some(), "at", "is on the turn track by `due`: one of the two".into()),
            (state.by.is_some() && state.due.is_none(), "by", "comes when? `due` is missing".into()),
            (state.active && !active, "active", "commands nobody now: a division's, the artillery's or the cavalry's headquarters of the active side with a step (§4.3)".into()),
            (state.fired && hq, "fired", "a headquarters does not fire (§3.21)".into()),
            (state.column && !column, "column", "an optional rule: switch `column_and_line` (§6.0)".into()),
            (boxed("fallen") && !division, "at", "only headquarters of divisions are rebuilt (§4.61); `shattered`".into()),
            (state.left.is_some() && !boxed("off-board"), "left", "has left the map? then `at: \"off-board\"` (§2.4)".into()),
            (state.battle.is_some() && !boxed("cavalry"), "battle", "fights beside the map? then `at: \"cavalry\"` (§10.0)".into()),
        ];
        for (is, key, message) in wrong {
            if is {
                self.wrong(&format!("{field}.{key}"), message);
            }
        }
    }

    fn due(&mut self, t: &mut Table, field: &str, unit: UnitId, id: &str, by: Option<&str>) {
        let turns = t.env().track.turns.iter().map(|turn| turn.id.as_str());
        let turn = self.find((&format!("{field}.due"), "turn", id), turns);
        let way = self.entry(t, &format!("{field}.by"), by.unwrap_or_default());
        let block = t.res_mut::<Army>().at(unit);
        block.due = turn.unwrap_or(0) as u16;
        block.way = way.unwrap_or(0);
        put(t, unit, Place::Box(boxes::TRACK));
    }

    fn battle(&mut self, t: &mut Table, field: &str, unit: UnitId, hq: &str) {
        let battles = rules(t).cavalry.battles.iter();
        let known = battles.map(|battle| t.info(battle.hq).id.as_str());
        if let Some(way) = self.find((field, "division in a cavalry battle", hq), known) {
            t.res_mut::<Army>().at(unit).way = way as u8;
        }
    }

    /// Reads an attack and puts the block where it comes from.
    fn attack(&mut self, t: &mut Table, i: usize, state: &AttackState) -> Option<Attack> {
        let field = format!("state.attacks[{i}]");
        let unit = self.unit(t, &format!("{field}.unit"), &state.unit);
        let hex = self.hex(t, &format!("{field}.hex"), &state.hex);
        let from = match &state.from {
            Some(label) => Some(self.hex(t, &format!("{field}.from"), label)?),
            None => None,
        };
        let (unit, hex) = (unit?, hex?);
        let before = from.map_or(Place::Box(boxes::TRACK), Place::Hex);
        put(t, unit, before);
        Some(Attack {
            unit,
            hex,
            from,
            unsupported: state.unsupported,
        })
    }

    /// An attack that could not have been made (§7.1).
    fn check_attack(&mut self, t: &Table, i: usize, attack: &Attack) {
        let (rules, card) = (rules(t), rules(t).card(attack.unit));
        let side = card.side;
        let enemies = t.res::<Field>().count[side.other() as usize][usize::from(attack.hex.0)];
        let beside = attack
            .from
            .is_none_or(|from| rules.direction(from, attack.hex).is_some());
        let others = &t.res::<Melees>().attacks;
        let there = || others.iter().filter(|other| other.hex == attack.hex);
        let same = attack.from.is_some() && there().any(|other| other.from == attack.from);
        let limit = usize::from(rules.limit[usize::from(attack.hex.0)]);
        let alone = there().any(|other| other.unsupported || attack.unsupported);
        let wrong = [
            (
                Some(side) != t.player_turn(),
                "unit",
                "is not of the active side",
            ),
            (
                !card.may_attack(),
                "unit",
                "guns and headquarters do not attack (§7.4, §7.5)",
            ),
            (enemies == 0, "hex", "holds no enemy"),
            (
                !beside,
                "from",
                "is not beside the hex that is attacked (§7.1)",
            ),
            (same, "from", "one block attacks through a hexside (§7.1)"),
            (
                there().count() >= limit,
                "hex",
                "no more attackers fit (§6.2)",
            ),
            (
                alone,
                "unsupported",
                "an unsupported attack is made by one block (§7.8)",
            ),
        ];
        for (is, key, message) in wrong {
            if is {
                self.wrong(&format!("state.attacks[{i}].{key}"), message);
            }
        }
    }

    /// Whose hexes were when the player turn began.
    fn control(&mut self, t: &mut Table, control: &BTreeMap<String, String>) {
        for (label, holder) in control {
            let field = format!("state.control.{label}");
            let sides = Side::BOTH.map(|side| t.env().sides[side].id.as_str());
            let known = sides.into_iter().chain(["neutral"]);
            let holder = self.find((&field, "side", holder), known);
            if let (Some(hex), Some(holder)) = (self.hex(t, &field, label), holder) {
                // A side's number, or that of nobody.
                t.res_mut::<Field>().control[usize::from(hex.0)] = (holder as u8).min(NEUTRAL);
            }
        }
    }

    /// Blocks lost, by side.
    fn lost(&mut self, t: &mut Table, lost: &BTreeMap<String, u8>) {
        for (id, &count) in lost {
            let field = format!("state.lost.{id}");
            let Some(side) = self.side(t, &field, id) else {
                continue;
            };
            let most = rules(t).own[side].len();
            if usize::from(count) > most {
                self.wrong(&field, format!("{count} blocks lost of {most}"));
            }
            t.res_mut::<Score>().lost[side] = count;
        }
    }

    /// Roads of divisions, and Hancock.
    fn marches(&mut self, t: &mut Table, state: &State) {
        for (hq, code) in &state.roads {
            let field = format!("state.roads.{hq}");
            let (unit, way) = (self.unit(t, &field, hq), self.entry(t, &field, code));
            if let (Some(unit), Some(way)) = (unit, way) {
                t.res_mut::<Roads>().0.push((unit, way));
            }
        }
        if let Some(chief) = &state.hancock_for {
            let unit = self.unit(t, "state.hancock_for", chief);
            if unit.is_some_and(|unit| !rules(t).seniority[Side::Second].contains(&unit)) {
                self.wrong(
                    "state.hancock_for",
                    "is no corps commander of the Union (§4.6)",
                );
            }
            let score = t.res_mut::<Score>();
            score.hancock = 1;
            score.hancock_for = unit;
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
    *t.res_mut::<Chosen>() = Chosen::default();
    if state.clear {
        for unit in t.units() {
            put(t, unit, Place::Box(boxes::OUT));
            t.res_mut::<Army>().at(unit).flags = 0;
        }
    }
    for (id, unit) in &state.units {
        let field = format!("state.units.{id}");
        if let Some(number) = reader.unit(t, &field, id) {
            reader.set(t, &field, number, unit);
        }
    }
    reader.lost(t, &state.lost);
    reader.marches(t, &state);
    let attacks: Vec<Option<Attack>> = (state.attacks.iter().enumerate())
        .map(|(i, attack)| reader.attack(t, i, attack))
        .collect();
    check_stacks(t, &mut reader, state.first_hour);
    freeze_control(t);
    reader.control(t, &state.control);
    for (i, attack) in attacks.into_iter().enumerate() {
        let Some(attack) = attack else { continue };
        reader.check_attack(t, i, &attack);
        put(t, attack.unit, Place::Hex(attack.hex));
        t.res_mut::<Melees>().attacks.push(attack);
    }
    t.res_mut::<Score>().begun = !state.first_hour;
    show_guns(t);
    chain::mark_commanded(t);
    reader.problems.check(())
}

/// §6.2 No hex holds too many blocks, but before the first hour (§9.2), or blocks of both sides.
fn check_stacks(t: &Table, reader: &mut Reader, first_hour: bool) {
    let (field, rules) = (t.res::<Field>(), rules(t));
    for hex in 0..rules.limit.len() {
        let [first, second] = Side::BOTH.map(|side| field.count[side as usize][hex]);
        let (label, limit) = (t.board().label(HexId(hex as u16)), rules.limit[hex]);
        let message = if first > 0 && second > 0 {
            format!("{label} holds blocks of both sides; an attack goes under `attacks`")
        } else if first.max(second) > limit && !first_hour {
            let held = first.max(second);
            format!("{label} holds {held} blocks, and {limit} at most (§6.2)")
        } else {
            continue;
        };
        reader.wrong("state", message);
    }
}
