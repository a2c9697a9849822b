//! From an army list and a map to the files of a battle: what every ruleset's formulas start from.
//!
//! A ruleset says how long its turns are and what its counters are worth; who there is, when he comes and by which road,
//! what is worth fighting for, and how all that is written down is the same in every ruleset and stands here.

use cupola_army::{Arm, Army, Kind, Light, Moment, NodeId, Ratio, Rule, Turn};
use cupola_data::{Problem, Problems};
use cupola_ground::board::{BoardEntry, BoardPlace};
use cupola_ground::kinds::PlaceKind;
use cupola_kernel::{BySide, DerivedFile, Deriving, Side};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Minutes that are played after the last troops have come.
const AFTER_THE_LAST: i32 = 360;

/// Troops of one arm that march together: what is under one brigadier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// Whose they are.
    pub side: Side,
    /// The formation: a brigade, or what they belong to directly.
    pub node: NodeId,
    /// What they are.
    pub arm: Arm,
    /// The regiments or batteries.
    pub troops: Vec<NodeId>,
}

/// Who takes part in a battle, when and where he comes.
pub struct Muster<'a> {
    /// What all of it is derived from.
    pub from: &'a Deriving<'a>,
    /// The turns, from the first arrival on.
    pub turns: Vec<Turn>,
    /// The brigades, first side first, each side in the order of the army list.
    pub bodies: Vec<Body>,
    roots: BySide<NodeId>,
}

impl<'a> Muster<'a> {
    /// Calls the roll, with turns so many minutes long.
    ///
    /// # Errors
    /// If a side has no army, or troops come by a road that the map does not have.
    pub fn new(from: &'a Deriving<'a>, minutes: i32) -> Result<Muster<'a>, Problems> {
        let mut problems = Problems::default();
        let army = from.army;
        let armies = || army.armies().map(|id| army.node(id).id.as_str());
        let root = |side: Side| army.get(&from.sides[side as usize].id);
        for side in Side::BOTH {
            let id = &from.sides[side as usize].id;
            if root(side).is_none_or(|node| army.node(node).kind != Kind::Army) {
                let problem = Problem::file(from.battle, format!("no army \"{id}\" in the list"));
                problems.push(problem.with_nearest(id, armies()));
            }
        }
        let (Some(first), Some(second)) = (root(Side::First), root(Side::Second)) else {
            return Err(problems);
        };
        let roots = BySide { first, second };
        let mut bodies = vec![];
        for side in Side::BOTH {
            bodies.extend(gather(army, side, roots[side]));
        }
        let troops = bodies.iter().flat_map(|body| &body.troops);
        unmapped(from, troops).for_each(|problem| problems.push(problem));
        problems.check(())?;
        let turns = turns(from, &bodies, minutes)?;
        Ok(Muster {
            from,
            turns,
            bodies,
            roots,
        })
    }

    /// The army list.
    #[must_use]
    pub fn army(&self) -> &'a Army {
        self.from.army
    }

    /// The army of a side.
    #[must_use]
    pub fn root(&self, side: Side) -> NodeId {
        self.roots[side]
    }

    /// The id of a side.
    #[must_use]
    pub fn side(&self, side: Side) -> &'a str {
        &self.from.sides[side as usize].id
    }

    /// The formations of a side of these kinds, in the order of the list, if they have troops on the field.
    pub fn formations(&self, side: Side, kinds: &[Kind]) -> Vec<NodeId> {
        let army = self.army();
        let has = |node: NodeId| {
            let mut troops = self.bodies.iter().flat_map(|body| &body.troops);
            troops.any(|&troop| army.is_within(troop, node))
        };
        let mut all = army.descendants(self.roots[side]);
        all.retain(|&node| kinds.contains(&army.node(node).kind) && has(node));
        all
    }

    /// The turn in which a node comes, by its number, and the entry by which it does; the army's main road for a
    /// headquarters of which nothing is told.
    #[must_use]
    pub fn coming(&self, node: NodeId) -> (usize, &'a BoardEntry) {
        let army = self.army();
        let (at, entry) = match army.arrival(node) {
            Some(arrival) => (Some(arrival.at), entry(self.from, &arrival.by)),
            None => (None, None),
        };
        let side = if army.side(node) == self.roots.first {
            Side::First
        } else {
            Side::Second
        };
        let turn = at.and_then(|at| self.turns.iter().position(|turn| turn.span().contains(at)));
        (
            turn.unwrap_or(0),
            entry.unwrap_or_else(|| self.main_road(side)),
        )
    }

    /// The entries by which a side comes, that of the most men first.
    #[must_use]
    pub fn roads(&self, side: Side) -> Vec<&'a BoardEntry> {
        let army = self.army();
        let mut men: BTreeMap<&str, (u32, &'a BoardEntry)> = BTreeMap::new();
        let bodies = self.bodies.iter().filter(|body| body.side == side);
        for &troop in bodies.flat_map(|body| &body.troops) {
            let by = army.arrival(troop).map(|arrival| &arrival.by);
            if let Some(entry) = by.and_then(|road| entry(self.from, road)) {
                men.entry(&entry.name).or_insert((0, entry)).0 += army.men(troop);
            }
        }
        let mut roads: Vec<(u32, &BoardEntry)> = men.into_values().collect();
        roads.sort_by_key(|&(men, road)| (std::cmp::Reverse(men), &road.name));
        roads.into_iter().map(|(_, road)| road).collect()
    }

    fn main_road(&self, side: Side) -> &'a BoardEntry {
        let road = self.roads(side).first().copied();
        // There is one: every body was found to come by an entry.
        road.unwrap_or(&self.from.board.entries()[0])
    }

    /// What is worth fighting for: towns and villages first, then bridges, then high ground; one to a hex.
    #[must_use]
    pub fn prizes(&self) -> Vec<&'a BoardPlace> {
        let rank = |place: &BoardPlace| match place.kind {
            PlaceKind::Town | PlaceKind::Village => Some(0),
            PlaceKind::Bridge => Some(1),
            PlaceKind::Hill | PlaceKind::Ridge | PlaceKind::Knoll => Some(2),
            _ => None,
        };
        let places = self.from.board.places().iter();
        let mut ranked: Vec<(i32, &BoardPlace)> = places
            .filter(|place| place.hex.is_some())
            .filter_map(|place| Some((rank(place)?, place)))
            .collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        let mut seen = BTreeSet::new();
        ranked.retain(|(_, place)| seen.insert(place.hex));
        ranked.into_iter().map(|(_, place)| place).collect()
    }

    /// The nodes that a counter for a whole body names.
    #[must_use]
    pub fn nodes(&self, body: &Body) -> Vec<NodeId> {
        let mut all = self.army().troops(body.node);
        all.retain(|&troop| self.army().absence(troop).is_none());
        if all == body.troops {
            vec![body.node]
        } else {
            body.troops.clone()
        }
    }

    /// A node's id as that of a counter. Orders name a unit without its side, so where the other army has one of the same
    /// name, its side stands behind it as well: `red-2` is `red-2-red`, and `2-red` in orders.
    #[must_use]
    pub fn unit_id(&self, node: NodeId) -> String {
        let army = self.army();
        let id = &army.node(node).id;
        let own = usize::from(army.side(node) != self.roots.first);
        let [side, other] = [own, 1 - own].map(|side| &*self.from.sides[side].id);
        let short = id
            .strip_prefix(side)
            .and_then(|rest| rest.strip_prefix('-'));
        match short.and_then(|short| army.get(&format!("{other}-{short}"))) {
            Some(_) => format!("{id}-{side}"),
            None => id.clone(),
        }
    }

    /// One line of `counters.ron`.
    #[must_use]
    pub fn counter(
        &self,
        id: &str,
        name: &str,
        (side, arm): (Side, Arm),
        nodes: &[NodeId],
        values: &str,
    ) -> String {
        let side = self.side(side);
        let nodes = self.list(nodes);
        format!(
            "    (id: \"{id}\", side: \"{side}\", name: {name:?}, kind: {arm}, nodes: {nodes}, values: {values}),\n"
        )
    }

    /// One line for a leader.
    #[must_use]
    pub fn leader(
        &self,
        id: &str,
        name: &str,
        side: Side,
        commands: &[NodeId],
        values: &str,
    ) -> String {
        let side = self.side(side);
        let commands = self.list(commands);
        format!(
            "    (id: \"{id}\", side: \"{side}\", name: {name:?}, commands: {commands}, values: {values}),\n"
        )
    }

    fn list(&self, nodes: &[NodeId]) -> String {
        let nodes = nodes.iter();
        let ids: Vec<String> = nodes
            .map(|&node| format!("\"{}\"", self.army().node(node).id))
            .collect();
        format!("[{}]", ids.join(", "))
    }

    /// A number with the rule that it follows from, as `counters.ron` has it: `(4, derived("men / 600, rounded up"))`.
    ///
    /// # Errors
    /// If the rule makes no sense, or comes to a quantity that is not there.
    pub fn value(&self, rule: &str, nodes: &[NodeId]) -> Result<String, Problems> {
        let army = self.army();
        let sum = |of: &dyn Fn(NodeId) -> u32| {
            let all = nodes.iter().map(|&node| i64::from(of(node)));
            Some(Ratio::whole(all.sum()))
        };
        let amount = |quantity: &str| match quantity {
            "men" => sum(&|node| army.men(node)),
            "guns" => sum(&|node| army.guns(node).total()),
            _ => None,
        };
        let value = rule.parse::<Rule>().and_then(|rule| rule.value(amount));
        match value {
            Ok(value) => Ok(format!("({value}, derived(\"{rule}\"))")),
            Err(why) => Err(Problem::file(self.from.ruleset, why).into()),
        }
    }

    /// `counters.ron`, from its lines.
    #[must_use]
    pub fn counters(&self, about: &str, counters: &[String], leaders: &[String]) -> DerivedFile {
        let (ruleset, battle) = (self.from.ruleset, self.from.battle);
        let forces: Vec<NodeId> = Side::BOTH.map(|side| self.roots[side]).into();
        let text = format!(
            "// {about}\n(\n  ruleset: \"{ruleset}\",\n  battle: \"{battle}\",\n  forces: {},\n  counters: [\n{}  ],\n  leaders: [\n{}  ],\n  left_out: [],\n)\n",
            self.list(&forces),
            counters.concat(),
            leaders.concat()
        );
        DerivedFile::new("counters.ron", self.from, &text)
    }

    /// `turns.ron`.
    #[must_use]
    pub fn turn_track(&self) -> DerivedFile {
        let (ruleset, battle) = (self.from.ruleset, self.from.battle);
        let mut lines = String::new();
        for turn in &self.turns {
            // Writing into a string cannot fail.
            let _ = writeln!(
                lines,
                "    (id: \"{}\", label: \"{}\", start: \"{}\", end: \"{}\", light: {}),",
                turn.id, turn.label, turn.start, turn.end, turn.light
            );
        }
        let origin = "from the first arrival of the army list to six hours after the last";
        let text = format!(
            "(\n  ruleset: \"{ruleset}\",\n  battle: \"{battle}\",\n  origin: derived(\"{origin}\"),\n  turns: [\n{lines}  ],\n)\n"
        );
        DerivedFile::new("turns.ron", self.from, &text)
    }

    /// The scenario, with what the ruleset has to say besides its title, its battle and its turns.
    #[must_use]
    pub fn meeting(&self, more: &str) -> DerivedFile {
        let (battle, title) = (self.from.battle, self.from.title);
        let last = self.turns.len().saturating_sub(1);
        let (first, last) = (&self.turns[0].id, &self.turns[last].id);
        let detours = self.detours();
        let text = format!(
            "// A plain meeting engagement: everybody comes when and where the army list says.\n{detours}(\n    title: {title:?},\n    battle: \"{battle}\",\n    first: \"{first}\",\n    last: \"{last}\",\n{more})\n"
        );
        // Scenarios' names are unique in a ruleset, as battles' are.
        DerivedFile::new(&format!("scenarios/{battle}.ron"), self.from, &text)
    }

    /// A line about every road for which this map has no entry.
    fn detours(&self) -> String {
        let troops = self.bodies.iter().flat_map(|body| &body.troops);
        let arrivals = troops.filter_map(|&troop| self.army().arrival(troop));
        let roads: BTreeSet<&str> = arrivals.map(|arrival| arrival.by.as_str()).collect();
        let mut lines = String::new();
        for road in roads {
            let by = entry(self.from, road).map(|entry| &entry.name);
            if let Some(by) = by.filter(|by| *by != road) {
                // Writing into a string cannot fail.
                let _ = writeln!(
                    lines,
                    "// This map has no entry for the {road}: who came by it comes by the nearest, the {by}."
                );
            }
        }
        lines
    }
}

/// The last word of a commander's rank and name.
#[must_use]
pub fn surname(army: &Army, node: NodeId) -> &str {
    let commander = &army.node(node).commander;
    commander.rsplit(' ').next().unwrap_or(commander)
}

/// Names that differ: the second Hill is "Hill 2".
#[derive(Debug, Default)]
pub struct Distinct(BTreeMap<String, u32>);

impl Distinct {
    /// The name, with a number if it was given before.
    pub fn name(&mut self, name: &str) -> String {
        let times = self.0.entry(name.to_owned()).or_default();
        *times += 1;
        match times {
            1 => name.to_owned(),
            times => format!("{name} {times}"),
        }
    }
}

/// A name as an id: lower case, hyphens for all that is no letter or digit.
#[must_use]
pub fn slug(name: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric();
    let words = name.split(|letter| !plain(letter));
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join("-")
}

/// The troops of an army that were on the field, by what they belong to and by arm.
fn gather(army: &Army, side: Side, root: NodeId) -> Vec<Body> {
    let mut bodies: Vec<Body> = vec![];
    for troop in army.troops(root) {
        if army.absence(troop).is_some() {
            continue;
        }
        let node = army.parent(troop).unwrap_or(root);
        let rides = || {
            let mut beside = army.children(node).iter();
            beside.any(|&other| army.node(other).kind == Kind::Cavalry)
        };
        let arm = match army.node(troop).kind {
            Kind::Cavalry => Arm::Cavalry,
            Kind::Battery if rides() => Arm::HorseArtillery,
            Kind::Battery => Arm::Artillery,
            _ => Arm::Infantry,
        };
        let known = bodies
            .iter_mut()
            .find(|body| (body.node, body.arm) == (node, arm));
        match known {
            Some(body) => body.troops.push(troop),
            None => bodies.push(Body {
                side,
                node,
                arm,
                troops: vec![troop],
            }),
        }
    }
    bodies
}

/// Where those come in who march by a road: its entry, or if this map has none for it, the one nearest to where the road comes
/// onto the battlefield. None for a road that the battlefield does not have.
fn entry<'a>(from: &'a Deriving, road: &str) -> Option<&'a BoardEntry> {
    let known = || {
        let entries = from.board.entries().iter();
        entries.filter(|entry| is_known(from, entry))
    };
    known().find(|entry| entry.name == road).or_else(|| {
        let mut all = from.board.entries().iter();
        let road = all.find(|entry| entry.name == road)?;
        known().min_by_key(|entry| entry.point.distance_squared(road.point))
    })
}

/// Whether an entry is on the map and the ruleset knows it: by its code, if its map has codes at all.
fn is_known(from: &Deriving, entry: &BoardEntry) -> bool {
    let coded = from
        .board
        .entries()
        .iter()
        .any(|entry| entry.code.is_some());
    entry.hex.is_some() && (entry.code.is_some() || !coded)
}

/// Roads by which troops come and which the map does not have, each once.
fn unmapped<'a>(
    from: &'a Deriving,
    troops: impl Iterator<Item = &'a NodeId>,
) -> impl Iterator<Item = Problem> {
    let mut lost: BTreeMap<&str, Vec<NodeId>> = BTreeMap::new();
    for &troop in troops {
        if let Some(arrival) = from.army.arrival(troop)
            && entry(from, &arrival.by).is_none()
        {
            lost.entry(&arrival.by).or_default().push(troop);
        }
    }
    let problem = |(road, troops): (&str, Vec<NodeId>)| {
        let first = &from.army.node(troops[0]).name;
        let who = match troops.len() - 1 {
            0 => format!("{first} comes"),
            1 => format!("{first} and one more come"),
            more => format!("{first} and {more} more come"),
        };
        let ruleset = from.ruleset;
        let message = format!("{who} by \"{road}\", which is no entry of the map of {ruleset}");
        let known = from.board.entries().iter();
        let known: BTreeSet<&str> = known
            .filter(|entry| is_known(from, entry))
            .map(|entry| entry.name.as_str())
            .collect();
        let list: Vec<&str> = known.iter().copied().collect();
        let near = Problem::file(from.battle, message).with_nearest(road, known);
        match near.hint {
            Some(_) => near,
            None => near.with_hint(format!("there are {}", list.join(", "))),
        }
    };
    lost.into_iter().map(problem)
}

/// Turns from the hour of the first arrival until six hours after the last; nights are one turn each.
fn turns(from: &Deriving, bodies: &[Body], minutes: i32) -> Result<Vec<Turn>, Problems> {
    let troops = bodies.iter().flat_map(|body| &body.troops);
    let arrivals = troops.filter_map(|&troop| Some(from.army.arrival(troop)?.at.minutes()));
    let (Some(first), Some(last)) = (arrivals.clone().min(), arrivals.max()) else {
        let problem = Problem::file(from.battle, "the army list has no troops on the field");
        return Err(problem.into());
    };
    let mut now = Moment::from_minutes(first - first.rem_euclid(60));
    let end = Moment::from_minutes(last).plus(AFTER_THE_LAST);
    let one_day = now.date() == end.date();
    let mut turns = vec![];
    while now < end {
        let (_, month, day) = now.date();
        let hour = now.time_of_day().to_string();
        let (id, label) = if one_day {
            (hour.replace(':', ""), hour.clone())
        } else {
            let id = format!("{month:02}{day:02}-{}", hour.replace(':', ""));
            (id, format!("{} {hour}", now.day()))
        };
        let light = from.sun.light(now);
        let next = match light {
            Light::Night => dawn(from, now),
            _ => now.plus(minutes),
        };
        turns.push(Turn {
            id,
            label,
            start: now,
            end: next,
            light,
        });
        now = next;
    }
    Ok(turns)
}

/// The first full hour of the next morning.
fn dawn(from: &Deriving, night: Moment) -> Moment {
    let light = i32::from(from.sun.first_light.minutes());
    let sunrise = (light + 59) / 60 * 60;
    let midnight = night.minutes() - i32::from(night.time_of_day().minutes());
    let today = midnight + sunrise;
    let day = if today > night.minutes() { 0 } else { 24 * 60 };
    Moment::from_minutes(today + day)
}
