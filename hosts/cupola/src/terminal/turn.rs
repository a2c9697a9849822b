//! One decision of a human.

use super::ahead::ahead;
use super::input::{Say, near_command};
use super::menu::Menu;
use super::{Terminal, event_line, size, wrap};
use crate::bots::Sitter;
use cupola_data::nearest;
use cupola_ground::HexId;
use cupola_kernel::view::{Holding, View};
use cupola_kernel::{Act, ApplyError, Event, Seat, Side};
use std::path::Path;

/// What became of a line.
enum Next {
    /// Ask again, with the screen as it is.
    Again,
    /// Ask again, with the screen drawn anew.
    Redraw,
    /// Something was chosen or undone.
    Done,
    /// Leave the table.
    Leave,
}

/// Clears the screen and what was scrolled off it, and goes to its corner: nobody scrolls back to what the
/// other side saw.
const CLEAR: &str = "\x1b[2J\x1b[3J\x1b[H";

/// The most options that are listed on one page where no screen limits them.
const PAGE: usize = 40;

impl Terminal<'_> {
    /// Asks a human until something was chosen. False if he leaves.
    pub(super) fn human(&mut self, side: Side) -> anyhow::Result<bool> {
        let seat = Seat::Player(side);
        self.step_apart()?;
        if !self.hand_over(side)? {
            self.leave_at_end()?;
            return Ok(false);
        }
        let news = self.news(seat);
        let view = self.session.game().view(seat);
        let options = view
            .decision
            .as_ref()
            .map(|decision| decision.options.clone())
            .unwrap_or_default();
        let mut menu = Menu::new(options);
        self.draw(side, &view, &news, &mut menu)?;
        let mut drawn = size();
        loop {
            // The window may have been resized since.
            if self.interactive() && drawn != size() {
                drawn = size();
                self.draw(side, &view, &news, &mut menu)?;
            }
            let name = self.session.game().table().env().sides[side].name.clone();
            let prompt = format!(
                "{} [1-{}, help] > ",
                self.paint.side(side, &name),
                menu.len()
            );
            let Some(line) = self.input.line(self.out, &prompt)? else {
                self.leave_at_end()?;
                return Ok(false);
            };
            let next = self.answer(side, &view, &mut menu, &line)?;
            match next {
                Next::Again => {}
                Next::Redraw => self.draw(side, &view, &news, &mut menu)?,
                Next::Done => return Ok(true),
                Next::Leave => {
                    self.keep()?;
                    if self.autosave.is_none() {
                        self.offer_to_save()?;
                    }
                    return Ok(false);
                }
            }
        }
    }

    /// Where two share a keyboard and the game hides something, the screen is emptied before the
    /// other one looks. False at the end of input.
    fn hand_over(&mut self, side: Side) -> anyhow::Result<bool> {
        let last = self.seated.replace(side);
        let both = self
            .players
            .iter()
            .all(|(_, player)| *player == Sitter::Human);
        if !both || last == Some(side) || !self.interactive() || !self.hides(side) {
            return Ok(true);
        }
        let name = &self.session.game().table().env().sides[side].name;
        let prompt = format!(
            "{} to choose. Press Enter when you sit at the keyboard. ",
            self.paint.side(side, name)
        );
        write!(self.out, "{CLEAR}")?;
        Ok(self.input.line(self.out, &prompt)?.is_some())
    }

    /// Whether a side may know something that the other may not.
    fn hides(&self, side: Side) -> bool {
        let view = self.session.game().view(Seat::Player(side.other()));
        let hidden = |holding: &Holding| holding.known.len() < holding.count;
        let mut held = view
            .holdings
            .iter()
            .filter(|holding| holding.side.is_some());
        view.units.iter().any(|unit| unit.id.is_none()) || held.any(hidden)
    }

    /// Leaves because the input ended or somebody pressed Ctrl-C.
    pub(super) fn leave_at_end(&mut self) -> anyhow::Result<()> {
        self.keep()?;
        self.step_back()?;
        let steps = self.session.journal().steps.len();
        let why = if self.input.was_interrupted() {
            "Interrupted"
        } else {
            "The input ends here,"
        };
        writeln!(
            self.out,
            "{why} after {steps} decisions; the game is not over."
        )?;
        match &self.autosave {
            Some(path) => {
                let text = format!("Go on with: cupola play --load {}", path.display());
                self.say(&text)?;
            }
            None if self.input.terminal => self.offer_to_save()?,
            None => {}
        }
        Ok(())
    }

    fn answer(
        &mut self,
        side: Side,
        view: &View,
        menu: &mut Menu,
        line: &str,
    ) -> anyhow::Result<Next> {
        match Say::parse(line) {
            // On some maps labels are numbers: what is no option's number may be part of a name.
            Say::Number(number) if menu.number(number).is_none() || line.starts_with('0') => {
                return self.text(side, menu, line);
            }
            Say::Number(number) => return self.choose_number(side, menu, number),
            Say::Text(text) => return self.text(side, menu, &text),
            Say::More => {
                if menu.shown().len() == 1 {
                    let only = menu.shown()[0].0;
                    return self.choose_number(side, menu, only);
                }
                menu.turn_page();
                return Ok(Next::Redraw);
            }
            Say::All => {
                menu.widen();
                return Ok(Next::Redraw);
            }
            Say::Undo => return self.undo(side),
            Say::Quit => return Ok(Next::Leave),
            Say::Odds(which) => self.odds(menu, &which)?,
            Say::Why(id) => self.why(menu, &id)?,
            Say::Save(name) => self.save_as(&name)?,
            Say::Map(labels) => self.whole_map(view, labels)?,
            Say::Rules(text) => self.rules(&text)?,
            Say::Units(text) => self.units(view, &text)?,
            Say::Log(count) => self.log(side, count)?,
            Say::Hex(label) => self.hex(view, &label)?,
            Say::Help => self.help()?,
        }
        Ok(Next::Again)
    }

    fn complain(&mut self, text: &str) -> anyhow::Result<Next> {
        self.warn(text)?;
        Ok(Next::Again)
    }

    fn choose_number(&mut self, side: Side, menu: &Menu, number: usize) -> anyhow::Result<Next> {
        let Some(option) = menu.number(number) else {
            return self.complain(&format!(
                "There is no option {number}; they go from 1 to {}.",
                menu.len()
            ));
        };
        let decision = self.session.game().decision();
        let act = decision.and_then(|decision| decision.options.get(number - 1).copied());
        let text = option.text.clone();
        match act {
            Some(act) => self.choose(side, act, &text),
            None => self.complain("There is nothing to choose."),
        }
    }

    fn choose(&mut self, side: Side, act: Act, text: &str) -> anyhow::Result<Next> {
        match self.session.apply(side, act) {
            Ok(_) => {
                self.say(&format!("\u{2192} {text}"))?;
                Ok(Next::Done)
            }
            Err(ApplyError::Fault(fault)) => self.complain(&format!(
                "The ruleset failed, and your choice was taken back: {fault}"
            )),
            Err(error) => self.complain(&error.to_string()),
        }
    }

    /// Several answers that were typed as one; it stops where one is not accepted.
    fn choose_all(&mut self, side: Side, acts: &[Act]) -> anyhow::Result<Next> {
        let mut next = Next::Again;
        for &act in acts {
            let text = self.session.game().text(act);
            next = self.choose(side, act, &text)?;
            if !matches!(next, Next::Done) {
                break;
            }
        }
        Ok(next)
    }

    /// An option's id, a part of one, an answer to a later question, or something that is not offered.
    fn text(&mut self, side: Side, menu: &mut Menu, text: &str) -> anyhow::Result<Next> {
        if let Some(index) = menu.find(text) {
            return self.choose_number(side, menu, index + 1);
        }
        if let Some(acts) = ahead(self.session.game(), side, text) {
            return self.choose_all(side, &acts);
        }
        if menu.narrow(text) {
            return Ok(Next::Redraw);
        }
        if let Ok(number) = text.parse::<usize>() {
            return self.complain(&format!(
                "There is no option {number}; they go from 1 to {}.",
                menu.len()
            ));
        }
        let word = text.split(' ').next().unwrap_or_default();
        let looks_like_id = text.contains(' ')
            && menu
                .all()
                .any(|(_, option)| option.id.starts_with(&format!("{word} ")));
        if looks_like_id && let Ok(act) = self.session.game().parse(text) {
            let refusal = self.session.game().why_not(act);
            return self.complain(&format!("\"{text}\" is not offered: {refusal}"));
        }
        let near = nearest(text, menu.all().map(|(_, option)| option.id.as_str()))
            .or_else(|| near_command(word));
        let hint = near.map_or("type `help` to see what can be typed".into(), |near| {
            format!("did you mean \"{near}\"?")
        });
        self.complain(&format!("No option has \"{text}\" in it; {hint}"))
    }

    fn undo(&mut self, side: Side) -> anyhow::Result<Next> {
        match self.session.undo(side) {
            Ok(()) => {
                let steps = self.session.journal().steps.len();
                self.told
                    .iter_mut()
                    .for_each(|told| *told = (*told).min(steps));
                writeln!(self.out, "Taken back.")?;
                Ok(Next::Done)
            }
            Err(why) => self.complain(&format!("That cannot be taken back: {why}.")),
        }
    }

    /// The act of a number or an id.
    pub(super) fn act(&self, menu: &Menu, which: &str) -> Result<Act, String> {
        let by_number = which.parse().ok().and_then(|number| menu.number(number));
        let id = by_number.map_or(which, |option| option.id.as_str());
        if id.is_empty() {
            return Err("of which option? Say `odds 3`, or an option's id".into());
        }
        self.session
            .game()
            .parse(id)
            .map_err(|unknown| unknown.to_string())
    }

    fn save_as(&mut self, name: &str) -> anyhow::Result<()> {
        match name {
            "" => self.warn("Into which file? Say `save my-game.cupola`."),
            name => match self.save(Path::new(name)) {
                Ok(()) => self.say(&format!("Saved. Go on with: cupola play --load {name}")),
                Err(error) => self.warn(&format!("{error:#}")),
            },
        }
    }

    /// Shows everything that a decision needs.
    fn draw(
        &mut self,
        side: Side,
        view: &View,
        news: &[Event],
        menu: &mut Menu,
    ) -> anyhow::Result<()> {
        let (width, height) = size();
        let interactive = self.interactive();
        let screen = self.screen(view);
        let mut lines = screen.header(width);
        let question = question(self, side, view, width);
        let log = told(self, news, width);
        if interactive {
            // The question and a fair list of options come first; the map and the news share the
            // rest, and the key comes only where it takes nothing away.
            let options = menu.lines(width, (height / 3).max(8), self.paint);
            let fixed = lines.len() + question.len() + options.len() + 2;
            let room = height.saturating_sub(fixed);
            let news_room = log.len().min((room / 4).max(3));
            let room = room.saturating_sub(news_room).max(6);
            let map = screen.map(width, room, focus(self, news));
            let key = screen.key(width);
            let key = if map.len() + key.len() <= room {
                key
            } else {
                vec![]
            };
            lines.extend(map);
            lines.extend(key);
            let hidden = log.len() - news_room;
            if hidden > 0 {
                lines.push(self.paint.dim(&format!(
                    "  \u{2026} {hidden} earlier events: `log {}`",
                    log.len()
                )));
            }
            lines.extend(log.into_iter().skip(hidden));
            lines.extend(question);
            lines.extend(options);
            // Everything at once, so that nothing flickers.
            write!(self.out, "{CLEAR}")?;
        } else {
            lines.splice(0..0, log);
            lines.extend(question);
            lines.extend(menu.lines(width, PAGE, self.paint));
        }
        lines
            .iter()
            .try_for_each(|line| writeln!(self.out, "{line}"))?;
        Ok(())
    }
}

/// What happened, in lines of this width.
fn told(table: &Terminal, news: &[Event], width: usize) -> Vec<String> {
    let env = table.session.game().table().env();
    let lines = news
        .iter()
        .flat_map(|event| wrap(&event_line(env, event), width.saturating_sub(2)));
    lines.map(|line| format!("  {line}")).collect()
}

fn question(table: &Terminal, side: Side, view: &View, width: usize) -> Vec<String> {
    let Some(decision) = &view.decision else {
        return vec![];
    };
    let text = format!("{} ({})", decision.prompt, decision.rule);
    let name = &table.session.game().table().env().sides[side].name;
    wrap(&format!("{name}: {text}"), width)
        .iter()
        .map(|line| table.paint.bold(line))
        .collect()
}

/// Where the last thing happened.
fn focus(table: &Terminal, news: &[Event]) -> Option<HexId> {
    let decision = table.session.game().decision()?;
    // What can be chosen now is more telling than what happened; the screen finds that by itself.
    let names_hex = |act: &Act| {
        act.args
            .iter()
            .any(|arg| matches!(arg, cupola_kernel::Arg::Hex(_)))
    };
    if decision.options.iter().any(names_hex) {
        return None;
    }
    news.iter()
        .rev()
        .find_map(|event| event.hexes.last().copied())
}
