//! A situation set up by hand: what a position file of the block game may say.
//!
//! Control is that of the beginning of the player turn (§6.6): it is worked out with everybody who attacks still
//! in the hex from which he comes, and then as the file has it.

use crate::chain;
use crate::field::{freeze_control, put, rules, show_guns};
use crate::rules::{Card, Kind, Level};
use crate::state::{Attack, Block, Chosen, Hexes, Melees, NEUTRAL, Roads, Score, boxes, flag};
use cupola_data::Problems;
use cupola_kernel::{HexId, Place, PositionFile, Side, Table, UnitId};
use cupola_kit::PositionReader;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

/// The state of a position.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct State {
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
    /// The fallen commander for whom somebody was sent (§4.6).
    sent_for: Option<String>,
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

/// The common reader, with what only the block game has.
struct Reader<'a>(PositionReader<'a>);

impl<'a> Deref for Reader<'a> {
    type Target = PositionReader<'a>;

    fn deref(&self) -> &PositionReader<'a> {
        &self.0
    }
}

impl<'a> DerefMut for Reader<'a> {
    fn deref_mut(&mut self) -> &mut PositionReader<'a> {
        &mut self.0
    }
}

impl Reader<'_> {
    fn entry(&mut self, t: &Table, field: &str, code: &str) -> Option<u8> {
        let known = rules(t).entries.iter().map(|entry| entry.code.as_str());
        self.named(field, ("entry", code), known)
            .map(|entry| entry as u8)
    }

    /// Puts one block as the file has it.
    fn set(&mut self, t: &mut Table, field: &str, unit: UnitId, state: &UnitState) {
        let card = *rules(t).card(unit);
        self.check(t, field, &card, state);
        let block = t.get_mut::<Block>(unit);
        block.steps = state.steps.unwrap_or(block.steps).min(card.max);
        block.flags = state.flags();
        if let Some(turn) = &state.due {
            self.due(t, field, unit, turn, state.by.as_deref());
        }
        if let Some(label) = &state.left {
            let field = format!("{field}.left");
            if let Some(hex) = self.hex(t, &field, label) {
                t.get_mut::<Block>(unit).left = hex.0;
                if !rules(t).rim[usize::from(hex.0)] {
                    self.wrong(&field, format!("{label} is not on the map's edge (§2.4)"));
                }
            }
        }
        if let Some(battle) = &state.battle {
            self.battle(t, &format!("{field}.battle"), unit, battle);
        }
        if let Some(at) = &state.at
            && let Some(place) = self.place(t, &format!("{field}.at"), at, &boxes::NAMES)
        {
            put(t, unit, place);
        }
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
        let turn = self.turn(t, &format!("{field}.due"), id);
        let way = self.entry(t, &format!("{field}.by"), by.unwrap_or_default());
        let block = t.get_mut::<Block>(unit);
        block.due = turn.unwrap_or(0);
        block.way = way.unwrap_or(0);
        put(t, unit, Place::Box(boxes::TRACK));
    }

    fn battle(&mut self, t: &mut Table, field: &str, unit: UnitId, hq: &str) {
        let battles = rules(t).cavalry.battles.iter();
        let known = battles.map(|battle| t.info(battle.hq).id.as_str());
        if let Some(way) = self.named(field, ("division in a cavalry battle", hq), known) {
            t.get_mut::<Block>(unit).way = way as u8;
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
        let enemies = t.res::<Hexes>().count[side.other() as usize][usize::from(attack.hex.0)];
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
            let holder = self.named(&field, ("side", holder), known);
            if let (Some(hex), Some(holder)) = (self.hex(t, &field, label), holder) {
                // A side's number, or that of nobody.
                t.res_mut::<Hexes>().control[usize::from(hex.0)] = (holder as u8).min(NEUTRAL);
            }
        }
    }

    /// Blocks lost, by side.
    fn lost(&mut self, t: &mut Table, lost: &BTreeMap<String, u8>) {
        for (field, side, &count) in self.by_side(t, "state.lost", lost) {
            self.within(&field, usize::from(count), 0..=rules(t).own[side].len());
            t.res_mut::<Score>().lost[side] = count;
        }
    }

    /// Roads of divisions, and who was sent.
    fn marches(&mut self, t: &mut Table, state: &State) {
        for (hq, code) in &state.roads {
            let field = format!("state.roads.{hq}");
            let (unit, way) = (self.unit(t, &field, hq), self.entry(t, &field, code));
            if let (Some(unit), Some(way)) = (unit, way) {
                t.res_mut::<Roads>().0.push((unit, way));
            }
        }
        if let Some(chief) = &state.sent_for {
            let unit = self.unit(t, "state.sent_for", chief);
            if unit.is_some_and(|unit| !rules(t).seniority[Side::Second].contains(&unit)) {
                self.wrong(
                    "state.sent_for",
                    "is no corps commander of the Union (§4.6)",
                );
            }
            let score = t.res_mut::<Score>();
            score.sent = 1;
            score.sent_for = unit;
        }
    }
}

/// Reads a position's state and puts it on the table.
pub fn apply(t: &mut Table, file: &PositionFile) -> Result<(), Problems> {
    let (reader, state) = PositionReader::read::<State>(file)?;
    let mut reader = Reader(reader);
    *t.res_mut::<Chosen>() = Chosen::default();
    if state.clear {
        for unit in t.units() {
            put(t, unit, Place::Box(boxes::OUT));
            t.get_mut::<Block>(unit).flags = 0;
        }
    }
    for (field, unit, state) in reader.units(t, &state.units) {
        reader.set(t, &field, unit, state);
    }
    reader.lost(t, &state.lost);
    reader.marches(t, &state);
    let attacks: Vec<Option<Attack>> = (state.attacks.iter().enumerate())
        .map(|(i, attack)| reader.attack(t, i, attack))
        .collect();
    reader.no_shared_hexes(t);
    freeze_control(t);
    reader.control(t, &state.control);
    for (i, attack) in attacks.into_iter().enumerate() {
        let Some(attack) = attack else { continue };
        reader.check_attack(t, i, &attack);
        put(t, attack.unit, Place::Hex(attack.hex));
        t.res_mut::<Melees>().attacks.push(attack);
    }
    // Others may have filled the hex from which somebody attacks.
    check_stacks(t, &mut reader, state.first_hour);
    t.res_mut::<Score>().begun = !state.first_hour;
    show_guns(t);
    chain::mark_commanded(t);
    reader.0.finish()
}

/// §6.2 No hex holds too many blocks, but before the first hour (§9.2).
fn check_stacks(t: &Table, reader: &mut Reader, first_hour: bool) {
    let (field, rules) = (t.res::<Hexes>(), rules(t));
    for hex in (0..rules.limit.len()).filter(|_| !first_hour) {
        let held = Side::BOTH.map(|side| field.count[side as usize][hex]);
        let (held, limit) = (held[0].max(held[1]), rules.limit[hex]);
        if held > limit {
            let label = t.board().label(HexId(hex as u16));
            let message = format!("{label} holds {held} blocks, and {limit} at most (§6.2)");
            reader.wrong("state", message);
        }
    }
}
