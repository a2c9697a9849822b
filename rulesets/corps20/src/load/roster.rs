//! The counters of a game: units, leaders and markers, and when they come.

use super::files::{Arrives, Fatigue, LeaderValues, Values};
use crate::rules::{Card, Entry, Kind, Start};
use crate::state::Way;
use cupola_army::{Arm, Counter, Counters, Leader};
use cupola_kernel::{BySide, Side, UnitId, UnitInfo};
use cupola_kit::{Loader, unit_info};

/// The file that all of this is in.
const FILE: &str = "counters.ron";

/// The counters of a game.
pub(super) struct Roster {
    /// Units before leaders.
    pub units: Vec<UnitInfo>,
    pub unit_count: u16,
    pub cards: Vec<Card>,
    pub starts: Vec<(Start, u8)>,
    pub markers: [Option<u16>; 4],
    pub marker_names: [Option<String>; 4],
    pub guns: (i8, u16),
    /// The chief who is a marker: his id, and by how much he lengthens a range.
    pub chief: (String, i8),
    pub cadre: BySide<(i8, i8, u8)>,
}

impl Roster {
    fn add(&mut self, info: UnitInfo, card: Card, start: (Start, u8)) {
        self.units.push(info);
        self.cards.push(card);
        self.starts.push(start);
    }

    /// The units of each side; leaders are none.
    pub fn own(&self) -> BySide<Vec<UnitId>> {
        self.by_side(self.unit_count)
    }

    /// The units and leaders of each side.
    pub fn all(&self) -> BySide<Vec<UnitId>> {
        self.by_side(self.cards.len() as u16)
    }

    fn by_side(&self, count: u16) -> BySide<Vec<UnitId>> {
        BySide::from_fn(|side: Side| {
            let units = (0..count).map(UnitId);
            let ours = |unit: &UnitId| self.cards[usize::from(unit.0)].side == side;
            units.filter(ours).collect()
        })
    }
}

/// Reads the counters.
pub(super) fn read(
    loader: &mut Loader,
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
        marker_names: [const { None }; 4],
        guns: (0, 0),
        chief: ("chief".to_owned(), 0),
        cadre: BySide::default(),
    };
    let mut reader = Reader {
        loader,
        roster: &mut roster,
        entries,
        first,
    };
    for (i, counter) in counters.counters.iter().enumerate() {
        reader.counter(&format!("counters[{i}]"), counter);
    }
    reader.roster.unit_count = reader.roster.cards.len() as u16;
    for (i, leader) in counters.leaders.iter().enumerate() {
        reader.leader(&format!("leaders[{i}]"), leader);
    }
    // Markers are what a battle may have; a cadre is what any unit may become.
    let cadres = Side::BOTH.map(|side| roster.cadre[side]);
    if cadres.contains(&(0, 0, 0)) {
        loader.wrong(FILE, "counters", "no cadre (§8.2)");
    }
    roster
}

struct Reader<'r, 'a> {
    loader: &'r mut Loader<'a>,
    roster: &'r mut Roster,
    entries: &'r [Entry],
    first: u16,
}

impl Reader<'_, '_> {
    fn counter(&mut self, field: &str, counter: &Counter<Values>) {
        let side = self
            .loader
            .side(FILE, &format!("{field}.side"), &counter.side);
        match &counter.values {
            Values::Unit {
                strength,
                quality,
                ma,
                corps,
                entry,
            } => {
                if counter.kind == Arm::Cadre {
                    self.roster.cadre[side] = (strength.0, quality.0, ma.0);
                    return;
                }
                let card = Card {
                    kind: kind(counter.kind),
                    side,
                    strength: strength.0,
                    quality: quality.0,
                    movement: self.movement(field, ma.0),
                    corps: self.corps(field, corps.as_deref()),
                };
                let start = entry
                    .as_ref()
                    .map_or((Start::Out, 0), |arrives| self.start(field, &arrives.0));
                let info = unit_info(counter, side, self.loader.input.army);
                self.roster.add(info, card, start);
            }
            Values::Marker {
                corps,
                entry,
                bonus,
                rounds_away,
            } => {
                self.roster.guns = (bonus.0, rounds_away.0);
                let round = self.round(field, &entry.0.turn);
                self.first_side(field, side);
                if let Some(corps) = self.corps(field, Some(corps)) {
                    let marker = usize::from(corps) + 1;
                    self.roster.markers[marker] = Some(round);
                    self.roster.marker_names[marker] = Some(counter.name.clone());
                }
            }
        }
    }

    fn leader(&mut self, field: &str, leader: &Leader<LeaderValues>) {
        let values = &leader.values;
        let side = self
            .loader
            .side(FILE, &format!("{field}.side"), &leader.side);
        let prefix = format!("{}-", leader.side);
        let id = leader.id.strip_prefix(&prefix).unwrap_or(&leader.id);
        // A chief who does not move is a marker before the player, not a leader on the map (§9.2).
        let Some(ma) = &values.ma else {
            self.first_side(field, side);
            self.roster.chief = (id.to_owned(), values.range.0);
            self.roster.markers[0] = Some(self.round(field, &values.entry.0.turn));
            self.roster.marker_names[0] = Some(leader.name.clone());
            return;
        };
        let card = Card {
            kind: Kind::Leader,
            side,
            strength: 0,
            quality: values.range.0,
            movement: self.movement(field, ma.0),
            corps: self.corps(field, values.corps.as_deref()),
        };
        let start = self.start(field, &values.entry.0);
        let info = UnitInfo {
            id: id.to_owned(),
            name: leader.name.clone(),
            side,
            kind: "leader".to_owned(),
            nodes: vec![],
            men: 0,
            guns: 0,
        };
        self.roster.add(info, card, start);
    }

    /// An allowance that the search has room for.
    fn movement(&mut self, field: &str, ma: u8) -> u8 {
        if !(1..=24).contains(&ma) {
            let field = format!("{field}.values.ma[0]");
            let message = format!("an allowance of {ma}, expected 1 to 24");
            self.loader.wrong(FILE, &field, message);
        }
        ma.clamp(1, 24)
    }

    /// Markers lie before the player of the first side (§9.2, §9.3).
    fn first_side(&mut self, field: &str, side: Side) {
        if side != Side::First {
            let name = &self.loader.input.sides[0].id;
            let message = format!("only side \"{name}\" has markers (§9.2, §9.3)");
            self.loader.wrong(FILE, &format!("{field}.side"), message);
        }
    }

    /// A corps of the first side, 0 to 2.
    fn corps(&mut self, field: &str, corps: Option<&str>) -> Option<u8> {
        let known = ["1", "2", "3"];
        let field = format!("{field}.values.corps");
        let found = corps.map(|corps| self.loader.named(FILE, &field, ("corps", corps), known));
        found.map(|corps| corps as u8)
    }

    fn round(&mut self, field: &str, turn: &str) -> u16 {
        if turn == "start" {
            return self.first;
        }
        let field = format!("{field}.values.entry[0].turn");
        self.loader.turn(FILE, &field, turn)
    }

    fn start(&mut self, field: &str, arrives: &Arrives) -> (Start, u8) {
        let fatigue = match arrives.fatigue {
            Fatigue::Fresh => 0,
            Fatigue::Tired => 1,
            Fatigue::Weary => 2,
        };
        let place = format!("{field}.values.entry[0].at");
        if arrives.turn == "start" {
            return (
                Start::Hex(self.loader.hex(FILE, &place, &arrives.at)),
                fatigue,
            );
        }
        let round = self.round(field, &arrives.turn);
        let codes = self.entries.iter().map(|entry| entry.code.as_str());
        let entry = self
            .loader
            .named(FILE, &place, ("entry", &arrives.at), codes);
        (Start::Due(round, Way::Entry(entry as u8)), fatigue)
    }
}

fn kind(arm: Arm) -> Kind {
    match arm {
        Arm::Cavalry => Kind::Cavalry,
        Arm::Artillery | Arm::HorseArtillery => Kind::Artillery,
        _ => Kind::Infantry,
    }
}
