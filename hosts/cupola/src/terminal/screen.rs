//! What a seat sees on the screen, all of it from its view.

use crate::chart::{self, Chart};
use crate::columns::{Align, Columns};
use crate::paint::Paint;
use crate::tags::Tags;
use cupola_army::{Army, Kind};
use cupola_ground::HexId;
use cupola_kernel::view::{At, Touch, UnitView, View};
use cupola_kernel::{BySide, Env, Event, Side};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// How large the terminal is: columns and lines.
pub fn size() -> (usize, usize) {
    let var = |name: &str| {
        std::env::var(name)
            .ok()
            .and_then(|text| text.parse::<usize>().ok())
    };
    let found = terminal_size::terminal_size();
    let (width, height) = found.map_or((None, None), |(w, h)| {
        (Some(usize::from(w.0)), Some(usize::from(h.0)))
    });
    let width = width.or(var("COLUMNS")).unwrap_or(100);
    let height = height.or(var("LINES")).unwrap_or(40);
    (width.clamp(40, 400), height.clamp(16, 200))
}

/// Draws for one seat.
pub struct Screen<'a> {
    /// What never changes.
    pub env: &'a Env,
    /// What the seat may know.
    pub view: &'a View,
    /// Colours.
    pub paint: Paint,
    /// What a unit belongs to, and whether it is out of the game.
    pub rolls: &'a MusterRoll,
}

/// What the army list adds to what a seat sees of the units, by their ids.
#[derive(Clone, Debug, Default)]
pub struct MusterRoll {
    /// The division and corps that a unit belongs to.
    pub formations: BTreeMap<String, String>,
    /// Units that are out of the game for good.
    pub gone: BTreeSet<String>,
}

impl MusterRoll {
    /// The formations of a game's units, from the army list that they point at.
    pub fn new(env: &Env, army: &Army) -> MusterRoll {
        let formations = env.units.iter().filter_map(|unit| {
            let node = army.find(unit.nodes.first()?).ok()?;
            let above = army.ancestors(node).skip(1);
            let named = above.filter(|id| {
                matches!(
                    army.node(*id).kind,
                    Kind::Brigade | Kind::Division | Kind::Corps | Kind::Reserve
                )
            });
            let names: Vec<&str> = named.map(|id| army.node(id).name.as_str()).collect();
            (!names.is_empty()).then(|| (unit.id.clone(), names.join(", ")))
        });
        MusterRoll {
            formations: formations.collect(),
            gone: BTreeSet::new(),
        }
    }
}

impl Screen<'_> {
    /// Where the game stands: the clock, then tracks and what is held or laid out.
    pub fn header(&self, width: usize) -> Vec<String> {
        let (view, turn) = (self.view, &self.view.turn);
        let clock = |moment: &str| moment.rsplit('T').next().unwrap_or_default().to_owned();
        let hours = format!(
            "{}\u{2013}{}, {}",
            clock(&turn.start),
            clock(&turn.end),
            turn.light
        );
        let mut line = format!("{} ({hours})", self.paint.bold(&turn.label));
        if let Some(side) = view.active.as_deref().and_then(|id| self.env.side(id)) {
            line.push_str(&format!(
                " \u{b7} {}",
                self.paint.side(side, &self.env.sides[side].name)
            ));
        }
        line.push_str(&format!(" \u{b7} {}", view.phase));
        let standing = wrap(&self.standing(), width);
        let standing = standing.iter().map(|line| self.paint.dim(line));
        [line].into_iter().chain(standing).collect()
    }

    /// Tracks, and things held or laid out.
    fn standing(&self) -> String {
        let track = |name: &str, value: i32, max: Option<i32>| {
            let of = max.map_or(String::new(), |max| format!("/{max}"));
            format!("{name} {value}{of}")
        };
        let tracks = self
            .view
            .tracks
            .iter()
            .map(|t| track(&t.name, t.value, t.max));
        let holdings = self.view.holdings.iter().map(|holding| {
            let whose = holding
                .side
                .as_ref()
                .map_or(String::new(), |side| format!("{side} "));
            let known = if holding.known.is_empty() {
                holding.count.to_string()
            } else {
                holding.known.join(", ")
            };
            format!("{whose}{}: {known}", holding.name)
        });
        tracks.chain(holdings).collect::<Vec<_>>().join(" \u{b7} ")
    }

    /// The map, no larger than the room there is, and its key.
    pub fn map(&self, width: usize, height: usize, focus: Option<HexId>) -> Vec<String> {
        self.chart(width, height, focus, false)
    }

    /// The whole map with the label of every empty hex.
    pub fn labels(&self, width: usize) -> Vec<String> {
        self.chart(width, 1_000, None, true)
    }

    fn chart(
        &self,
        width: usize,
        height: usize,
        focus: Option<HexId>,
        labels: bool,
    ) -> Vec<String> {
        let options = self
            .view
            .decision
            .iter()
            .flat_map(|decision| &decision.options);
        let (mut numbers, mut choosable) = (BTreeMap::new(), vec![]);
        for (index, option) in options.enumerate() {
            // The last hex that an option names is where it leads.
            let mut hexes = option.touches.iter().filter_map(|touch| match touch {
                Touch::Hex(label) => self.env.board.hex(label).ok(),
                _ => None,
            });
            match hexes.next_back() {
                Some(hex) => drop(numbers.entry(hex).or_insert(index + 1)),
                None => choosable.extend(option.touches.iter().filter_map(|touch| match touch {
                    Touch::Unit(id) => Some(id.clone()),
                    _ => None,
                })),
            }
        }
        let focus = focus
            .or_else(|| numbers.keys().next().copied())
            .or_else(|| self.first_hex(&choosable));
        let letters = chart::letters(self.env);
        let chart = Chart {
            board: &self.env.board,
            view: self.view,
            letters,
            sides: BySide::from_fn(|side| self.env.sides[side].id.clone()),
            paint: self.paint,
            numbers: if labels { BTreeMap::new() } else { numbers },
            choosable,
            labels,
            focus,
            width,
            height,
        };
        chart.lines()
    }

    /// What the marks of the map mean.
    pub fn key(&self, width: usize) -> Vec<String> {
        let key = chart::key(self.env, chart::letters(self.env));
        wrap(&key, width)
            .iter()
            .map(|line| self.paint.dim(line))
            .collect()
    }

    /// Where the first of some units stands; or any unit, so that a window shows where the armies are.
    fn first_hex(&self, ids: &[String]) -> Option<HexId> {
        let hex = |unit: &UnitView| match &unit.at {
            At::Hex(label) => self.env.board.hex(label).ok(),
            At::Box(_) => None,
        };
        let chosen = self
            .view
            .units
            .iter()
            .filter(|unit| unit.id.as_ref().is_some_and(|id| ids.contains(id)));
        chosen.chain(&self.view.units).find_map(hex)
    }

    /// The units with their places and states, those with a text in them; those that are out of the
    /// game only if the text is `gone`.
    pub fn units(&self, text: &str, out: &mut dyn Write) -> io::Result<()> {
        let length = chart::tag_length(&self.env.board, size().0);
        let tags = Tags::new(&self.view.units, length);
        let letters = chart::letters(self.env);
        for side in Side::BOTH {
            let info = &self.env.sides[side];
            let heads = ["map", "unit", "kind", "of", "at", "ratings", "state"];
            let heads = heads.map(|head| (head, Align::Left));
            let mut columns = Columns::new(&heads);
            let mut count = 0;
            for unit in self
                .view
                .units
                .iter()
                .filter(|unit| unit.side == info.id && self.asked_for(unit, text))
            {
                let at = match &unit.at {
                    At::Hex(name) | At::Box(name) => name.clone(),
                };
                let tag = format!("{}{}", letters[side], tags.of(unit));
                let name = match &unit.id {
                    Some(id) => format!("{} ({id})", unit.name),
                    None => unit.name.clone(),
                };
                columns.row([
                    tag,
                    name,
                    unit.kind.clone(),
                    self.formation(unit).to_owned(),
                    at,
                    unit.ratings.clone(),
                    state(unit),
                ]);
                count += 1;
            }
            writeln!(out, "{} ({count})", self.paint.side(side, &info.name))?;
            if count > 0 {
                columns.write(out, |row, line| {
                    if row == 0 {
                        self.paint.dim(line)
                    } else {
                        line.to_owned()
                    }
                })?;
            }
        }
        Ok(())
    }
}

/// One thing that happened, with the rule, where it began, the dice and what counted.
pub fn event_line(env: &Env, event: &Event) -> String {
    let mut line = event_text(env, event);
    if let Some(modifiers) = &event.modifiers {
        let lines = modifiers.0.iter();
        let lines: Vec<String> = lines
            .map(|m| format!("{:+} {}", m.value, m.label))
            .collect();
        line.push_str(&format!(" [{} = {:+}]", lines.join(", "), modifiers.sum()));
    }
    if !event.dice.is_empty() {
        let dice: Vec<String> = event.dice.iter().map(|die| die.value.to_string()).collect();
        line.push_str(&format!(" [rolled {}]", dice.join(" ")));
    }
    line
}

/// One thing that happened, with the rule and where it began.
pub fn event_text(env: &Env, event: &Event) -> String {
    let mut line = match event.rule.0.as_ref() {
        "" => event.text.to_string(),
        _ => format!("{} ({})", event.text, event.rule),
    };
    if let (true, [from, .., to]) = (event.kind == "move", event.hexes.as_slice())
        && from != to
    {
        line.push_str(&format!(" from {}", env.board.label(*from)));
    }
    line
}

/// States worth a word: a flag that is off says nothing.
fn state(unit: &UnitView) -> String {
    let told = unit.state.iter().filter(|(_, value)| value != "no");
    let words = told.map(|(name, value)| {
        if value == "yes" {
            (*name).to_owned()
        } else {
            format!("{name} {value}")
        }
    });
    words.collect::<Vec<_>>().join(", ")
}

impl Screen<'_> {
    fn formation(&self, unit: &UnitView) -> &str {
        let id = unit.id.as_ref();
        id.and_then(|id| self.rolls.formations.get(id))
            .map_or("", String::as_str)
    }

    fn asked_for(&self, unit: &UnitView, text: &str) -> bool {
        let gone = unit
            .id
            .as_ref()
            .is_some_and(|id| self.rolls.gone.contains(id));
        if gone || text == "gone" {
            return gone && text == "gone";
        }
        let at = match &unit.at {
            At::Hex(name) | At::Box(name) => name,
        };
        let all = format!(
            "{} {} {} {} {at} {}",
            unit.id.as_deref().unwrap_or_default(),
            unit.name,
            unit.kind,
            self.formation(unit),
            state(unit)
        );
        all.to_lowercase().contains(&text.to_lowercase())
    }
}

/// Breaks a text into lines of words.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last().map_or(0, |line| line.chars().count());
        if line > 0 && line + 1 + word.chars().count() > width {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}
