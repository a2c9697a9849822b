//! A board as text: hexes as a staggered grid of cells.
//!
//! A hex is a cell of four or six characters: a unit with the letter of its side, the number of an option,
//! or the ground. On a board of rows every second line is shifted by half a cell; on a board of columns
//! every second column is a line lower. If the board is larger than the space there is, a window around
//! the action is shown.

use crate::paint::Paint;
use crate::tags::Tags;
use cupola_ground::kinds::PlaceKind;
use cupola_ground::{Board, Cover, HexId, Orientation, RoadKind};
use cupola_kernel::view::{At, UnitView, View};
use cupola_kernel::{BySide, Env, Side};
use std::collections::BTreeMap;

/// What to draw, and how much room there is.
pub struct Chart<'a> {
    /// The board.
    pub board: &'a Board,
    /// What the seat may know.
    pub view: &'a View,
    /// The letters of the sides.
    pub letters: BySide<char>,
    /// The ids of the sides.
    pub sides: BySide<String>,
    /// Colours.
    pub paint: Paint,
    /// Numbers of options by the hex where they lead.
    pub numbers: BTreeMap<HexId, usize>,
    /// Units that can be chosen.
    pub choosable: Vec<String>,
    /// The label of every empty hex instead of its ground.
    pub labels: bool,
    /// Where the action is.
    pub focus: Option<HexId>,
    /// Columns there are.
    pub width: usize,
    /// Lines there are.
    pub height: usize,
}

/// The letters by which the sides are told apart: their initials, or numbers if those are the same.
pub fn letters(env: &Env) -> BySide<char> {
    let initial = |side| {
        env.sides[side]
            .name
            .chars()
            .next()
            .unwrap_or('?')
            .to_ascii_uppercase()
    };
    if initial(Side::First) == initial(Side::Second) {
        BySide {
            first: '1',
            second: '2',
        }
    } else {
        BySide::from_fn(initial)
    }
}

/// The place of a cell, before the window is cut: column in half cells (or cells), line.
fn place(board: &Board, hex: HexId) -> (i32, i32) {
    let at = board.axial(hex);
    match board.orientation() {
        Orientation::Rows => (2 * at.x + at.y, at.y),
        Orientation::Columns => (2 * at.x, 2 * at.y + at.x),
    }
}

/// The width of the labels beside the chart, and of a cell: six characters where the whole board then
/// still fits, otherwise four.
fn layout(board: &Board, width: usize) -> (usize, usize) {
    let labels = board.hexes().map(|hex| board.label(hex).chars().count());
    let margin = labels.max().unwrap_or(0) + 1;
    let across = || board.hexes().map(|hex| place(board, hex).0);
    let halves = across().max().unwrap_or(0) - across().min().unwrap_or(0) + 2;
    let fits = halves as usize * 3 <= room(margin, width);
    (margin, if fits { 6 } else { 4 })
}

/// What labels on both sides with a blank each leave; a column is spared, since some terminals wrap
/// a full line.
fn room(margin: usize, width: usize) -> usize {
    width.saturating_sub(2 * margin + 2).max(8)
}

/// How long the tags of units are on a chart of this width.
pub fn tag_length(board: &Board, width: usize) -> usize {
    layout(board, width).1 - 2
}

/// The part of the board that is shown, in the units of [`place`].
struct Window {
    left: i32,
    right: i32,
    top: i32,
    bottom: i32,
}

impl Chart<'_> {
    /// The chart as lines, with the labels of each line's first hex beside it.
    pub fn lines(&self) -> Vec<String> {
        let (margin, mut cell) = layout(self.board, self.width);
        if self.labels {
            cell = margin.next_multiple_of(2).max(cell);
        }
        let all = self.extent();
        let room = room(margin, self.width);
        let window = self.window(
            &all,
            (room / (cell / 2)) as i32 - 2,
            self.height.max(3) as i32,
        );
        let tags = Tags::new(&self.view.units, cell - 2);
        let stacks = self.stacks();
        let mut rows: BTreeMap<i32, BTreeMap<i32, HexId>> = BTreeMap::new();
        for hex in self.board.hexes() {
            let (x, y) = place(self.board, hex);
            if (window.left..=window.right).contains(&x)
                && (window.top..=window.bottom).contains(&y)
            {
                rows.entry(y).or_default().insert(x, hex);
            }
        }
        let mut lines = vec![];
        for row in rows.values() {
            let ends = |hex: Option<&HexId>| hex.map_or("", |hex| self.board.label(*hex));
            let mut line = self
                .paint
                .dim(&format!("{:>margin$} ", ends(row.values().next())));
            let names = self.names(row, cell, &stacks);
            let mut at = window.left;
            for (&x, &hex) in row {
                line.push_str(&" ".repeat((x - at).max(0) as usize * cell / 2));
                match names.get(&hex) {
                    Some(part) => line.push_str(&self.paint.bold(part)),
                    None => line.push_str(&self.cell(hex, cell, &tags, &stacks)),
                }
                at = x + 2;
            }
            line.push_str(
                &self
                    .paint
                    .dim(&format!(" {}", ends(row.values().next_back()))),
            );
            lines.push(line);
        }
        lines
    }

    /// Names of places where they hide no unit and no option, cut into cells: towns and hills, each from
    /// its own hex to the right.
    fn names(
        &self,
        row: &BTreeMap<i32, HexId>,
        cell: usize,
        stacks: &BTreeMap<HexId, Vec<&UnitView>>,
    ) -> BTreeMap<HexId, String> {
        let mut parts = BTreeMap::new();
        if self.labels {
            return parts;
        }
        let free = |hex: &HexId| !stacks.contains_key(hex) && !self.numbers.contains_key(hex);
        for (&x, &hex) in row {
            let mut named = self
                .board
                .places_in(hex)
                .filter(|place| is_landmark(place.kind));
            let Some(name) = named.next().map(|place| place.name.as_str()) else {
                continue;
            };
            // One blank at the end keeps the name apart from what follows.
            let wanted = (name.chars().count() + 1).div_ceil(cell);
            let run = (0..wanted as i32).map_while(|step| row.get(&(x + 2 * step)));
            let run: Vec<HexId> = run
                .copied()
                .take_while(|hex| free(hex) && !parts.contains_key(hex))
                .collect();
            if run.len() < wanted {
                continue;
            }
            let text: Vec<char> = format!("{name:<width$}", width = wanted * cell)
                .chars()
                .collect();
            let cut = text
                .chunks(cell)
                .map(|chunk| chunk.iter().collect::<String>());
            parts.extend(run.into_iter().zip(cut));
        }
        parts
    }

    fn extent(&self) -> Window {
        let places = || self.board.hexes().map(|hex| place(self.board, hex));
        Window {
            left: places().map(|(x, _)| x).min().unwrap_or(0),
            right: places().map(|(x, _)| x).max().unwrap_or(0),
            top: places().map(|(_, y)| y).min().unwrap_or(0),
            bottom: places().map(|(_, y)| y).max().unwrap_or(0),
        }
    }

    /// Cuts the board to the room there is, with the focus as near to the middle as the edges allow.
    fn window(&self, all: &Window, across: i32, down: i32) -> Window {
        let middle = ((all.left + all.right) / 2, (all.top + all.bottom) / 2);
        let (x, y) = self.focus.map_or(middle, |hex| place(self.board, hex));
        let cut = |at: i32, room: i32, low: i32, high: i32| {
            if high - low <= room {
                return (low, high);
            }
            let from = (at - room / 2).clamp(low, high - room);
            (from, from + room)
        };
        let (left, right) = cut(x, across, all.left, all.right);
        let (top, bottom) = cut(y, down - 1, all.top, all.bottom);
        Window {
            left,
            right,
            top,
            bottom,
        }
    }

    /// The units by hex, in the order of the view.
    fn stacks(&self) -> BTreeMap<HexId, Vec<&UnitView>> {
        let mut stacks: BTreeMap<HexId, Vec<&UnitView>> = BTreeMap::new();
        for unit in &self.view.units {
            if let At::Hex(label) = &unit.at
                && let Ok(hex) = self.board.hex(label)
            {
                stacks.entry(hex).or_default().push(unit);
            }
        }
        stacks
    }

    fn cell(
        &self,
        hex: HexId,
        width: usize,
        tags: &Tags,
        stacks: &BTreeMap<HexId, Vec<&UnitView>>,
    ) -> String {
        if let Some(stack) = stacks.get(&hex) {
            return self.stack(hex, stack, width, tags);
        }
        if let Some(number) = self.numbers.get(&hex) {
            let text = if width > 4 || *number < 100 {
                format!("[{number}]")
            } else {
                format!("{number}]")
            };
            return self.paint.choice(&format!("{text:<width$}"));
        }
        if self.labels {
            return self
                .paint
                .dim(&format!("{:<width$}", self.board.label(hex)));
        }
        let text: String = [
            cover_mark(self.board.cover(hex)),
            level_mark(self.board, hex),
            road_mark(self.board, hex),
        ]
        .into_iter()
        .collect();
        self.paint
            .terrain(self.board.cover(hex), &format!("{text:<width$}"))
    }

    /// A stack by its first unit, troops before leaders: `CHet`, and a mark if there is more to it.
    fn stack(&self, hex: HexId, stack: &[&UnitView], width: usize, tags: &Tags) -> String {
        let Some(unit) = stack
            .iter()
            .find(|unit| unit.kind != "leader")
            .or(stack.first())
        else {
            return " ".repeat(width);
        };
        let side = if unit.side == self.sides.first {
            Side::First
        } else {
            Side::Second
        };
        let chosen = |unit: &&UnitView| {
            unit.id
                .as_ref()
                .is_some_and(|id| self.choosable.contains(id))
        };
        let choosable = stack.iter().any(chosen) || self.numbers.contains_key(&hex);
        let mark = match (choosable, stack.len()) {
            (true, _) => '*',
            (false, 1) => ' ',
            (false, _) => '+',
        };
        let text = format!("{}{}{mark}", self.letters[side], tags.of(unit));
        let shown = if choosable {
            self.paint.chosen_side(side, &text)
        } else {
            self.paint.side(side, &text)
        };
        shown
            + " "
                .repeat(width.saturating_sub(text.chars().count()))
                .as_str()
    }
}

/// Places that people steer by.
fn is_landmark(kind: PlaceKind) -> bool {
    matches!(kind, PlaceKind::Town | PlaceKind::Hill | PlaceKind::Ridge)
}

fn cover_mark(cover: Cover) -> char {
    match cover {
        Cover::Clear => '.',
        Cover::Woods => '%',
        Cover::Orchard => 'o',
        Cover::Marsh => '~',
        Cover::Rocks => '^',
        Cover::Town => '#',
    }
}

fn level_mark(board: &Board, hex: HexId) -> char {
    match board.level(hex) {
        0 => ' ',
        level @ 1..=9 => char::from(b'0' + level as u8),
        10.. => '+',
        ..0 => '-',
    }
}

fn road_mark(board: &Board, hex: HexId) -> char {
    let roads = cupola_ground::Direction::ALL.map(|direction| board.side(hex, direction).road);
    match roads.into_iter().flatten().min() {
        Some(RoadKind::Pike) => '=',
        Some(RoadKind::Road | RoadKind::Lane | RoadKind::Trail) => '-',
        Some(RoadKind::Railroad | RoadKind::UnfinishedRailroad) => ':',
        None => ' ',
    }
}

/// What the marks of a chart mean.
pub fn key(env: &Env, letters: BySide<char>) -> String {
    let (first, second) = (&env.sides.first.name, &env.sides.second.name);
    format!(
        "{} {first}, {} {second}, + more in the hex, * or [n] can be chosen; . clear % woods o orchard ~ marsh \
         ^ rocks # town; 1-9 level; = pike - road : railroad",
        letters.first, letters.second
    )
}
