//! Counters, formations and chits as the files have them.

use crate::files::*;
use crate::load::{AFFAIRS, Reading};
use crate::rules::*;
use crate::units::Units;
use cupola_army::Counters;
use cupola_ground::HexId;
use cupola_kernel::{Side, UnitId, UnitInfo};
use cupola_kit::unit_info;

const COUNTERS: &str = "counters.ron";

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
impl Reading<'_> {
    pub fn roster(
        &mut self,
        counters: &Counters<Values, LeaderValues>,
        setup: SetupName,
        groups: &[&str],
    ) -> Roster {
        let mut roster = Roster::default();
        if counters.counters.len() > 128 {
            self.wrong(
                COUNTERS,
                "counters",
                "this ruleset plays at most 128 counters",
            );
        }
        for (i, counter) in counters.counters.iter().enumerate() {
            let side = self.side(COUNTERS, &format!("counters[{i}].side"), &counter.side);
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
            let (start, hexes) =
                arrives.map_or((Start::Out, vec![]), |a| self.start(&field, a, groups));
            roster.starts.push(start);
            roster.entries.push(hexes);
            let parts = counter.parts.iter().map(|part| part.node.clone());
            let mut info = unit_info(counter, side, self.input.army);
            info.nodes.extend(parts);
            roster.infos.push(info);
        }
        self.asterisks(counters, &roster);
        roster
    }

    /// A division that answers to several corps (§F-4).
    pub fn share(&mut self, roster: &mut Roster, shared: &SharedFile) {
        let field = "shared_division[0]";
        let codes: Vec<String> = roster.divisions.iter().map(|d| d.code.clone()).collect();
        let known = codes.iter().map(String::as_str);
        let division = self.named(
            AFFAIRS,
            &format!("{field}.division"),
            ("division", &shared.division),
            known,
        );
        for code in &shared.corps {
            // A corps of which nobody is in the game gives no orders.
            let corps = roster.corps.iter().position(|name| name == code);
            if let (Some(corps), Some(division)) = (corps, roster.divisions.get_mut(division)) {
                division.shared |= 1 << corps;
            }
        }
    }

    /// Every counter says how many its brigade has (§A-c).
    fn asterisks(&mut self, counters: &Counters<Values, LeaderValues>, roster: &Roster) {
        for (i, (counter, card)) in counters.counters.iter().zip(&roster.cards).enumerate() {
            let (says, has) = (
                face(&counter.values).count,
                roster.brigades[usize::from(card.brigade)].units.count(),
            );
            if u32::from(says) != has {
                let field = format!("counters[{i}].values.count");
                let why = format!("the brigade has {has} counters, not {says}");
                self.wrong(COUNTERS, &field, why);
            }
        }
    }

    fn start(&mut self, field: &str, arrives: &Arrives, groups: &[&str]) -> (Start, Vec<HexId>) {
        let at = format!("{field}[0].at");
        let hexes: Vec<HexId> = arrives
            .at
            .iter()
            .map(|label| self.hex(COUNTERS, &at, label))
            .collect();
        let start = match arrives.turn.as_str() {
            "start" => Start::Hex(hexes.first().copied().unwrap_or(HexId(0))),
            "never" => Start::Out,
            "optional" => {
                let group = arrives.group.as_deref().unwrap_or_default();
                let known = groups.iter().copied();
                Start::Option(self.named(COUNTERS, field, ("optional group", group), known) as u8)
            }
            turn => Start::Due(self.turn(COUNTERS, &format!("{field}[0].turn"), turn)),
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
        affairs: &AffairsFile,
    ) -> (Vec<ChitCard>, Vec<String>, (u8, u8)) {
        let mut list: Vec<(String, ChitCard)> = vec![];
        for (i, event) in file.events.iter().enumerate() {
            let side = self.side("chits.ron", &format!("events[{i}].side"), &event.side);
            list.push((event.id.clone(), event_card(event, side, first)));
        }
        let from = list.len() as u8;
        let groups = affairs
            .optional
            .iter()
            .flat_map(|optional| &optional.groups);
        let groups: Vec<&str> = groups.map(|group| group.id.as_str()).collect();
        for replacement in [false, true] {
            for i in 0..counters.leaders.len() {
                let about = (roster, scenario, first, groups.as_slice());
                let card = self.leader(counters, i, replacement, about);
                list.push(card);
            }
        }
        let fog = neutral(&file.fog.0, Meaning::Fog, Some(first));
        list.push(("fog-of-war".to_owned(), fog));
        for i in 0..2u8 {
            let turns = affairs.friction.iter().flat_map(|turns| &turns.0);
            let mut turns = turns.filter(|_| scenario.friction);
            let turn = turns.nth(usize::from(i));
            let turn = turn.map(|turn| self.turn(AFFAIRS, "friction", turn));
            let card = neutral(&file.friction.0, Meaning::Friction(i), turn);
            list.push((format!("friction-{}", i + 1), card));
        }
        let (tokens, list) = list.into_iter().unzip();
        (list, tokens, (from, counters.leaders.len() as u8))
    }

    /// A general's chit, or that of his replacement, with its id.
    fn leader(
        &mut self,
        counters: &Counters<Values, LeaderValues>,
        i: usize,
        replacement: bool,
        (roster, scenario, first, groups): (&Roster, &ScenarioFile, u16, &[&str]),
    ) -> (String, ChitCard) {
        let leader = &counters.leaders[i];
        let values = &leader.values;
        let commands = leader.commands.first().map_or("", String::as_str);
        let span = self.span(i, commands, values, roster);
        let (turn, option) = self.enters(i, values, (scenario.setup, first), groups);
        let side = self.side(COUNTERS, &format!("leaders[{i}].side"), &leader.side);
        let prefix = format!("{}-", leader.side);
        let id = leader.id.strip_prefix(&prefix).unwrap_or(&leader.id);
        let (id, name, rating) = if replacement {
            let name = format!("Replacement for {}", leader.name);
            (format!("replacement-{id}"), name, &values.replacement)
        } else {
            (id.to_owned(), leader.name.clone(), &values.rating)
        };
        let card = ChitCard {
            name,
            side: Some(side),
            meaning: Meaning::General {
                span,
                rating: rating.0 as i8,
                replacement,
            },
            hold: false,
            enters: turn.filter(|_| !replacement),
            option: option.filter(|_| !replacement),
        };
        (id, card)
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
                    COUNTERS,
                    &field,
                    format!("no counter of division \"{}\"", values.division),
                );
            }
            return Span::Division(found.unwrap_or(0) as u8);
        }
        // `us-xi` commands corps XI, where nothing else is said.
        let last = commands.rsplit('-').next().unwrap_or_default();
        let code = match &values.corps {
            Some(corps) => corps.clone(),
            None => last.to_uppercase(),
        };
        let found = roster.corps.iter().position(|corps| *corps == code);
        if found.is_none() {
            self.wrong(COUNTERS, &field, format!("no counter of corps \"{code}\""));
        }
        Span::Corps(found.unwrap_or(0) as u8)
    }

    fn enters(
        &mut self,
        i: usize,
        values: &LeaderValues,
        (setup, first): (SetupName, u16),
        groups: &[&str],
    ) -> (Option<u16>, Option<u8>) {
        let turn = match setup {
            SetupName::Main => Some(&values.enters.0),
            SetupName::Tutorial => values.tutorial.as_ref().map(|turn| &turn.0),
        };
        match turn.map(String::as_str) {
            None | Some("never") => (None, None),
            Some("start") => (Some(first), None),
            Some("optional") => {
                let group = values.group.as_deref().unwrap_or_default();
                let field = format!("leaders[{i}].values.group");
                let known = groups.iter().copied();
                let group = self.named(COUNTERS, &field, ("optional group", group), known);
                (None, Some(group as u8))
            }
            Some(turn) => {
                let field = format!("leaders[{i}].values.enters");
                (Some(self.turn(COUNTERS, &field, turn)), None)
            }
        }
    }
}

fn event_card(event: &EventFile, side: Side, first: u16) -> ChitCard {
    ChitCard {
        name: event.name.clone(),
        side: Some(side),
        meaning: Meaning::Event(event.event),
        hold: event.hold,
        enters: Some(first),
        option: None,
    }
}

/// A chit of nobody's.
fn neutral(name: &str, meaning: Meaning, enters: Option<u16>) -> ChitCard {
    ChitCard {
        name: name.to_owned(),
        side: None,
        meaning,
        hold: false,
        enters,
        option: None,
    }
}

pub fn units_where(cards: &[Card], keep: &dyn Fn(&Card) -> bool) -> Units {
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
    count: u8,
    sp: [i8; 2],
    cr: [i8; 2],
    entry: &'a Arrives,
    tutorial: Option<&'a Arrives>,
}

fn face(values: &Values) -> Face<'_> {
    #[rustfmt::skip]
    let (
        Values::Foot { brigade, division, corps, count, entry, tutorial, .. }
        | Values::Horse { brigade, division, corps, count, entry, tutorial, .. }
        | Values::Guns { brigade, division, corps, count, entry, tutorial, .. }
    ) = values;
    #[rustfmt::skip]
    let (kind, arm, sp, cr) = match values {
        Values::Foot { sp, cr, worn_sp, worn_cr, .. } => {
            (Kind::Foot, Arm::Musket, [sp, worn_sp], [cr, worn_cr])
        }
        Values::Horse { mounted_sp, dismounted_sp, cr, .. } => {
            (Kind::Horse, Arm::Musket, [mounted_sp, dismounted_sp], [cr, cr])
        }
        Values::Guns { sp, guns, cr, worn_sp, worn_cr, .. } => {
            let arm = match guns.0 {
                GunType::R => Arm::Rifled,
                GunType::S => Arm::Smooth,
                GunType::M => Arm::Mixed,
            };
            (Kind::Guns, arm, [sp, worn_sp], [cr, worn_cr])
        }
    };
    Face {
        kind,
        arm,
        brigade,
        division,
        corps,
        count: *count,
        sp: sp.map(|sp| sp.0),
        cr: cr.map(|cr| cr.0),
        entry: &entry.0,
        tutorial: tutorial.as_ref().map(|arrives| &arrives.0),
    }
}

impl Roster {
    /// Names of formations and orders, for choices.
    pub fn tokens(&self) -> Vec<String> {
        let brigades = self.brigades.iter();
        let brigades = brigades.map(|brigade| format!("brigade-{}", brigade.name));
        let divisions = self.divisions.iter();
        let divisions = divisions.map(|d| format!("division-{}", d.code.to_lowercase()));
        let orders = Order::ALL.iter().map(|order| order.name().to_owned());
        brigades.chain(divisions).chain(orders).collect()
    }

    /// The units of an optional group (§O).
    pub fn of_group(&self, group: u8) -> Units {
        let starts = self.starts.iter().enumerate();
        let own = starts.filter(|(_, start)| **start == Start::Option(group));
        own.map(|(i, _)| UnitId(i as u16)).collect()
    }

    /// Levels that Vague Orders take from each corps: more from some.
    pub fn vague(&self, file: Option<&(Vec<String>, i8, i8)>) -> Vec<i8> {
        let levels = |corps: &String| match file {
            Some((some, more, _)) if some.contains(corps) => *more,
            Some((.., less)) => *less,
            None => 1,
        };
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
