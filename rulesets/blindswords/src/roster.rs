//! Counters, formations and chits as the files have them.

use crate::files::*;
use crate::load::{Loader, OPTIONS, side_of};
use crate::rules::*;
use crate::units::Units;
use cupola_army::{Army, Counters};
use cupola_ground::HexId;
use cupola_kernel::{Side, UnitId, UnitInfo};

/// Counters and formations as far as they are known.
#[derive(Default)]
pub struct Roster {
    pub infos: Vec<UnitInfo>,
    pub cards: Vec<Card>,
    pub starts: Vec<Start>,
    pub entries: Vec<Vec<HexId>>,
    pub brigades: Vec<Brigade>,
    pub divisions: Vec<Division>,
    pub corps: Vec<String>,
}
impl Loader<'_> {
    pub fn roster(
        &mut self,
        counters: &Counters<Values, LeaderValues>,
        setup: SetupName,
    ) -> Roster {
        let mut roster = Roster::default();
        if counters.counters.len() > 128 {
            self.wrong(
                "counters.ron",
                "counters",
                "this ruleset plays at most 128 counters",
            );
        }
        for (i, counter) in counters.counters.iter().enumerate() {
            let side = side_of(&counter.side);
            let face = face(&counter.values);
            let (entry, tutorial) = (face.entry, face.tutorial);
            let number = UnitId(i as u16);
            let corps = roster.corps(face.corps);
            let division = roster.division(face.division, side, corps, number);
            let guns = face.kind == Kind::Guns;
            let brigade = roster.brigade(face.brigade, side, division, corps, guns, number);
            roster.cards.push(Card {
                side,
                kind: face.kind,
                arm: face.arm,
                brigade,
                division,
                corps,
                sp: face.sp,
                cr: face.cr,
            });
            let field = format!("counters[{i}].values.entry");
            let arrives = match setup {
                SetupName::Main => Some(entry),
                SetupName::Tutorial => tutorial,
            };
            let (start, hexes) = arrives.map_or((Start::Out, vec![]), |a| self.start(&field, a));
            roster.starts.push(start);
            roster.entries.push(hexes);
            let parts = counter.parts.iter().map(|part| part.node.clone());
            let nodes: Vec<String> = counter.nodes.iter().cloned().chain(parts).collect();
            roster
                .infos
                .push(info(counter, side, nodes, self.input.army));
        }
        roster
    }

    fn start(&mut self, field: &str, arrives: &Arrives) -> (Start, Vec<HexId>) {
        let at = format!("{field}[0].at");
        let hexes: Vec<HexId> = arrives
            .at
            .iter()
            .map(|label| self.hex("counters.ron", &at, label))
            .collect();
        let start = match arrives.turn.as_str() {
            "start" => Start::Hex(hexes.first().copied().unwrap_or(HexId(0))),
            "optional" => {
                let group = arrives.group.as_deref().unwrap_or_default();
                let found = OPTIONS.iter().position(|(name, ..)| *name == group);
                if found.is_none() {
                    self.wrong(
                        "counters.ron",
                        field,
                        format!("no optional group \"{group}\""),
                    );
                }
                Start::Option(found.unwrap_or(0) as u8)
            }
            turn => match self.input.files.get("counters.ron") {
                Some(file) => Start::Due(self.turn(file, &format!("{field}[0].turn"), turn)),
                None => Start::Out,
            },
        };
        (start, hexes)
    }

    pub fn chits(
        &mut self,
        file: &ChitsFile,
        counters: &Counters<Values, LeaderValues>,
        roster: &Roster,
        scenario: &ScenarioFile,
        first: u16,
        tables: &Tables,
    ) -> (Vec<ChitCard>, Vec<String>, (u8, u8)) {
        let (mut list, mut tokens) = (vec![], vec![]);
        for event in &file.events {
            tokens.push(event.id.clone());
            list.push(ChitCard {
                name: event.name.clone(),
                side: Some(side_of(&event.side)),
                meaning: Meaning::Event(event.event),
                hold: event.hold,
                enters: Some(first),
                option: None,
            });
        }
        let from = list.len() as u8;
        for replacement in [false, true] {
            for (i, leader) in counters.leaders.iter().enumerate() {
                let values = &leader.values;
                let span = self.span(
                    i,
                    leader.commands.first().map_or("", String::as_str),
                    values,
                    roster,
                );
                let (turn, option) = self.enters(i, values, scenario.setup, first, &leader.id);
                let short = leader
                    .id
                    .strip_prefix(&format!("{}-", leader.side))
                    .unwrap_or(&leader.id);
                let rating = if replacement {
                    &values.replacement
                } else {
                    &values.rating
                };
                tokens.push(if replacement {
                    format!("replacement-{short}")
                } else {
                    short.to_owned()
                });
                list.push(ChitCard {
                    name: if replacement {
                        format!("Replacement for {}", leader.name)
                    } else {
                        leader.name.clone()
                    },
                    side: Some(side_of(&leader.side)),
                    meaning: Meaning::General {
                        span,
                        rating: rating.0 as i8,
                        replacement,
                    },
                    hold: false,
                    enters: if replacement { None } else { turn },
                    option: if replacement { None } else { option },
                });
            }
        }
        let neutral = |name: &str, meaning, enters| ChitCard {
            name: name.to_owned(),
            side: None,
            meaning,
            hold: false,
            enters,
            option: None,
        };
        list.push(neutral(&file.fog.0, Meaning::Fog, Some(first)));
        tokens.push("fog-of-war".to_owned());
        for i in 0..2u8 {
            let turn = tables
                .friction
                .0
                .get(usize::from(i))
                .filter(|_| scenario.friction);
            let turn = turn.map(|turn| self.table_turn("friction", turn));
            list.push(neutral(&file.friction.0, Meaning::Friction(i), turn));
            tokens.push(format!("friction-{}", i + 1));
        }
        (list, tokens, (from, counters.leaders.len() as u8))
    }

    fn span(&mut self, i: usize, commands: &str, values: &LeaderValues, roster: &Roster) -> Span {
        let field = format!("leaders[{i}].values");
        if values.level == SpanName::Division {
            let found = roster
                .divisions
                .iter()
                .position(|division| division.code == values.division);
            if found.is_none() {
                self.wrong(
                    "counters.ron",
                    &field,
                    format!("no counter of division \"{}\"", values.division),
                );
            }
            return Span::Division(found.unwrap_or(0) as u8);
        }
        // `us-xi` commands corps XI.
        let code = commands
            .rsplit('-')
            .next()
            .unwrap_or_default()
            .to_uppercase();
        let found = roster.corps.iter().position(|corps| *corps == code);
        if found.is_none() {
            self.wrong(
                "counters.ron",
                &field,
                format!("no counter of corps \"{code}\""),
            );
        }
        Span::Corps(found.unwrap_or(0) as u8)
    }

    fn enters(
        &mut self,
        i: usize,
        values: &LeaderValues,
        setup: SetupName,
        first: u16,
        id: &str,
    ) -> (Option<u16>, Option<u8>) {
        let turn = match setup {
            SetupName::Main => Some(&values.enters.0),
            SetupName::Tutorial => values.tutorial.as_ref().map(|turn| &turn.0),
        };
        match turn.map(String::as_str) {
            None => (None, None),
            Some("start") => (Some(first), None),
            Some("optional") => {
                let group = OPTIONS.iter().position(|(group, ..)| id.ends_with(group));
                (None, group.map(|group| group as u8))
            }
            Some(turn) => {
                let field = format!("leaders[{i}].values.enters");
                let file = self.input.files.get("counters.ron");
                (file.map(|file| self.turn(file, &field, turn)), None)
            }
        }
    }
}

pub fn units_where(cards: &[Card], keep: impl Fn(&Card) -> bool) -> Units {
    let found = cards.iter().enumerate().filter(|(_, card)| keep(card));
    found.map(|(i, _)| UnitId(i as u16)).collect()
}

/// The values of a counter, whatever its kind.
struct Face<'a> {
    kind: Kind,
    arm: Arm,
    brigade: &'a str,
    division: &'a str,
    corps: &'a str,
    sp: [i8; 2],
    cr: [i8; 2],
    entry: &'a Arrives,
    tutorial: Option<&'a Arrives>,
}

fn face(values: &Values) -> Face<'_> {
    match values {
        Values::Foot {
            brigade,
            division,
            corps,
            sp,
            cr,
            worn_sp,
            worn_cr,
            entry,
            tutorial,
            ..
        } => Face {
            kind: Kind::Foot,
            arm: Arm::Musket,
            brigade,
            division,
            corps,
            sp: [sp.0, worn_sp.0],
            cr: [cr.0, worn_cr.0],
            entry: &entry.0,
            tutorial: tutorial.as_ref().map(|t| &t.0),
        },
        Values::Horse {
            brigade,
            division,
            corps,
            mounted_sp,
            dismounted_sp,
            cr,
            entry,
            tutorial,
            ..
        } => Face {
            kind: Kind::Horse,
            arm: Arm::Musket,
            brigade,
            division,
            corps,
            sp: [mounted_sp.0, dismounted_sp.0],
            cr: [cr.0, cr.0],
            entry: &entry.0,
            tutorial: tutorial.as_ref().map(|t| &t.0),
        },
        Values::Guns {
            brigade,
            division,
            corps,
            sp,
            guns,
            cr,
            worn_sp,
            worn_cr,
            entry,
            tutorial,
            ..
        } => Face {
            kind: Kind::Guns,
            arm: match guns.0 {
                GunType::R => Arm::Rifled,
                GunType::S => Arm::Smooth,
                GunType::M => Arm::Mixed,
            },
            brigade,
            division,
            corps,
            sp: [sp.0, worn_sp.0],
            cr: [cr.0, worn_cr.0],
            entry: &entry.0,
            tutorial: tutorial.as_ref().map(|t| &t.0),
        },
    }
}

impl Roster {
    /// A division that answers to several corps (§F-4).
    pub fn share(&mut self, shared: &SharedFile) {
        for code in &shared.corps {
            let corps = self.corps.iter().position(|name| name == code);
            let mut divisions = self.divisions.iter_mut();
            let division = divisions.find(|division| division.code == shared.division);
            if let (Some(corps), Some(division)) = (corps, division) {
                division.shared |= 1 << corps;
            }
        }
    }

    /// Names of formations and orders, for choices.
    pub fn tokens(&self) -> Vec<String> {
        let brigades = self.brigades.iter();
        let brigades = brigades.map(|brigade| format!("brigade-{}", brigade.name));
        let divisions = self.divisions.iter();
        let divisions = divisions.map(|d| format!("division-{}", d.code.to_lowercase()));
        let orders = Order::ALL.iter().map(|order| order.name().to_owned());
        brigades.chain(divisions).chain(orders).collect()
    }

    /// The optional groups (§O).
    pub fn options(&self, points: &[i32; 4]) -> Vec<OptionalGroup> {
        let units = |group: usize| {
            let starts = self.starts.iter().enumerate();
            let own = starts.filter(|(_, start)| **start == Start::Option(group as u8));
            own.map(|(i, _)| UnitId(i as u16)).collect()
        };
        let groups = OPTIONS.iter().zip(points).enumerate();
        groups
            .map(|(i, (&(_, name, side), &points))| OptionalGroup {
                name,
                side,
                points,
                units: units(i),
            })
            .collect()
    }

    /// Levels that Vague Orders take from each corps: more from some.
    pub fn vague(&self, (some, more, less): &(Vec<String>, i8, i8)) -> Vec<i8> {
        let levels = |corps: &String| if some.contains(corps) { *more } else { *less };
        self.corps.iter().map(levels).collect()
    }

    fn corps(&mut self, name: &str) -> u8 {
        if name.is_empty() {
            return NOBODY;
        }
        let known = self.corps.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.corps.push(name.to_owned());
            self.corps.len() - 1
        }) as u8
    }

    fn division(&mut self, code: &str, side: Side, corps: u8, unit: UnitId) -> u8 {
        if code.is_empty() {
            return NOBODY;
        }
        let known = self.divisions.iter().position(|known| known.code == code);
        let at = known.unwrap_or_else(|| {
            let code = code.to_owned();
            self.divisions.push(Division {
                code,
                side,
                units: Units::NONE,
                corps,
                shared: 0,
            });
            self.divisions.len() - 1
        });
        self.divisions[at].units.add(unit);
        at as u8
    }

    fn brigade(
        &mut self,
        name: &str,
        side: Side,
        division: u8,
        corps: u8,
        guns: bool,
        unit: UnitId,
    ) -> u8 {
        let known = self.brigades.iter().position(|known| known.name == name);
        let at = known.unwrap_or_else(|| {
            let name = name.to_owned();
            self.brigades.push(Brigade {
                name,
                side,
                units: Units::NONE,
                division,
                corps,
                guns,
            });
            self.brigades.len() - 1
        });
        self.brigades[at].units.add(unit);
        at as u8
    }
}

fn info(
    counter: &cupola_army::Counter<Values>,
    side: Side,
    nodes: Vec<String>,
    army: &Army,
) -> UnitInfo {
    // Ids are short in orders and journals: the side's prefix adds nothing there.
    let short = counter
        .id
        .strip_prefix(&format!("{}-", counter.side))
        .unwrap_or(&counter.id);
    UnitInfo {
        id: short.to_owned(),
        name: counter.name.clone(),
        side,
        kind: counter.kind.to_string(),
        nodes,
        men: counter.men(army).rounded() as u32,
        guns: counter.guns(army).rounded() as u32,
    }
}
