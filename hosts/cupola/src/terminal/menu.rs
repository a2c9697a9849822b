//! The options of a decision as a numbered list: grouped, filtered, in pages.

use super::screen::wrap;
use crate::paint::Paint;
use cupola_kernel::view::OptionView;

/// The options that are shown, and which page of them.
pub struct Menu {
    options: Vec<OptionView>,
    filter: String,
    page: usize,
}

impl Menu {
    /// All options, first page.
    pub fn new(options: Vec<OptionView>) -> Menu {
        Menu {
            options,
            filter: String::new(),
            page: 0,
        }
    }

    /// The option of a number as printed.
    pub fn number(&self, number: usize) -> Option<&OptionView> {
        number
            .checked_sub(1)
            .and_then(|index| self.options.get(index))
    }

    /// How many options there are in all.
    pub fn len(&self) -> usize {
        self.options.len()
    }

    /// The option of an id, and its index.
    pub fn find(&self, id: &str) -> Option<usize> {
        self.options.iter().position(|option| option.id == id)
    }

    /// All options with their numbers.
    pub fn all(&self) -> impl Iterator<Item = (usize, &OptionView)> {
        self.options
            .iter()
            .enumerate()
            .map(|(index, option)| (index + 1, option))
    }

    /// The options that pass the filter, with their numbers.
    pub fn shown(&self) -> Vec<(usize, &OptionView)> {
        self.all()
            .filter(|(_, option)| matches(option, &self.filter))
            .collect()
    }

    /// Shows only options with this text in them. False, and nothing changes, if there is none.
    pub fn narrow(&mut self, text: &str) -> bool {
        let any = self.options.iter().any(|option| matches(option, text));
        if any {
            self.filter = text.to_owned();
            self.page = 0;
        }
        any
    }

    /// Shows all options again.
    pub fn widen(&mut self) {
        self.filter.clear();
        self.page = 0;
    }

    /// Whether a filter is set.
    pub fn is_narrowed(&self) -> bool {
        !self.filter.is_empty()
    }

    /// Goes on to the next page, or back to the first.
    pub fn turn_page(&mut self) {
        self.page += 1;
    }

    /// One page as lines, no more than `height` of them.
    pub fn lines(&mut self, width: usize, height: usize, paint: Paint) -> Vec<String> {
        let height = height.max(4);
        let (page, mut lines) = {
            let shown = self.shown();
            let groups: Vec<Group> = shown
                .chunk_by(|a, b| verb(a.1) == verb(b.1))
                .map(Group::new)
                .collect();
            let whole: usize = groups.iter().map(|group| group.options.len() + 1).sum();
            let single = whole < height;
            let headed = groups.len() > 1;
            let pages = paged(&groups, if single { 0 } else { width }, headed, height - 1);
            let page = self.page % pages.len().max(1);
            let blocks = pages.get(page).into_iter().flatten();
            let mut lines: Vec<String> = blocks
                .flat_map(|block| block.lines(width, single, paint))
                .collect();
            if pages.len() > 1 {
                let (number, count) = (page + 1, pages.len());
                lines.push(paint.dim(&format!(
                    "page {number} of {count}: Enter for the next, or type a part of what you want"
                )));
            }
            (page, lines)
        };
        if self.is_narrowed() && lines.len() < height {
            lines.push(paint.dim(&format!(
                "only those with \"{}\"; `all` shows all {}",
                self.filter,
                self.options.len()
            )));
        }
        self.page = page;
        lines
    }
}

/// Whether an option has a text in its id or its words; several words must all be there.
fn matches(option: &OptionView, text: &str) -> bool {
    let both = format!("{} {}", option.id, option.text).to_lowercase();
    text.to_lowercase()
        .split_whitespace()
        .all(|word| both.contains(word))
}

fn verb(option: &OptionView) -> &str {
    option.id.split(' ').next().unwrap_or_default()
}

/// All options of one verb. Words with which all of them begin are said once, above them.
struct Group<'a> {
    verb: &'a str,
    common: String,
    options: &'a [(usize, &'a OptionView)],
}

impl<'a> Group<'a> {
    fn new(options: &'a [(usize, &'a OptionView)]) -> Group<'a> {
        let verb = options.first().map_or("", |(_, option)| verb(option));
        let common = if options.len() < 4 {
            String::new()
        } else {
            common_words(options.iter().map(|(_, option)| option.text.as_str()))
        };
        Group {
            verb,
            common,
            options,
        }
    }

    /// What tells an option from the others, with what it costs and whether odds can be asked for.
    fn label(&self, option: &OptionView) -> String {
        let own = option.text.get(self.common.len()..).unwrap_or(&option.text);
        let cost = option
            .cost
            .as_ref()
            .map_or(String::new(), |cost| format!(" ({})", cost.spent));
        let odds = if option.odds { " ?" } else { "" };
        format!("{}{cost}{odds}", own.trim_start())
    }

    /// How many columns its labels fit into.
    fn columns(&self, width: usize) -> usize {
        let labels = self.options.iter().map(|(_, option)| self.label(option));
        let longest = labels.map(|label| label.chars().count()).max().unwrap_or(0);
        (width / (longest + GAP)).clamp(1, 8)
    }
}

/// Number, spaces and some air: what a label needs besides itself.
const GAP: usize = 9;

/// The words with which all texts begin, with the blank after them; never a whole text.
fn common_words<'a>(mut texts: impl Iterator<Item = &'a str>) -> String {
    let mut common = texts.next().unwrap_or_default().to_owned();
    for text in texts {
        while !text.starts_with(&common) || text.len() == common.len() {
            let shorter = common.trim_end().rfind(' ').map_or(0, |at| at + 1);
            common.truncate(shorter);
            if common.is_empty() {
                return common;
            }
        }
    }
    let end = common.rfind(' ').map_or(0, |at| at + 1);
    common.truncate(end);
    common
}

/// Options of one verb on one page.
struct Block<'g, 'a> {
    group: &'g Group<'a>,
    headed: bool,
    columns: usize,
    options: &'a [(usize, &'a OptionView)],
}

impl Block<'_, '_> {
    fn heading(&self, paint: Paint) -> Option<String> {
        let common = self.group.common.trim_end();
        match (self.headed, common.is_empty()) {
            (false, true) => None,
            (true, true) => Some(paint.bold(&format!(" {}", self.group.verb))),
            (_, false) => Some(paint.bold(&format!(" {}: {common} \u{2026}", self.group.verb))),
        }
    }

    fn lines(&self, width: usize, ids: bool, paint: Paint) -> Vec<String> {
        let mut lines: Vec<String> = self.heading(paint).into_iter().collect();
        let rows = self.options.len().div_ceil(self.columns);
        let cell = width / self.columns;
        for row in 0..rows {
            let mut line = String::new();
            // Down the columns, as in a newspaper.
            for (number, option) in self.options.iter().skip(row).step_by(rows.max(1)) {
                let label = self.group.label(option);
                line.push_str(&paint.choice(&format!("{number:>4}")));
                // A label that is longer than a line goes on below its own beginning.
                let broken = wrap(&label, width.saturating_sub(7)).join("\n      ");
                line.push_str(&format!("  {broken}"));
                let used = label.chars().count() + 6;
                if self.columns > 1 {
                    line.push_str(&" ".repeat(cell.saturating_sub(used)));
                } else if ids && used + option.id.chars().count() + 4 < width {
                    line.push_str(&paint.dim(&format!("  ({})", option.id)));
                }
            }
            lines.extend(line.trim_end().lines().map(str::to_owned));
        }
        lines
    }
}

/// Cuts the groups into blocks, and those into pages.
fn paged<'g, 'a>(
    groups: &'g [Group<'a>],
    width: usize,
    headed: bool,
    height: usize,
) -> Vec<Vec<Block<'g, 'a>>> {
    let mut pages: Vec<Vec<Block>> = vec![vec![]];
    let mut left = height;
    for group in groups {
        let columns = group.columns(width);
        let heading = usize::from(headed || !group.common.is_empty());
        let mut rest = group.options;
        while !rest.is_empty() {
            let room = left.saturating_sub(heading) * columns;
            if room == 0 {
                pages.push(vec![]);
                left = height;
                continue;
            }
            let (options, later) = rest.split_at(room.min(rest.len()));
            left -= heading + options.len().div_ceil(columns);
            if let Some(page) = pages.last_mut() {
                page.push(Block {
                    group,
                    headed,
                    columns,
                    options,
                });
            }
            rest = later;
        }
    }
    pages
}

#[cfg(test)]
mod tests {
    use super::*;

    fn menu(ids: &[&str]) -> Menu {
        let option = |id: &&str| OptionView {
            id: (*id).into(),
            text: format!("Do {id}"),
            touches: vec![],
            cost: None,
            path: vec![],
            odds: false,
        };
        Menu::new(ids.iter().map(option).collect())
    }

    #[test]
    fn numbers_stay_when_the_list_is_filtered() {
        let mut menu = menu(&["move heth 1", "move pender 2", "done"]);
        assert!(menu.narrow("pender"));
        assert_eq!(
            menu.shown()
                .iter()
                .map(|(n, o)| (*n, o.id.as_str()))
                .collect::<Vec<_>>(),
            [(2, "move pender 2")]
        );
        assert!(
            !menu.narrow("lee"),
            "nothing matches, so the filter stays as it was"
        );
        assert_eq!(menu.shown().len(), 1);
    }

    #[test]
    fn every_option_is_on_exactly_one_page() {
        let ids: Vec<String> = (0..97)
            .map(|i| format!("{} x{i}", if i < 60 { "move" } else { "march" }))
            .collect();
        let mut menu = menu(&ids.iter().map(String::as_str).collect::<Vec<_>>());
        let mut seen = vec![];
        for _ in 0..200 {
            let lines = menu.lines(80, 12, Paint::default());
            assert!(lines.len() <= 12, "{}", lines.len());
            let words = lines.iter().flat_map(|line| line.split_whitespace());
            let found: Vec<String> = words
                .filter(|word| word.starts_with('x'))
                .map(str::to_owned)
                .collect();
            if seen.first() == found.first() {
                break;
            }
            seen.extend(found);
            menu.turn_page();
        }
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 97);
    }
}
