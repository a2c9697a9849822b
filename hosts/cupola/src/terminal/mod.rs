//! A game in the terminal: humans are asked, bots answer, everything goes through the journal.
//!
//! On a terminal each question clears the screen and shows the map, what happened since, the question and
//! its options. Anywhere else (a pipe, a file) nothing is cleared and the map comes only when asked for, so
//! that a scripted game leaves a transcript that can be read.

mod ahead;
mod input;
mod look;
mod menu;
mod screen;
mod turn;

use crate::answer::Answer;
use crate::bots::{Bots, Sitter};
use crate::keep::{free_name, write_synced};
use crate::paint::Paint;
use anyhow::Context as _;
use cupola_kernel::{BySide, Event, Seat, Session, Side};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

pub use input::Input;
pub use screen::{MusterRoll, Screen, event_line, event_text, size, wrap};

/// A game on the table.
pub struct Terminal<'a> {
    /// The game with its journal.
    pub session: Session,
    /// Who plays which side.
    pub players: BySide<Sitter>,
    /// The bots among them.
    bots: Bots,
    /// Where answers come from.
    pub input: Input,
    /// Where everything is shown.
    pub out: &'a mut dyn Write,
    /// Colours.
    pub paint: Paint,
    /// Say nothing but how it ended.
    pub quiet: bool,
    /// Keep the journal here as the game goes on.
    pub autosave: Option<PathBuf>,
    /// Up to which step each side, or the gallery, has been told what happened.
    told: [usize; 3],
    /// What units belong to, and which are gone.
    pub rolls: MusterRoll,
    /// Whether the alternate screen is shown.
    apart: bool,
    /// Who sat at the keyboard last.
    seated: Option<Side>,
}

impl<'a> Terminal<'a> {
    /// Sits down at a game.
    pub fn new(
        session: Session,
        players: BySide<Sitter>,
        bots: Bots,
        paint: Paint,
        out: &'a mut dyn Write,
    ) -> Terminal<'a> {
        // What a loaded game holds was told when it was played.
        let told = [session.journal().steps.len(); 3];
        Terminal {
            session,
            players,
            bots,
            input: Input::stdin(),
            out,
            paint,
            quiet: false,
            autosave: None,
            told,
            rolls: MusterRoll::default(),
            apart: false,
            seated: None,
        }
    }

    /// Plays until the game is over or somebody leaves.
    ///
    /// # Errors
    /// If the ruleset fails or nothing can be written.
    pub fn play(&mut self) -> anyhow::Result<Answer> {
        let answer = self.play_on();
        self.step_back()?;
        let over = self.session.game().decision().is_none();
        if answer.is_ok() && over {
            self.finish()?;
        }
        answer
    }

    /// Shows the game on a screen of its own, which leaves nothing behind to scroll back to.
    fn step_apart(&mut self) -> anyhow::Result<()> {
        if !self.apart && self.interactive() {
            write!(self.out, "\x1b[?1049h")?;
            self.apart = true;
        }
        Ok(())
    }

    /// Goes back to the screen from which the game was called.
    fn step_back(&mut self) -> anyhow::Result<()> {
        if std::mem::take(&mut self.apart) {
            write!(self.out, "\x1b[?1049l")?;
            self.out.flush()?;
        }
        Ok(())
    }

    fn play_on(&mut self) -> anyhow::Result<Answer> {
        // A file that cannot be written is told of before the first choice, not after the last.
        self.keep()?;
        // Rules that ask for ever are a fault of theirs, and no game that hangs.
        let most = self
            .session
            .game()
            .play()
            .bounds()
            .decisions
            .saturating_mul(4);
        let mut alone = 0;
        while let Some(decision) = self.session.game().decision() {
            let side = decision.ask.side;
            if self.input.is_interrupted() {
                self.leave_at_end()?;
                return Ok(Answer::No);
            }
            match self.players[side] {
                Sitter::Human => {
                    alone = 0;
                    if !self.human(side)? {
                        return Ok(Answer::Yes);
                    }
                }
                Sitter::Bot(_) => {
                    alone += 1;
                    if alone > most {
                        let prompt = self.session.game().prompt().unwrap_or_default();
                        anyhow::bail!(
                            "the ruleset failed: no end after {most} choices of bots; it still asks: {prompt}"
                        );
                    }
                    let bot = self.bots[side].as_mut().context("no bot in its seat")?;
                    let act = bot
                        .choose(self.session.game())
                        .context("the ruleset failed")?;
                    let act = act.context("a decision without options")?;
                    if let Err(error) = self.session.apply(side, act) {
                        return Err(anyhow::Error::new(error).context("the ruleset failed"));
                    }
                    self.gallery()?;
                }
            }
            self.keep()?;
        }
        Ok(Answer::Yes)
    }

    /// Whether the screen can be cleared and somebody looks at it.
    fn interactive(&self) -> bool {
        self.input.terminal && std::io::stdout().is_terminal()
    }

    /// The seat through which to look when nobody in particular is asked.
    fn watcher(&self) -> Seat {
        match (self.players.first, self.players.second) {
            (Sitter::Human, Sitter::Bot(_)) => Seat::Player(Side::First),
            (Sitter::Bot(_), Sitter::Human) => Seat::Player(Side::Second),
            _ => Seat::Observer,
        }
    }

    /// What a seat has not been told yet.
    fn news(&mut self, seat: Seat) -> Vec<Event> {
        let told = match seat {
            Seat::Player(side) => &mut self.told[side as usize],
            Seat::Observer | Seat::Umpire => &mut self.told[2],
        };
        let from = *told + 1;
        *told = self.session.journal().steps.len();
        self.session
            .events(seat, from)
            .map(|(_, event)| event.clone())
            .collect()
    }

    /// Tells what happened where no human is about to be asked.
    fn gallery(&mut self) -> anyhow::Result<()> {
        let human = self
            .players
            .iter()
            .any(|(_, player)| *player == Sitter::Human);
        if human || self.quiet {
            return Ok(());
        }
        self.tell(Seat::Observer)
    }

    /// Prints what a seat has not been told yet.
    fn tell(&mut self, seat: Seat) -> anyhow::Result<()> {
        for event in self.news(seat) {
            let line = event_line(self.session.game().table().env(), &event);
            for line in self.lines(&line, 2) {
                writeln!(self.out, "  {line}")?;
            }
        }
        Ok(())
    }

    /// A text in lines that fit the terminal beside an indent; in one where there is none.
    fn lines(&self, text: &str, indent: usize) -> Vec<String> {
        if self.interactive() {
            wrap(text, size().0.saturating_sub(indent))
        } else {
            vec![text.to_owned()]
        }
    }

    /// Says something, without breaking words.
    fn say(&mut self, text: &str) -> anyhow::Result<()> {
        for line in self.lines(text, 0) {
            writeln!(self.out, "{line}")?;
        }
        Ok(())
    }

    /// Says that something is wrong.
    fn warn(&mut self, text: &str) -> anyhow::Result<()> {
        for line in self.lines(text, 0) {
            writeln!(self.out, "{}", self.paint.warn(&line))?;
        }
        Ok(())
    }

    /// Keeps the journal, if it is to be kept: after every choice, whoever made it, and on the disk.
    fn keep(&mut self) -> anyhow::Result<()> {
        match self.autosave.clone() {
            Some(path) => self.save(&path),
            None => Ok(()),
        }
    }

    fn save(&self, path: &Path) -> anyhow::Result<()> {
        write_synced(path, self.session.journal().write().as_bytes())
    }

    /// How it ended.
    fn finish(&mut self) -> anyhow::Result<()> {
        let seat = self.watcher();
        if !self.quiet {
            self.tell(seat)?;
        }
        let game = self.session.game();
        let (env, view) = (game.table().env(), game.view(seat));
        let screen = Screen {
            env,
            view: &view,
            paint: self.paint,
            rolls: &self.rolls,
        };
        if !self.quiet {
            let (width, height) = size();
            let lines =
                screen
                    .header(width)
                    .into_iter()
                    .chain(screen.map(width, height.max(24), None));
            for line in lines.chain(screen.key(width)) {
                writeln!(self.out, "{line}")?;
            }
        }
        if let Some(verdict) = &view.verdict {
            let winner = verdict.winner.as_deref().and_then(|id| env.side(id));
            let winner = winner.map_or("Nobody wins".to_owned(), |side| {
                format!("{} wins", env.sides[side].name)
            });
            let text = format!("{winner}: {} ({})", verdict.how, verdict.rule);
            writeln!(self.out, "{}", self.paint.bold(&text))?;
        }
        let journal = self.session.journal();
        writeln!(
            self.out,
            "{} decisions, seed {}, hash {}",
            journal.steps.len(),
            journal.seed,
            game.hash()
        )?;
        if self.interactive() && self.autosave.is_none() {
            self.offer_to_save()?;
        }
        Ok(())
    }

    /// Asks whether to keep the game.
    fn offer_to_save(&mut self) -> anyhow::Result<()> {
        self.step_back()?;
        let journal = self.session.journal();
        let own = free_name(
            &format!("{}-{}", journal.ruleset, journal.scenario),
            "cupola",
        );
        let own = own.display().to_string();
        let prompt = format!("Save the game? y for {own}, another file name, or Enter for no: ");
        while let Some(answer) = self.input.line(self.out, &prompt)? {
            let name = match answer.to_lowercase().as_str() {
                "" | "n" | "no" => break,
                "y" | "yes" => own.clone(),
                _ => answer,
            };
            match self.save(Path::new(&name)) {
                Ok(()) => {
                    self.say(&format!("Saved. Go on with: cupola play --load {name}"))?;
                    break;
                }
                Err(error) => self.warn(&format!("{error:#}"))?,
            }
        }
        Ok(())
    }
}
