//! Who is in a scenario: counters, sections, leaders, brigades.

use super::gates::Gates;
use super::{Names, side_of};
use crate::files::{LeaderValues, Level, Places, ScenarioFile, UnitFile, Values};
use crate::rules::{Brigade, Card, Gate, Kind, NONE, Start};
use crate::state::Wear;
use cupola_army::{Arm, Counter, Counters, Leader};
use cupola_ground::HexId;
use cupola_kernel::{Input, Side, TokenId, UnitId, UnitInfo};

/// The roster of a scenario: combat units first, then leaders.
pub struct Roster {
    pub cards: Vec<Card>,
    pub troops: u16,
    pub infos: Vec<UnitInfo>,
    pub starts: Vec<Start>,
    pub brigades: Vec<Brigade>,
    pub worn: Vec<Wear>,
    pub gates: Vec<Gate>,
}

/// What a scenario file's line comes to.
struct Section<'a> {
    counter: &'a Counter<Values>,
    /// The letter of a section, and its guns.
    part: Option<(&'a str, u8)>,
}

struct Builder<'a, 'b, 'n> {
    input: &'a Input<'a>,
    scenario: &'a ScenarioFile,
    counters: &'a Counters<Values, LeaderValues>,
    names: &'b mut Names<'n>,
    extends: Option<u8>,
    roster: Roster,
    gates: Gates,
}

impl Roster {
    /// Reads the set-up. Infantry of at least `extends` strength points has a second counter for extended lines.
    pub fn new(
        input: &Input,
        scenario: &ScenarioFile,
        counters: &Counters<Values, LeaderValues>,
        names: &mut Names,
        extends: Option<u8>,
    ) -> Roster {
        let mut builder = Builder {
            input,
            scenario,
            counters,
            names,
            extends,
            roster: Roster {
                cards: vec![],
                troops: 0,
                infos: vec![],
                starts: vec![],
                brigades: vec![],
                worn: vec![],
                gates: vec![],
            },
            gates: Gates::default(),
        };
        builder.units();
        builder.leaders();
        builder.chains();
        builder.joins();
        builder.gunners();
        builder.wear();
        builder.roster.gates = builder.gates.list;
        builder.roster
    }
}

impl<'a> Builder<'a, '_, '_> {
    fn units(&mut self) {
        let scenario = self.scenario;
        for (i, line) in scenario.setup.iter().enumerate() {
            let field = format!("setup[{i}]");
            let Some(section) = self.find(&line.unit) else {
                let all = self.counters.counters.iter().map(|c| c.id.as_str());
                self.names.choose(&field, "counter", &line.unit, all);
                continue;
            };
            let name = line
                .with
                .as_ref()
                .unwrap_or(&section.counter.values.brigade);
            let side = side_of(self.input, &section.counter.side);
            let brigade = self.brigade(name, &section.counter.side);
            let (card, info) = self.card(&section, side, brigade, &line.unit);
            let start = self.start(&field, line, &card);
            let unit = UnitId(self.roster.cards.len() as u16);
            if let Some((_, gate)) = start.arrives {
                self.gates.comes(gate, unit);
            }
            self.roster.brigades[usize::from(brigade)].units.push(unit);
            self.roster.cards.push(card);
            self.roster.infos.push(info);
            self.roster.starts.push(start);
        }
        if let Some(least) = self.extends {
            self.wings(least);
        }
        self.roster.troops = self.roster.cards.len() as u16;
        let guns = |brigade: &Brigade, cards: &[Card]| {
            let mut units = brigade.units.iter();
            units.all(|unit| cards[usize::from(unit.0)].is_guns())
        };
        for i in 0..self.roster.brigades.len() {
            self.roster.brigades[i].guns = guns(&self.roster.brigades[i], &self.roster.cards);
        }
    }

    /// Second parts of units that may stand in an extended line (§12.2): counters that lie ready.
    fn wings(&mut self, least: u8) {
        for unit in 0..self.roster.cards.len() {
            let card = &self.roster.cards[unit];
            if card.kind != Kind::Foot || card.sp < least {
                continue;
            }
            let id = UnitId(self.roster.cards.len() as u16);
            let (start, info) = (&self.roster.starts[unit], &self.roster.infos[unit]);
            let at = self.scenario.setup.iter();
            let at = at
                .filter(|line| line.unit == info.id)
                .find_map(|line| line.extended.as_ref());
            let at = at.map(|label| self.names.hex("setup.extended", label));
            let start = Start {
                at: at.filter(|_| start.at.is_some()),
                facing: start.facing,
                disordered: start.disordered,
                folded: true,
                ..Start::default()
            };
            let info = UnitInfo {
                id: format!("{}-wing", info.id),
                name: format!("{} wing", info.name),
                men: 0,
                ..info.clone()
            };
            let wing = Card {
                twin: Some(UnitId(unit as u16)),
                wing: true,
                ..card.clone()
            };
            self.roster.cards[unit].twin = Some(id);
            self.roster.cards.push(wing);
            self.roster.infos.push(info);
            self.roster.starts.push(start);
        }
    }

    /// A counter by its id, or a section of one: `us-i-art-reynolds-a`.
    fn find(&self, id: &str) -> Option<Section<'a>> {
        if let Some(counter) = self.counters.get(id) {
            return Some(Section {
                counter,
                part: None,
            });
        }
        let (whole, letter) = id.rsplit_once('-')?;
        let sections = &self.scenario.sections.as_ref()?.0;
        let (letter, guns) = sections
            .get(whole)?
            .iter()
            .find(|(name, _)| name == letter)?;
        Some(Section {
            counter: self.counters.get(whole)?,
            part: Some((letter, *guns)),
        })
    }

    fn brigade(&mut self, name: &str, side: &str) -> u16 {
        let side = side_of(self.input, side);
        let known = self
            .roster
            .brigades
            .iter()
            .position(|brigade| brigade.name == name && brigade.side == side);
        let number = known.unwrap_or_else(|| {
            self.roster.brigades.push(Brigade {
                name: name.to_owned(),
                side,
                units: vec![],
                leader: None,
                formation: NONE,
                guns: false,
                wreck: false,
                released: 0,
                fires: 0,
                attach: vec![],
                hosts: vec![],
                most: 0,
                bound: false,
                integral: false,
                superiors: vec![],
                astray: None,
                token: TokenId(0),
            });
            self.roster.brigades.len() - 1
        });
        number as u16
    }

    fn card(&self, section: &Section, side: Side, brigade: u16, id: &str) -> (Card, UnitInfo) {
        let (counter, values) = (section.counter, &section.counter.values);
        let kind = match counter.kind {
            Arm::Cavalry => Kind::Horse,
            Arm::Artillery => Kind::Guns,
            Arm::HorseArtillery => Kind::HorseGuns,
            _ => Kind::Foot,
        };
        let (men, guns) = self.strength(counter);
        let whole = u32::from(values.sp.0).max(1);
        let share = |count: u32| {
            section
                .part
                .map_or(count, |(_, sp)| count * u32::from(sp) / whole)
        };
        let name = match section.part {
            Some((letter, _)) => format!("{} {letter}", counter.name),
            None => counter.name.clone(),
        };
        let cohesion = values.cohesion.0;
        let card = Card {
            side,
            kind,
            sp: section.part.map_or(values.sp.0, |(_, sp)| sp),
            cohesion: [cohesion.good, cohesion.disordered],
            weapon: values.weapon.0,
            brigade,
            sharpshooters: values.weapon.0 == crate::files::Weapon::BRSS,
            twin: None,
            wing: false,
            chain: vec![],
            rating: [0; 2],
            replacement: None,
        };
        let nodes = counter.nodes.iter().cloned();
        let parts = counter.parts.iter().map(|part| part.node.clone());
        let info = UnitInfo {
            id: id.to_owned(),
            name,
            side,
            kind: match kind {
                Kind::Foot => "infantry",
                Kind::Horse => "cavalry",
                Kind::HorseGuns => "horse artillery",
                _ => "artillery",
            }
            .into(),
            nodes: nodes.chain(parts).collect(),
            men: share(men),
            guns: share(guns),
        };
        (card, info)
    }

    fn strength(&self, counter: &Counter<Values>) -> (u32, u32) {
        let army = self.input.army;
        let whole = |ratio: cupola_army::Ratio| ratio.rounded() as u32;
        (whole(counter.men(army)), whole(counter.guns(army)))
    }

    /// When somebody comes, and by which gate.
    fn arrival(
        &mut self,
        field: &str,
        side: Side,
        (turn, places): &(String, Places),
    ) -> (u16, u16) {
        let field = format!("{field}.arrives");
        let turn = self.names.turn(&field, turn);
        let gate = self
            .gates
            .find(self.names, self.scenario, (&field, side), places);
        (turn, gate)
    }

    /// Hexes of which the owner chooses one.
    fn near(&mut self, field: &str, near: Option<&(String, u8)>) -> Vec<HexId> {
        near.map_or(vec![], |near| {
            self.names.near(&format!("{field}.near"), near)
        })
    }

    fn start(&mut self, field: &str, line: &UnitFile, card: &Card) -> Start {
        let at = line
            .at
            .as_ref()
            .map(|label| self.names.hex(&format!("{field}.at"), label));
        let arrives = line.arrives.as_ref();
        let arrives = arrives.map(|arrival| self.arrival(field, card.side, arrival));
        let near = self.near(field, line.near.as_ref());
        if at.is_none() && near.is_empty() && arrives.is_none() && !line.eliminated {
            self.names
                .problem(field, "neither on the map, nor coming, nor eliminated");
        }
        Start {
            at,
            near,
            joins: None,
            facing: line.facing,
            disordered: line.disordered,
            mounted: line.mounted,
            eliminated: line.eliminated,
            lost: line.sp.map_or(0, |left| card.sp.saturating_sub(left)),
            arrives,
            replaced: false,
            folded: false,
            may_extend: line.may_extend,
        }
    }

    fn leaders(&mut self) {
        let scenario = self.scenario;
        for (i, line) in scenario.leaders.iter().enumerate() {
            let field = format!("leaders[{i}]");
            let Some(leader) = self.counters.leader(&line.leader) else {
                let all = self
                    .counters
                    .leaders
                    .iter()
                    .map(|leader| leader.id.as_str());
                self.names.choose(&field, "leader", &line.leader, all);
                continue;
            };
            let at = line
                .at
                .as_ref()
                .map(|label| self.names.hex(&format!("{field}.at"), label));
            let side = side_of(self.input, &leader.side);
            let (card, info) = leader_card(leader, side);
            let arrives = line.arrives.as_ref();
            let arrives = arrives.map(|arrival| self.arrival(&field, card.side, arrival));
            self.roster.cards.push(card);
            self.roster.infos.push(info);
            let near = self.near(&field, line.near.as_ref());
            self.roster.starts.push(Start {
                at,
                near,
                mounted: true,
                arrives,
                replaced: line.replaced,
                ..Start::default()
            });
        }
    }

    /// Who leads whom: a leader whose node stands above the unit's in the army list.
    fn chains(&mut self) {
        let troops = usize::from(self.roster.troops);
        let commands: Vec<Vec<String>> = self.roster.infos[troops..]
            .iter()
            .map(|info| info.nodes.clone())
            .collect();
        for unit in 0..troops {
            let nodes = self.roster.infos[unit].nodes.clone();
            let own: Vec<UnitId> = commands
                .iter()
                .enumerate()
                .filter(|(_, commands)| {
                    commands.iter().any(|command| {
                        let below = format!("{command}-");
                        nodes
                            .iter()
                            .any(|node| node == command || node.starts_with(&below))
                    })
                })
                .map(|(leader, _)| UnitId((troops + leader) as u16))
                .filter(|leader| {
                    self.roster.cards[usize::from(leader.0)].side == self.roster.cards[unit].side
                })
                .collect();
            let brigade = usize::from(self.roster.cards[unit].brigade);
            for &leader in &own {
                let card = &mut self.roster.cards[usize::from(leader.0)];
                let leads = matches!(card.kind, Kind::Leader(Level::Brigade | Level::Artillery));
                let brigade_of = &mut self.roster.brigades[brigade];
                if leads && brigade_of.leader.is_none() && card.brigade == NONE {
                    card.brigade = brigade as u16;
                    brigade_of.leader = Some(leader);
                }
            }
            self.roster.cards[unit].chain = own;
        }
        self.hosts();
    }

    /// Who is attached to a brigade looks to its leader too.
    fn hosts(&mut self) {
        let scenario = self.scenario;
        let found = scenario
            .setup
            .iter()
            .zip(0..usize::from(self.roster.troops));
        for (_, unit) in found.filter(|(line, _)| line.with.is_some()) {
            let card = &self.roster.cards[unit];
            let leader = self.roster.brigades[usize::from(card.brigade)].leader;
            if let Some(leader) = leader.filter(|leader| !card.chain.contains(leader)) {
                self.roster.cards[unit].chain.push(leader);
            }
        }
    }

    /// Leaders who begin with others, and those who lead more than the army list says.
    fn joins(&mut self) {
        self.names.learn(&self.roster.infos, &self.roster.brigades);
        let (scenario, troops) = (self.scenario, usize::from(self.roster.troops));
        for (i, line) in scenario.leaders.iter().enumerate() {
            let field = format!("leaders[{i}].joins");
            let joins = line.joins.as_ref();
            let joins = joins.map(|joins| self.names.units(&field, joins));
            if let Some(start) = self.roster.starts.get_mut(troops + i) {
                start.joins = joins;
            }
            let leader = UnitId((troops + i) as u16);
            for brigade in self
                .names
                .brigades(&format!("leaders[{i}].also"), &line.also)
            {
                for unit in self.roster.brigades[usize::from(brigade)].units.clone() {
                    self.roster.cards[usize::from(unit.0)].chain.push(leader);
                }
            }
        }
    }

    /// Leaders who count for every battery of their side.
    fn gunners(&mut self) {
        let ids = &self.scenario.gunners;
        let leaders = self.names.units("gunners", ids);
        for leader in leaders {
            let side = self.roster.cards[usize::from(leader.0)].side;
            for card in &mut self.roster.cards {
                if card.is_guns() && card.side == side && !card.chain.contains(&leader) {
                    card.chain.push(leader);
                }
            }
        }
    }

    /// What brigades have lost before, and who stands in for their leaders.
    fn wear(&mut self) {
        let infos = &self.roster.infos;
        self.names.learn(infos, &self.roster.brigades);
        let fresh = Wear {
            commanded: true,
            ..Wear::default()
        };
        let mut worn = vec![fresh; self.roster.brigades.len()];
        let scenario = self.scenario;
        for (name, file) in &scenario.brigades {
            let field = format!("brigades.{name}");
            let number = usize::from(self.names.brigade(&field, name));
            let Some(brigade) = self.roster.brigades.get_mut(number) else {
                continue;
            };
            worn[number].losses = file.losses;
            worn[number].ineffective = file.ineffective || file.wreck;
            worn[number].order = file.order;
            brigade.wreck = file.wreck;
            let mut turn = |key: &str, id: &Option<String>| {
                id.as_ref()
                    .map(|id| self.names.turn(&format!("{field}.{key}"), id))
            };
            brigade.released = turn("released", &file.released).unwrap_or(0);
            brigade.fires = turn("fires", &file.fires).unwrap_or(brigade.released);
            brigade.astray = turn("astray", &file.astray);
            brigade.integral = file.integral;
            brigade.superiors = self.names.units(&field, &file.superiors);
            if let Some(leader) = &file.leader {
                brigade.leader = Some(self.names.unit(&field, leader));
            }
        }
        if self.input.switch("half_is_ineffective") {
            for (brigade, worn) in self.roster.brigades.iter().zip(&mut worn) {
                let gone = brigade
                    .units
                    .iter()
                    .filter(|unit| self.roster.starts[usize::from(unit.0)].eliminated);
                worn.ineffective |= !brigade.guns && 2 * gone.count() >= brigade.units.len();
            }
        }
        self.roster.worn = worn;
    }
}

fn leader_card(leader: &Leader<LeaderValues>, side: Side) -> (Card, UnitInfo) {
    let values = &leader.values;
    let rating = values.efficiency.as_ref().or(values.rating.as_ref());
    let rating = rating.map_or(0, |rating| rating.0);
    let after = values.replacement_rating.as_ref();
    let after = after.map_or((rating - 1).max(-1), |rating| rating.0);
    let card = Card {
        side,
        kind: Kind::Leader(values.level),
        sp: 0,
        cohesion: [0; 2],
        weapon: crate::files::Weapon::RM,
        brigade: NONE,
        sharpshooters: false,
        twin: None,
        wing: false,
        chain: vec![],
        rating: [rating, after],
        replacement: values.replacement.clone(),
    };
    let info = UnitInfo {
        id: leader.id.clone(),
        name: leader.name.clone(),
        side,
        kind: "leader".into(),
        nodes: leader.commands.clone(),
        men: 0,
        guns: 0,
    };
    (card, info)
}
