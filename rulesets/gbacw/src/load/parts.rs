//! What scenarios share and what they say in short: parts that several of them use, and whole brigades in one line.
//!
//! A scenario's own lines come first, then those of its parts, then the units of its brigades; [`Spans`] knows which
//! line of which file each of them came from, so that a mistake is told where it was made.

use crate::files::{
    BrigadeFile, DrawFile, EntryFile, FormationFile, LeaderFile, LeaderValues, Level, Places,
    ScenarioFile, Stacking, UnitFile, Values,
};
use crate::special::SpecialFile;
use crate::state::Order;
use cupola_army::{Arm, Counter, Counters};
use cupola_data::{Problems, Source};
use cupola_ground::HexId;
use cupola_kernel::Input;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// A file that several scenarios use.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PartFile {
    /// Whole brigades in one line each.
    commands: Vec<CommandFile>,
    /// Single units: where they begin or when they come.
    setup: Vec<UnitFile>,
    /// Leaders whom no brigade of `commands` brings along.
    leaders: Vec<LeaderFile>,
    /// Brigades that have lost before, by name.
    brigades: BTreeMap<String, BrigadeFile>,
    /// The activation markers, and whom each of them moves (§4.1).
    formations: Vec<FormationFile>,
    /// Commands that draw efficiency (§4.43).
    draws: Vec<DrawFile>,
    /// What is special about ways onto the map, by area or by a name that set-ups use.
    entries: BTreeMap<String, EntryFile>,
    /// Rules that only the scenarios have that use this part.
    special: Vec<SpecialFile>,
}

/// A whole brigade in one line: those of its units that no line names by themselves, and its leader.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CommandFile {
    /// The brigade, as `counters.ron` names it.
    pub brigade: String,
    /// Where it begins: a hex, or several all of which are held.
    pub at: Option<Places>,
    /// How many hexes around that may be used as well (§13.11). Left out: 0.
    pub within: u8,
    /// The corner of the hex that all of them face. Left out: their owner chooses.
    pub facing: Option<crate::facing::Facing>,
    /// They begin in the saddle. Left out: false.
    pub mounted: bool,
    /// When it comes, and by which entry or one of which.
    pub arrives: Option<(String, Places)>,
    /// Units lost before: the last part of their ids.
    pub eliminated: Vec<String>,
    /// Units that begin disordered: the last part of their ids.
    pub disordered: Vec<String>,
    /// Units that are not meant: the last part of their ids.
    pub without: Vec<String>,
    /// The only units that are meant: the last part of their ids. Left out: all of the brigade.
    pub only: Vec<String>,
    /// Losses on its track when the scenario begins (§7.5). Left out: 0.
    pub losses: u8,
    /// It begins ineffective (§7.61). Left out: false.
    pub ineffective: bool,
    /// The orders it is under from the start. Left out: none.
    pub order: Order,
    /// Its leader begins on his replacement side. Left out: false.
    pub replaced: bool,
    /// Its leader is named by a line of his own, or is not there. Left out: false.
    pub leaderless: bool,
}

impl CommandFile {
    /// Whether a unit of the brigade is out of the game before it begins.
    fn lost(&self, unit: &str) -> bool {
        self.eliminated.iter().any(|name| is(unit, name))
    }

    /// What it says of a unit of the brigade, but for its place.
    fn line(&self, unit: &str) -> UnitFile {
        let eliminated = self.lost(unit);
        UnitFile {
            facing: self.facing,
            mounted: self.mounted,
            disordered: self.disordered.iter().any(|name| is(unit, name)),
            arrives: self.arrives.clone().filter(|_| !eliminated),
            eliminated,
            ..UnitFile::named(unit)
        }
    }
}

/// Where lines of a merged list came from.
#[derive(Default)]
pub struct Spans<'a> {
    /// Of this list, from this line on, so many: lines of this file, the first of them this.
    lists: Vec<(&'static str, usize, usize, &'a Source, Origin)>,
    /// Entries of maps: list, key, file.
    keys: Vec<(&'static str, String, &'a Source)>,
}

enum Origin {
    /// Lines of the same list.
    Lines,
    /// All made of one field.
    Field(String),
    /// One line of such a list, by its number there.
    Line(usize),
}

impl<'a> Spans<'a> {
    /// The file in which a field of the merged scenario stands, and its name there.
    #[must_use]
    pub fn locate(&self, file: &'a Source, field: &str) -> (&'a Source, String) {
        let at = field.split_once('[').and_then(|(list, rest)| {
            let (number, after) = rest.split_once(']')?;
            Some((list, number.parse::<usize>().ok()?, after))
        });
        if let Some((list, number, after)) = at {
            let mut spans = self.lists.iter();
            let found = spans.find(|(of, from, count, ..)| {
                *of == list && (*from..from + count).contains(&number)
            });
            return match found {
                Some((_, from, _, file, Origin::Lines)) => {
                    (file, format!("{list}[{}]{after}", number - from))
                }
                Some((_, _, _, file, Origin::Line(i))) => (file, format!("{list}[{i}]{after}")),
                Some((_, _, _, file, Origin::Field(field))) => (file, field.clone()),
                None => (file, field.to_owned()),
            };
        }
        let mut keys = self.keys.iter();
        let found = keys.find(|(list, key, _)| {
            let rest = field.strip_prefix(*list).and_then(|r| r.strip_prefix('.'));
            rest.is_some_and(|rest| rest.starts_with(key.as_str()))
        });
        (found.map_or(file, |(.., file)| file), field.to_owned())
    }

    fn append<T>(&mut self, list: &'static str, to: &mut Vec<T>, more: Vec<T>, file: &'a Source) {
        self.lists
            .push((list, to.len(), more.len(), file, Origin::Lines));
        to.extend(more);
    }
}

/// A scenario with its parts, and whole brigades unit by unit.
pub struct Merged<'a> {
    input: &'a Input<'a>,
    counters: &'a Counters<Values, LeaderValues>,
    stacking: Stacking,
    pub scenario: ScenarioFile,
    pub spans: Spans<'a>,
    pub problems: Problems,
    /// Strength and guns on a hex.
    full: BTreeMap<HexId, (u32, u32)>,
}

impl<'a> Merged<'a> {
    /// Puts a scenario together.
    pub fn new(
        input: &'a Input<'a>,
        scenario: ScenarioFile,
        counters: &'a Counters<Values, LeaderValues>,
        stacking: Stacking,
    ) -> Merged<'a> {
        let mut merged = Merged {
            input,
            counters,
            stacking,
            scenario,
            spans: Spans::default(),
            problems: Problems::default(),
            full: BTreeMap::new(),
        };
        let own = std::mem::take(&mut merged.scenario.commands);
        let mut commands = vec![(input.scenario, own)];
        // Where somebody is left out, the scenario's own lists may name him as well.
        let whole = merged.scenario.left_out.is_empty();
        let own_formations = if whole {
            merged.scenario.formations.len()
        } else {
            0
        };
        let own_draws = if whole {
            merged.scenario.draws.len()
        } else {
            0
        };
        merged.leave_out();
        for (i, name) in merged.scenario.parts.clone().iter().enumerate() {
            if let Some((file, part)) = merged.read(i, name) {
                let lines = merged.add(file, part);
                commands.push((file, lines));
            }
        }
        merged.fill();
        for (file, lines) in commands {
            for (i, command) in lines.into_iter().enumerate() {
                merged.expand(file, &format!("commands[{i}]"), &command);
            }
        }
        merged.prune(own_formations, own_draws);
        merged
    }

    fn read(&mut self, number: usize, name: &str) -> Option<(&'a Source, PartFile)> {
        let Some(file) = self.input.files.get(name) else {
            let problem = self
                .input
                .scenario
                .problem(&format!("parts[{number}]"), format!("no part \"{name}\""));
            let all = self.input.files.keys().map(String::as_str);
            self.problems.push(problem.with_known(name, all));
            return None;
        };
        let part = self.problems.keep(file.ron::<PartFile>())?;
        Some((file, part))
    }

    /// Adds a part; what the scenario says itself of a marker, a brigade or an entry stays.
    fn add(&mut self, file: &'a Source, part: PartFile) -> Vec<CommandFile> {
        let left_out = self.scenario.left_out.clone();
        let (scenario, spans) = (&mut self.scenario, &mut self.spans);
        for (i, line) in part.setup.into_iter().enumerate() {
            let known = scenario.setup.iter().any(|own| own.unit == line.unit);
            if !known && !is_left_out(&left_out, &line.unit) {
                let origin = Origin::Line(i);
                spans
                    .lists
                    .push(("setup", scenario.setup.len(), 1, file, origin));
                scenario.setup.push(line);
            }
        }
        for (i, line) in part.leaders.into_iter().enumerate() {
            let known = scenario.leaders.iter().any(|own| own.leader == line.leader);
            if !known && !left_out.contains(&line.leader) {
                let origin = Origin::Line(i);
                spans
                    .lists
                    .push(("leaders", scenario.leaders.len(), 1, file, origin));
                scenario.leaders.push(line);
            }
        }
        for (i, formation) in part.formations.into_iter().enumerate() {
            let all = &mut scenario.formations;
            if all.iter().all(|other| other.am != formation.am) {
                let origin = Origin::Field(format!("formations[{i}]"));
                spans.lists.push(("formations", all.len(), 1, file, origin));
                all.push(formation);
            }
        }
        for (i, draw) in part.draws.into_iter().enumerate() {
            let all = &mut scenario.draws;
            if all.iter().all(|other| other.name != draw.name) {
                let origin = Origin::Field(format!("draws[{i}]"));
                spans.lists.push(("draws", all.len(), 1, file, origin));
                all.push(draw);
            }
        }
        spans.append("special", &mut scenario.special, part.special, file);
        for (key, value) in part.brigades {
            scenario.brigades.entry(key.clone()).or_insert_with(|| {
                spans.keys.push(("brigades", key, file));
                value
            });
        }
        for (key, value) in part.entries {
            scenario.entries.entry(key.clone()).or_insert_with(|| {
                spans.keys.push(("entries", key, file));
                value
            });
        }
        part.commands
    }

    /// Takes the scenario's own lines of those away who are not there; every other line is still told by its own number.
    fn leave_out(&mut self) {
        let file = self.input.scenario;
        let (scenario, spans) = (&mut self.scenario, &mut self.spans);
        if scenario.left_out.is_empty() {
            return;
        }
        for (i, line) in std::mem::take(&mut scenario.setup).into_iter().enumerate() {
            if !is_left_out(&scenario.left_out, &line.unit) {
                let origin = Origin::Line(i);
                spans
                    .lists
                    .push(("setup", scenario.setup.len(), 1, file, origin));
                scenario.setup.push(line);
            }
        }
        for (i, line) in std::mem::take(&mut scenario.leaders)
            .into_iter()
            .enumerate()
        {
            if !scenario.left_out.contains(&line.leader) {
                let origin = Origin::Line(i);
                spans
                    .lists
                    .push(("leaders", scenario.leaders.len(), 1, file, origin));
                scenario.leaders.push(line);
            }
        }
    }

    /// Counts who stands where by lines of their own.
    fn fill(&mut self) {
        let lines = &self.scenario.setup;
        for line in lines {
            let counter = self.counters.get(&line.unit);
            let hex = line.at.as_ref().map(|at| self.input.board.hex(at));
            if let (Some(Ok(hex)), Some(counter)) = (hex, counter) {
                let (sp, guns) = weight(counter);
                let full = self.full.entry(hex).or_default();
                (full.0, full.1) = (full.0 + sp, full.1 + guns);
            }
        }
    }

    /// The units of a brigade that a command means.
    fn meant(&self, command: &CommandFile) -> Vec<&'a Counter<Values>> {
        let listed: BTreeSet<&str> = self
            .scenario
            .setup
            .iter()
            .map(|l| l.unit.as_str())
            .collect();
        let sections = self.scenario.sections.as_ref();
        let cut = |id: &str| sections.is_some_and(|sections| sections.0.contains_key(id));
        let named = |names: &[String], id: &str| names.iter().any(|name| is(id, name));
        let counters = self.counters.counters.iter();
        counters
            .filter(|counter| counter.values.brigade == command.brigade)
            .filter(|counter| !listed.contains(counter.id.as_str()) && !cut(&counter.id))
            .filter(|counter| !named(&command.without, &counter.id))
            .filter(|counter| !self.scenario.left_out.contains(&counter.id))
            .filter(|counter| command.only.is_empty() || named(&command.only, &counter.id))
            .collect()
    }

    /// A brigade's lines.
    fn expand(&mut self, file: &'a Source, field: &str, command: &CommandFile) {
        let counters = self.counters;
        let units = self.meant(command);
        let known = || counters.counters.iter();
        if known().all(|counter| counter.values.brigade != command.brigade) {
            let all = known().map(|counter| counter.values.brigade.as_str());
            let problem = file.problem(field, format!("no brigade \"{}\"", command.brigade));
            self.problems
                .push(problem.with_nearest(&command.brigade, all));
            return;
        }
        let lists = [
            ("eliminated", &command.eliminated),
            ("disordered", &command.disordered),
            ("without", &command.without),
            ("only", &command.only),
        ];
        for (key, names) in lists {
            for name in names {
                let of_it = known().filter(|c| c.values.brigade == command.brigade);
                if !of_it.clone().any(|counter| is(&counter.id, name)) {
                    let all: Vec<&str> = of_it.map(|counter| counter.id.as_str()).collect();
                    let message = format!("{} has no unit \"{name}\"", command.brigade);
                    let problem = file.problem(&format!("{field}.{key}"), message);
                    self.problems.push(problem.with_hint(all.join(", ")));
                }
            }
        }
        self.place(file, field, command, &units);
        let wear = self.scenario.brigades.entry(command.brigade.clone());
        let wear = wear.or_default();
        wear.losses = wear.losses.max(command.losses);
        wear.ineffective |= command.ineffective;
        if command.order != Order::None {
            wear.order = command.order;
        }
    }

    /// Finds room for each unit, and puts the leader with the first.
    fn place(
        &mut self,
        file: &'a Source,
        field: &str,
        command: &CommandFile,
        units: &[&'a Counter<Values>],
    ) {
        let room = self.room(file, field, command);
        let (mut first, mut placed) = (None, 0);
        // §13.11: "within" a distance of a hex they begin where their owner likes.
        let centre = command.at.as_ref().map(Places::all).unwrap_or_default();
        let near = match centre[..] {
            [centre] if command.within > 0 => Some((centre.to_owned(), command.within)),
            _ => None,
        };
        let start = self.scenario.setup.len();
        for counter in units {
            let mut line = command.line(&counter.id);
            if !line.eliminated && !room.is_empty() {
                let at = self.seat(&room, command, placed, counter);
                if at.is_none() {
                    let message = format!("no room for {}", counter.id);
                    self.problems.push(file.problem(field, message));
                }
                line.at = at.map(|hex| self.input.board.label(hex).to_owned());
                first = first.or_else(|| line.at.clone());
                line.near = near.clone();
                placed += 1;
            }
            self.scenario.setup.push(line);
        }
        let count = self.scenario.setup.len() - start;
        let origin = Origin::Field(field.to_owned());
        self.spans.lists.push(("setup", start, count, file, origin));
        let alive = units.iter().find(|unit| !command.lost(&unit.id));
        let alive = alive.filter(|_| !command.leaderless);
        if let Some(leader) = alive.and_then(|unit| self.leader(unit)) {
            let number = self.scenario.leaders.len();
            let origin = Origin::Field(field.to_owned());
            self.spans.lists.push(("leaders", number, 1, file, origin));
            self.scenario.leaders.push(LeaderFile {
                leader,
                at: first,
                near,
                joins: None,
                also: vec![],
                replaced: command.replaced,
                arrives: command.arrives.clone(),
            });
        }
    }

    /// The hexes that a brigade may use, the named ones first.
    fn room(&mut self, file: &'a Source, field: &str, command: &CommandFile) -> Vec<HexId> {
        let board = self.input.board;
        let mut room = vec![];
        for label in command.at.iter().flat_map(Places::all) {
            match board.hex(label) {
                Ok(hex) => room.push(hex),
                Err(wrong) => {
                    let field = format!("{field}.at");
                    self.problems.push(file.problem(&field, wrong.to_string()));
                }
            }
        }
        let mut next = 0;
        for _ in 0..command.within {
            let until = room.len();
            for at in next..until {
                let around: Vec<HexId> = board.neighbours(room[at]).map(|(_, hex)| hex).collect();
                room.extend(
                    around
                        .into_iter()
                        .filter(|hex| !room.contains(hex))
                        .collect::<Vec<_>>(),
                );
            }
            next = until;
        }
        room
    }

    /// A hex for a unit: of several that are named each is held first, then whichever has room.
    fn seat(
        &mut self,
        room: &[HexId],
        command: &CommandFile,
        placed: usize,
        counter: &Counter<Values>,
    ) -> Option<HexId> {
        let named = command.at.as_ref().map_or(0, |at| at.all().len());
        let (sp, guns) = weight(counter);
        let limits = self.stacking;
        let fits = |hex: &&HexId| {
            let full = self.full.get(hex).copied().unwrap_or_default();
            full.0 + sp <= u32::from(limits.sp) && full.1 + guns <= u32::from(limits.guns)
        };
        let first = room.get(placed).filter(|_| placed < named).filter(fits);
        let hex = first.or_else(|| room.iter().find(fits)).copied()?;
        let full = self.full.entry(hex).or_default();
        (full.0, full.1) = (full.0 + sp, full.1 + guns);
        Some(hex)
    }

    /// The leader of a unit's brigade, if no line names him.
    fn leader(&self, unit: &Counter<Values>) -> Option<String> {
        let parts = unit.parts.iter().map(|part| part.node.as_str());
        let nodes: Vec<&str> = unit.nodes.iter().map(String::as_str).chain(parts).collect();
        let leads = |commands: &[String]| {
            let mut commands = commands.iter();
            commands.any(|command| {
                let below = format!("{command}-");
                nodes.iter().any(|node| node.starts_with(&below))
            })
        };
        // Berdan's two regiments stand in the list under a brigade that does not lead them (9.4).
        if unit.values.weapon.0 == crate::files::Weapon::BRSS {
            return None;
        }
        let leaders = self.counters.leaders.iter();
        let found = leaders
            .filter(|leader| matches!(leader.values.level, Level::Brigade | Level::Artillery))
            .filter(|leader| !self.scenario.left_out.contains(&leader.id))
            .find(|leader| leads(&leader.commands))?;
        let named = self.scenario.leaders.iter().any(|l| l.leader == found.id);
        (!named).then(|| found.id.clone())
    }

    /// Parts speak of whole armies: what this scenario does not have is left out of what they list.
    fn prune(&mut self, own_formations: usize, own_draws: usize) {
        let counters = self.counters;
        let brigade = |id: &str| counters.get(id).map(|c| c.values.brigade.as_str());
        let here: BTreeSet<String> = self
            .scenario
            .setup
            .iter()
            .filter_map(|line| {
                let whole = line.unit.rsplit_once('-').map_or("", |(whole, _)| whole);
                let own = brigade(&line.unit).or_else(|| brigade(whole));
                line.with.clone().or_else(|| own.map(str::to_owned))
            })
            .collect();
        let leaders: BTreeSet<&str> = self.scenario.leaders.iter().map(|l| &*l.leader).collect();
        let known = |name: &String| {
            let mut all = counters.counters.iter();
            here.contains(name) || all.all(|counter| counter.values.brigade != *name)
        };
        let there = |leader: &String| {
            leaders.contains(leader.as_str()) || counters.leader(leader).is_none()
        };
        for formation in &mut self.scenario.formations[own_formations..] {
            formation.brigades.retain(known);
            formation.guests.retain(known);
            formation.own.retain(|name, _| known(name));
            formation.leader = formation.leader.take().filter(there);
        }
        for draw in &mut self.scenario.draws[own_draws..] {
            draw.commander = draw.commander.take().filter(there);
        }
        let from_parts: Vec<String> = self
            .spans
            .keys
            .iter()
            .filter(|(list, ..)| *list == "brigades")
            .map(|(_, key, _)| key.clone())
            .collect();
        // What the scenario says itself of brigades stays, unless it leaves somebody out.
        let whole = self.scenario.left_out.is_empty();
        self.scenario
            .brigades
            .retain(|name, _| known(name) || (whole && !from_parts.contains(name)));
        let markers: Vec<String> = self
            .scenario
            .formations
            .iter()
            .map(|f| f.am.clone())
            .collect();
        for name in &from_parts {
            if let Some(file) = self.scenario.brigades.get_mut(name) {
                file.attach.retain(|to| markers.contains(to));
                if let Some(hosts) = &mut file.hosts {
                    hosts.brigades.retain(known);
                }
                file.superiors.retain(there);
            }
        }
    }
}

/// Whether a unit, or the battery of which it is a section, is not there.
fn is_left_out(left_out: &[String], unit: &str) -> bool {
    let whole = unit
        .rsplit_once('-')
        .filter(|(_, section)| section.len() == 1);
    let is = |id: &str| left_out.iter().any(|other| other == id);
    is(unit) || whole.is_some_and(|(whole, _)| is(whole))
}

/// Whether an id ends with a name: `11nc` of `cs-iii-heth-pettigrew-11nc`.
fn is(id: &str, name: &str) -> bool {
    id.strip_suffix(name)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with('-'))
}

/// Strength, and guns of it.
fn weight(counter: &Counter<Values>) -> (u32, u32) {
    let sp = u32::from(counter.values.sp.0);
    let guns = matches!(counter.kind, Arm::Artillery | Arm::HorseArtillery);
    (sp, if guns { sp } else { 0 })
}
