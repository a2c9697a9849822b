//! The counters of a game: units, leaders and markers, and when they come.

use super::files::{Arrives, Fatigue, LeaderValues, Values};
use super::{Loader, side_of};
use crate::rules::{Card, Entry, Kind, Start};
use crate::state::Way;
use cupola_army::{Arm, Army, Counters};
use cupola_kernel::{BySide, Side, UnitId, UnitInfo};

/// The counters of a game.
pub(super) struct Roster {
    /// Units before leaders.
    pub units: Vec<UnitInfo>,
    pub unit_count: u16,
    pub cards: Vec<Card>,
    pub starts: Vec<(Start, u8)>,
    pub markers: [Option<u16>; 4],
    pub guns: (i8, u16),
    pub lee: i8,
    pub cadre: (i8, i8, u8),
}

impl Roster {
    fn add(&mut self, info: UnitInfo, card: Card, start: (Start, u8)) {
        self.units.push(info);
        self.cards.push(card);
        self.starts.push(start);
    }

    /// The units of each side; leaders are none.
    pub fn own(&self) -> BySide<Vec<UnitId>> {
        BySide::from_fn(|side: Side| {
            let units = (0..self.unit_count).map(UnitId);
            let ours = |unit: &UnitId| self.cards[usize::from(unit.0)].side == side;
            units.filter(ours).collect()
        })
    }
}

impl Loader<'_> {
    pub(super) fn roster(
        &mut self,
        counters: &Counters<Values, LeaderValues>,
        entries: &[Entry],
        first: u16,
    ) -> Roster {
        let mut roster = Roster {
            units: vec![],
            unit_count: 0,
            cards: vec![],
            starts: vec![],
            markers: [None; 4],
            guns: (0, 0),
            lee: 0,
            cadre: (0, 0, 0),
        };
        self.units(&mut roster, counters, entries, first);
        roster.unit_count = roster.cards.len() as u16;
        self.leaders(&mut roster, counters, entries, first);
        let missing = [
            (roster.cadre == (0, 0, 0), "counters", "no cadre (§8.2)"),
            (
                roster.guns == (0, 0),
                "counters",
                "no corps artillery (§9.3)",
            ),
            (roster.lee == 0, "leaders", "no marker for Lee (§9.2)"),
        ];
        let file = self.input.files.get("counters.ron");
        for (_, field, what) in missing.into_iter().filter(|(missing, ..)| *missing) {
            let problem = file.map(|file| file.problem(field, what));
            problem
                .into_iter()
                .for_each(|problem| self.problems.push(problem));
        }
        roster
    }

    fn units(
        &mut self,
        roster: &mut Roster,
        counters: &Counters<Values, LeaderValues>,
        entries: &[Entry],
        first: u16,
    ) {
        for (i, counter) in counters.counters.iter().enumerate() {
            let field = format!("counters[{i}].values.entry");
            match &counter.values {
                Values::Unit {
                    strength,
                    quality,
                    ma,
                    corps,
                    entry,
                } => {
                    if counter.kind == Arm::Cadre {
                        roster.cadre = (strength.0, quality.0, ma.0);
                        continue;
                    }
                    let card = Card {
                        kind: kind(counter.kind),
                        side: side_of(&counter.side),
                        strength: strength.0,
                        quality: quality.0,
                        movement: ma.0,
                        corps: corps.as_deref().and_then(corps_number),
                    };
                    let start = entry.as_ref().map_or((Start::Out, 0), |arrives| {
                        self.start(&field, &arrives.0, entries, first)
                    });
                    let (id, names) = (&counter.id, (&*counter.name, &*counter.kind.to_string()));
                    let info = info(id, names, &counter.side, &counter.nodes, self.input.army);
                    roster.add(info, card, start);
                }
                Values::Marker {
                    corps,
                    entry,
                    bonus,
                    rounds_away,
                } => {
                    roster.guns = (bonus.0, rounds_away.0);
                    if let Some(corps) = corps_number(corps) {
                        roster.markers[usize::from(corps) + 1] =
                            Some(self.round(&field, &entry.0.turn, first));
                    }
                }
            }
        }
    }

    fn leaders(
        &mut self,
        roster: &mut Roster,
        counters: &Counters<Values, LeaderValues>,
        entries: &[Entry],
        first: u16,
    ) {
        for (i, leader) in counters.leaders.iter().enumerate() {
            let field = format!("leaders[{i}].values.entry");
            let values = &leader.values;
            // Lee is a marker before the player, not a leader on the map (§9.2).
            let Some(ma) = &values.ma else {
                roster.lee = values.range.0;
                roster.markers[0] = Some(self.round(&field, &values.entry.0.turn, first));
                continue;
            };
            let card = Card {
                kind: Kind::Leader,
                side: side_of(&leader.side),
                strength: 0,
                quality: values.range.0,
                movement: ma.0,
                corps: values.corps.as_deref().and_then(corps_number),
            };
            let start = self.start(&field, &values.entry.0, entries, first);
            let names = (&*leader.name, "leader");
            let info = info(&leader.id, names, &leader.side, &[], self.input.army);
            roster.add(info, card, start);
        }
    }

    fn round(&mut self, field: &str, turn: &str, first: u16) -> u16 {
        if turn == "start" {
            return first;
        }
        match self.input.files.get("counters.ron") {
            Some(file) => self.turn(file, &format!("{field}[0].turn"), turn),
            None => first,
        }
    }

    fn start(
        &mut self,
        field: &str,
        arrives: &Arrives,
        entries: &[Entry],
        first: u16,
    ) -> (Start, u8) {
        let fatigue = match arrives.fatigue {
            Fatigue::Fresh => 0,
            Fatigue::Tired => 1,
            Fatigue::Weary => 2,
        };
        if arrives.turn == "start" {
            return (
                Start::Hex(self.hex("counters.ron", &format!("{field}[0].at"), &arrives.at)),
                fatigue,
            );
        }
        let round = self.round(field, &arrives.turn, first);
        let entry = entries.iter().position(|entry| entry.code == arrives.at);
        if entry.is_none()
            && let Some(file) = self.input.files.get("counters.ron")
        {
            let problem = file.problem(
                &format!("{field}[0].at"),
                format!("no entry \"{}\" on the map", arrives.at),
            );
            self.problems.push(
                problem.with_nearest(&arrives.at, entries.iter().map(|entry| entry.code.as_str())),
            );
        }
        (
            Start::Due(round, Way::Entry(entry.unwrap_or(0) as u8)),
            fatigue,
        )
    }
}

fn kind(arm: Arm) -> Kind {
    match arm {
        Arm::Cavalry => Kind::Cavalry,
        Arm::Artillery | Arm::HorseArtillery => Kind::Artillery,
        _ => Kind::Infantry,
    }
}

fn corps_number(text: &str) -> Option<u8> {
    text.parse::<u8>()
        .ok()?
        .checked_sub(1)
        .filter(|corps| *corps < 3)
}

fn info(
    id: &str,
    (name, kind): (&str, &str),
    side: &str,
    nodes: &[String],
    army: &Army,
) -> UnitInfo {
    let ids = || nodes.iter().filter_map(|node| army.get(node));
    // Ids are short in orders and journals: the side's prefix adds nothing there.
    let short = id.strip_prefix(&format!("{side}-")).unwrap_or(id);
    UnitInfo {
        id: short.to_owned(),
        name: name.to_owned(),
        side: side_of(side),
        kind: kind.to_owned(),
        nodes: nodes.to_vec(),
        men: ids().map(|node| army.men(node)).sum(),
        guns: ids().map(|node| army.guns(node).total()).sum(),
    }
}
