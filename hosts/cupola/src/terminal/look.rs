//! What people look up at the table: odds, refusals, the log, hexes, units, tables and cards.

use super::input::COMMANDS;
use super::menu::Menu;
use super::{Screen, Terminal, event_line, size, wrap};
use crate::columns::{Align, Columns};
use crate::tell::{find_hex, preview_out};
use cupola_kernel::view::View;
use cupola_kernel::{Chart, Event, Presence, Seat, Side};
use std::io;

impl Terminal<'_> {
    pub(super) fn odds(&mut self, menu: &Menu, which: &str) -> anyhow::Result<()> {
        let preview = self
            .act(menu, which)
            .map(|act| self.session.game().preview(act));
        match preview {
            Ok(Some(preview)) => preview_out(self.out, &preview, "  ")?,
            Ok(None) => self.say("That leads to no fight by itself.")?,
            Err(why) => self.warn(&why)?,
        }
        Ok(())
    }

    pub(super) fn why(&mut self, menu: &Menu, id: &str) -> anyhow::Result<()> {
        if id.is_empty() {
            let decision = self.session.game().decision();
            let rule = decision.map_or(String::new(), |decision| decision.ask.cite().to_string());
            let like = menu.all().next().map_or("", |(_, option)| &option.id);
            return self.say(&format!(
                "This is asked by {rule}. Say `why` and what you miss, written like `why {like}`."
            ));
        }
        let text = match self.act(menu, id) {
            Ok(_) if menu.find(id).is_some() => format!("\"{id}\" is offered."),
            Ok(act) => format!("Not offered: {}", self.session.game().why_not(act)),
            Err(why) => why,
        };
        self.say(&text)
    }

    pub(super) fn log(&mut self, side: Side, count: usize) -> anyhow::Result<()> {
        let events: Vec<(usize, Event)> = self
            .session
            .events(Seat::Player(side), 0)
            .map(|(step, event)| (step, event.clone()))
            .collect();
        let from = events.len().saturating_sub(count);
        for (step, event) in &events[from..] {
            let line = event_line(self.session.game().table().env(), event);
            for (nth, part) in wrap(&line, size().0.saturating_sub(8)).iter().enumerate() {
                let step = if nth == 0 {
                    step.to_string()
                } else {
                    String::new()
                };
                writeln!(self.out, "{step:>5}  {part}")?;
            }
        }
        if events.is_empty() {
            writeln!(self.out, "Nothing has happened yet.")?;
        }
        Ok(())
    }

    pub(super) fn hex(&mut self, view: &View, label: &str) -> anyhow::Result<()> {
        let board = self.session.game().table().env().board.clone();
        match find_hex(&board, label) {
            Ok(hex) => {
                let card = board.describe(hex);
                let threads: Vec<String> =
                    card.places.iter().chain(&card.threads).cloned().collect();
                let level = format!("{}, level {}, {:.0} m", card.cover, card.level, card.height);
                self.say(&format!("{}: {level}. {}", card.hex, threads.join(", ")))?;
                self.units(view, &card.hex)?;
            }
            Err(error) => self.warn(&error.to_string())?,
        }
        Ok(())
    }

    pub(super) fn units(&mut self, view: &View, text: &str) -> anyhow::Result<()> {
        self.muster();
        let screen = Screen {
            env: self.session.game().table().env(),
            view,
            paint: self.paint,
            rolls: &self.rolls,
        };
        Ok(screen.units(text, self.out)?)
    }

    pub(super) fn help(&mut self) -> anyhow::Result<()> {
        for (usage, text) in COMMANDS {
            for (nth, line) in self.lines(text, 17).iter().enumerate() {
                let usage = if nth == 0 { *usage } else { "" };
                writeln!(self.out, "  {usage:<14} {line}")?;
            }
        }
        Ok(())
    }

    pub(super) fn whole_map(&mut self, view: &View, labels: bool) -> anyhow::Result<()> {
        let (width, _) = size();
        let screen = self.screen(view);
        let map = if labels {
            screen.labels(width)
        } else {
            screen.map(width, 200, None)
        };
        let lines: Vec<String> = map.into_iter().chain(screen.key(width)).collect();
        lines
            .iter()
            .try_for_each(|line| writeln!(self.out, "{line}"))?;
        Ok(())
    }

    pub(super) fn screen<'v>(&'v self, view: &'v View) -> Screen<'v> {
        Screen {
            env: self.session.game().table().env(),
            view,
            paint: self.paint,
            rolls: &self.rolls,
        }
    }

    /// Looks who is out of the game.
    fn muster(&mut self) {
        let game = self.session.game();
        let mut standings = vec![];
        game.standings(&mut standings);
        let units = game.table().env().units.iter().zip(&standings);
        let gone = units.filter(|(_, standing)| standing.presence == Presence::Gone);
        self.rolls.gone = gone.map(|(unit, _)| unit.id.clone()).collect();
    }

    /// Tables, cards, chits and entries: their names, or those with a text in them in full.
    pub(super) fn rules(&mut self, text: &str) -> anyhow::Result<()> {
        let reference = self.session.game().play().reference();
        let lower = text.to_lowercase();
        if text.is_empty() {
            let charts = reference.charts.iter().map(|chart| chart.title.as_str());
            let terms = reference.terms.iter().map(|term| term.name.as_str());
            let names: Vec<&str> = charts.chain(terms).collect();
            for line in wrap(&names.join(" \u{b7} "), size().0) {
                writeln!(self.out, "{line}")?;
            }
            writeln!(self.out, "Say `rules` and a part of a name.")?;
            return Ok(());
        }
        let mut any = false;
        for chart in &reference.charts {
            if chart.title.to_lowercase().contains(&lower) {
                any = true;
                self.chart(chart)?;
            }
        }
        for term in &reference.terms {
            if format!("{} {}", term.name, term.kind)
                .to_lowercase()
                .contains(&lower)
            {
                any = true;
                let rule = if term.rule.is_empty() {
                    String::new()
                } else {
                    format!(" (\u{a7}{})", term.rule)
                };
                let line = format!("{} ({}): {}{rule}", term.name, term.kind, term.text);
                for line in wrap(&line, size().0) {
                    writeln!(self.out, "{line}")?;
                }
            }
        }
        if !any {
            let names = reference.charts.iter().map(|chart| chart.title.as_str());
            let names = names.chain(reference.terms.iter().map(|term| term.name.as_str()));
            let hint = cupola_data::nearest(text, names)
                .map_or("`rules` alone lists them".to_owned(), |near| {
                    format!("did you mean \"{near}\"?")
                });
            writeln!(
                self.out,
                "{}",
                self.paint.warn(&format!(
                    "No table and no card has \"{text}\" in its name; {hint}"
                ))
            )?;
        }
        Ok(())
    }

    fn chart(&mut self, chart: &Chart) -> io::Result<()> {
        let rule = if chart.rule.is_empty() {
            String::new()
        } else {
            format!(" (\u{a7}{})", chart.rule)
        };
        writeln!(
            self.out,
            "{}",
            self.paint.bold(&format!("{}{rule}", chart.title))
        )?;
        let heads: Vec<(&str, Align)> = chart
            .head
            .iter()
            .map(|head| (head.as_str(), Align::Left))
            .collect();
        let mut columns = Columns::new(&heads);
        for row in &chart.rows {
            columns.row(row.iter().cloned());
        }
        let paint = self.paint;
        columns.write(self.out, |row, line| {
            if row == 0 {
                paint.dim(line)
            } else {
                line.to_owned()
            }
        })?;
        if !chart.note.is_empty() {
            for line in wrap(&chart.note, size().0) {
                writeln!(self.out, "{line}")?;
            }
        }
        Ok(())
    }
}
