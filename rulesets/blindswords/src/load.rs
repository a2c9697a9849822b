//! From data files to [`Rules`].

use crate::files::*;
use crate::ground::{Chart, Ground, Prices};
use crate::roster::{Roster, units_where};
use crate::rules::*;
use crate::sight::Sight;
use crate::units::Units;
use cupola_army::Counters;
use cupola_cup::Chit;
use cupola_data::Problems;
use cupola_ground::HexId;
use cupola_kernel::{BySide, Input, Loaded, Side, UnitId, UnitInfo};
use cupola_kit::{Loader, Pin, SCENARIO};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// The tables of the player aids.
pub const TABLES: &str = "tables.ron";
const MAP: &str = "map.ron";

/// What belongs to the battle alone.
pub const AFFAIRS: &str = "affairs.ron";
/// How many optional groups a game remembers.
const GROUPS: usize = 4;

/// Watched hexes, places worth holding, and what wins outright.
type Prizes = (Vec<HexId>, Vec<Prize>, Option<BySide<(Vec<u8>, usize)>>);

/// The common loader, with what only this ruleset reads.
pub struct Reading<'a>(Loader<'a>);

impl<'a> Deref for Reading<'a> {
    type Target = Loader<'a>;
    fn deref(&self) -> &Loader<'a> {
        &self.0
    }
}

impl DerefMut for Reading<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

/// The files of a game.
struct Read {
    tables: Tables,
    affairs: AffairsFile,
    map: MapFile,
    chits: ChitsFile,
    scenario: ScenarioFile,
    counters: Counters<Values, LeaderValues>,
}

/// Reads everything.
pub fn load(input: &Input) -> Result<Loaded, Problems> {
    let mut loader = Loader::new(input);
    let tables = loader.read(TABLES);
    let affairs = loader.read(AFFAIRS);
    let map = loader.read(MAP);
    let chits = loader.read("chits.ron");
    let scenario = loader.read(SCENARIO);
    let counters = loader.counters("counters.ron");
    let (Some(tables), Some(affairs), Some(map), Some(chits), Some(scenario), Some(counters)) =
        (tables, affairs, map, chits, scenario, counters)
    else {
        return loader.give_up();
    };
    crate::ranges::check(&mut loader, &tables);
    if !loader.sound() {
        return loader.give_up();
    }
    let read = Read {
        tables,
        affairs,
        map,
        chits,
        scenario,
        counters,
    };
    Reading(loader).loaded(&read)
}

impl Reading<'_> {
    fn loaded(mut self, read: &Read) -> Result<Loaded, Problems> {
        let (affairs, scenario) = (&read.affairs, &read.scenario);
        let first = self.turn(SCENARIO, "first", &scenario.first);
        let last = self.turn(SCENARIO, "last", &scenario.last);
        let mut roster = self.roster(&read.counters, scenario.setup, &groups(affairs));
        if let Some(shared) = &affairs.shared_division {
            self.share(&mut roster, &shared.0);
        }
        let (chits, mut tokens, generals) = self.chits(
            &read.chits,
            &read.counters,
            &roster,
            scenario,
            first,
            affairs,
        );
        tokens.extend(roster.tokens());
        let units = roster.infos.clone();
        let deck = Deck {
            chits,
            generals,
            tokens: &tokens,
        };
        let rules = Arc::new(self.rules(read, roster, deck, first));
        self.0.finish(Loaded {
            units,
            tokens,
            first_turn: first,
            last_turn: last,
            rules,
        })
    }

    fn rules(&mut self, read: &Read, roster: Roster, deck: Deck, first: u16) -> Rules {
        let (input, tables, scenario) = (self.input, &read.tables, &read.scenario);
        let affairs = &read.affairs;
        let (watched, prizes, automatic) = self.prizes(&read.map);
        let units = |keep: &dyn Fn(&Card) -> bool| units_where(&roster.cards, keep);
        let main = scenario.setup == SetupName::Main;
        Rules {
            pin: Pin::default(),
            sides: BySide::from_fn(|side| units(&|card| card.side == side)),
            guns: units(&|card| card.kind == Kind::Guns),
            vague: roster.vague(affairs.vague.as_ref().map(|vague| &vague.0)),
            options: self.options(affairs, &roster),
            events: read.chits.events.len() as u8,
            generals: deck.generals,
            ground: self.ground(read),
            sight: Sight::new(input.board, 10),
            charts: self.charts(tables),
            fog: self.fog(affairs, &|name| deck.general(name)),
            shared_line: self.shared_line(affairs, &deck),
            first_casualties: self.first_casualties(affairs, scenario, &deck),
            option_from: affairs.optional.as_ref().map_or((u16::MAX, 0), |optional| {
                let from = self.turn(AFFAIRS, "optional.from[0]", &optional.from.0);
                (from, optional.needs.0)
            }),
            stand_in: self.stand_in(affairs, scenario),
            friction: self.friction(affairs, scenario),
            broken_lost: tables.broken_lost.0,
            points: (tables.points.strength.0, tables.points.brigade.0),
            picks: (scenario.events.chosen, scenario.events.random),
            guns_begin: self.side(SCENARIO, "guns_begin", &scenario.guns_begin),
            resting: self.resting(scenario, &roster.infos),
            first_turn: first,
            watch: watch(input.board.len(), &watched),
            watched,
            victory: self.victory(scenario, &prizes),
            automatic: automatic.filter(|_| main),
            prizes,
            switches: self.switches(main),
            entries: roster.entries,
            cards: roster.cards,
            starts: roster.starts,
            brigades: roster.brigades,
            divisions: roster.divisions,
            corps: roster.corps,
            chits: deck.chits,
        }
    }

    fn ground(&self, read: &Read) -> Ground {
        let chart = Chart {
            field: read.scenario.field.clone(),
            prices: Prices::new(&read.tables.costs, &read.tables.assault_shifts),
            unfinished: self.input.switch("unfinished_railroad"),
            ..Chart::default()
        };
        Ground::new(self.input.board, chart)
    }

    fn switches(&self, main: bool) -> Switches {
        let on = |name: &str| self.input.switch(name);
        Switches {
            entry_is_free: on("entry_is_free"),
            stacked_support: on("stacked_support"),
            events_engage: on("events_engage"),
            one_assault_per_hex: on("one_assault_per_hex"),
            close_fight_at_once: on("close_fight_at_once"),
            optional: on("optional_reinforcements") && main,
        }
    }

    fn prizes(&mut self, map: &MapFile) -> Prizes {
        let input = self.input;
        let both = (!map.automatic.is_empty())
            .then(|| self.by_side(MAP, "automatic", &map.automatic))
            .flatten();
        let mut watched: Vec<HexId> = vec![];
        let mut watch = |hex: HexId| {
            let known = watched.iter().position(|&known| known == hex);
            known.unwrap_or_else(|| {
                watched.push(hex);
                watched.len() - 1
            }) as u8
        };
        let mut prizes = vec![];
        for (i, prize) in map.victory.iter().enumerate() {
            let field = format!("victory[{i}].hexes");
            let hexes = prize
                .hexes
                .iter()
                .map(|label| watch(self.hex(MAP, &field, label)));
            let hexes: Vec<u8> = hexes.collect();
            let holder = prize.holder.as_ref();
            let holder = holder.map(|id| self.side(MAP, &format!("victory[{i}].holder"), id));
            prizes.push(Prize {
                name: prize.name.clone(),
                hexes,
                points: prize.points,
                holder: holder.unwrap_or(Side::First),
            });
        }
        let mut any = |key: &str, file: &AnyFile| {
            let hexes = file.hexes.iter();
            let hexes =
                hexes.map(|label| watch(self.hex(MAP, &format!("automatic.{key}.hexes"), label)));
            (hexes.collect(), file.any)
        };
        let ids = Side::BOTH.map(|side| input.sides[side as usize].id.as_str());
        let automatic = both.map(|both| BySide {
            first: any(ids[0], &both.first),
            second: any(ids[1], &both.second),
        });
        if watched.len() > 64 {
            self.wrong(MAP, "victory", "at most 64 hexes can be watched");
        }
        (watched, prizes, automatic)
    }

    fn victory(&mut self, scenario: &ScenarioFile, prizes: &[Prize]) -> Victory {
        let VictoryFile::Hexes(names) = &scenario.victory else {
            return Victory::Points;
        };
        let known = prizes.iter().map(|prize| prize.name.as_str());
        let found = names.iter().enumerate().map(|(i, name)| {
            let field = format!("victory[{i}]");
            self.named(SCENARIO, &field, ("place", name), known.clone())
        });
        Victory::Hexes(found.collect())
    }

    fn friction(&mut self, affairs: &AffairsFile, scenario: &ScenarioFile) -> Vec<u16> {
        let turns = affairs.friction.iter().flat_map(|turns| &turns.0);
        let turns = turns.filter(|_| scenario.friction);
        turns
            .map(|turn| self.turn(AFFAIRS, "friction", turn))
            .collect()
    }

    /// Who stands in for the commander that fell: the battle says who, the scenario when.
    fn stand_in(&mut self, affairs: &AffairsFile, scenario: &ScenarioFile) -> Option<StandIn> {
        let how = scenario.stand_in.as_ref()?;
        let Some(file) = &affairs.stand_in else {
            self.wrong(SCENARIO, "stand_in", "this battle has nobody who stands in");
            return None;
        };
        let comes = match how {
            StandInHow::Roll => Comes::Roll(self.turn(AFFAIRS, "stand_in.from[0]", &file.from.0)),
            StandInHow::From(turn) => Comes::From(self.turn(SCENARIO, "stand_in", turn)),
        };
        Some(StandIn {
            id: file.id.clone(),
            name: file.name.clone(),
            side: self.side(AFFAIRS, "stand_in.side", &file.side),
            comes,
            needs: file.needs.0,
        })
    }

    /// A general of the Fog of War by his chit.
    fn general(&mut self, field: &str, name: &str, deck: &Deck) -> Chit {
        deck.general(name).unwrap_or_else(|| {
            let known = deck.tokens.iter().map(String::as_str);
            self.unknown(AFFAIRS, field, ("general", name), known);
            Chit(0)
        })
    }

    fn shared_line(&mut self, affairs: &AffairsFile, deck: &Deck) -> Option<SharedLine> {
        let file = &affairs.shared_line.as_ref()?.0;
        let groups = groups(affairs);
        let with = file.with.iter().enumerate().map(|(i, id)| {
            let field = format!("shared_line[0].with[{i}]");
            let known = groups.iter().copied();
            self.named(AFFAIRS, &field, ("optional group", id), known) as u8
        });
        let with = with.collect();
        let mut find = |name: &String| self.general("shared_line[0].among", name, deck);
        let among = file.among.each_ref().map(&mut find);
        Some(SharedLine {
            general: find(&file.general),
            among,
            with,
        })
    }

    fn first_casualties(
        &mut self,
        affairs: &AffairsFile,
        scenario: &ScenarioFile,
        deck: &Deck,
    ) -> Option<BySide<Chit>> {
        let field = "first_casualties[0]";
        let Some(file) = &affairs.first_casualties else {
            if scenario.first_casualties {
                let message = "this battle does not say who falls first";
                self.wrong(SCENARIO, "first_casualties", message);
            }
            return None;
        };
        let names = self.by_side(AFFAIRS, field, &file.0)?;
        let chits = BySide::from_fn(|side| self.general(field, &names[side], deck));
        scenario.first_casualties.then_some(chits)
    }

    /// The optional groups (§O).
    fn options(&mut self, affairs: &AffairsFile, roster: &Roster) -> Vec<OptionalGroup> {
        let Some(file) = &affairs.optional else {
            return vec![];
        };
        if file.groups.len() > GROUPS {
            let message = format!("{} groups, at most {GROUPS}", file.groups.len());
            self.wrong(AFFAIRS, "optional.groups", message);
        }
        let ids = groups(affairs);
        let mut found = vec![];
        for (i, group) in file.groups.iter().enumerate().take(GROUPS) {
            let field = format!("optional.groups[{i}]");
            let mut number = |id: &String| {
                let known = ids.iter().copied();
                self.named(AFFAIRS, &field, ("optional group", id), known) as u8
            };
            let after = group.after.as_ref().map(&mut number);
            let seen: Vec<u8> = group.seen.iter().map(number).collect();
            let seen = seen.iter().map(|&group| roster.of_group(group));
            found.push(OptionalGroup {
                id: group.id.clone(),
                name: group.name.clone(),
                side: self.side(AFFAIRS, &format!("{field}.side"), &group.side),
                points: group.points.0,
                units: roster.of_group(i as u8),
                after,
                seen: seen.reduce(Units::or),
            });
        }
        found
    }

    fn resting(&mut self, scenario: &ScenarioFile, infos: &[UnitInfo]) -> Units {
        let known = infos.iter().map(|info| info.id.as_str());
        let units = scenario.resting.iter().enumerate().map(|(i, id)| {
            let field = format!("resting[{i}]");
            UnitId(self.named(SCENARIO, &field, ("unit", id), known.clone()) as u16)
        });
        units.collect()
    }
}

/// The chits, and the names by which choices know them.
struct Deck<'a> {
    chits: Vec<ChitCard>,
    generals: (u8, u8),
    tokens: &'a [String],
}

impl Deck<'_> {
    fn general(&self, name: &str) -> Option<Chit> {
        let found = self.tokens.iter().position(|token| token == name);
        found.map(|i| Chit(i as u8))
    }
}

/// The ids of the optional groups, by number.
fn groups(affairs: &AffairsFile) -> Vec<&str> {
    let groups = affairs
        .optional
        .iter()
        .flat_map(|optional| &optional.groups);
    groups.map(|group| group.id.as_str()).collect()
}

/// By hex: which of the watched it is.
fn watch(hexes: usize, watched: &[HexId]) -> Vec<u8> {
    let mut watch = vec![NOBODY; hexes];
    for (i, hex) in watched.iter().enumerate() {
        watch[hex.index()] = i as u8;
    }
    watch
}
