//! A play that starts from a situation set up by hand.

use crate::ids::Side;
use crate::play::Play;
use crate::ruleset::{Position, PositionFile};
use crate::setup::Setup;
use cupola_data::{Problem, Problems};
use std::sync::Arc;

impl Play {
    /// The same play, starting from a situation set up by hand.
    ///
    /// # Errors
    /// Everything that is wrong with the position, at once.
    pub fn at(&self, file: &PositionFile) -> Result<Play, Problems> {
        let header = file.header()?;
        if header.adapts() {
            return self.adapted(file, &header)?.stood_up(file, &header);
        }
        self.stood_up(file, &header)
    }

    fn stood_up(&self, file: &PositionFile, header: &Position) -> Result<Play, Problems> {
        let mut table = Setup::again(self.start.rebuilt());
        let mut problems = Problems::default();
        if let Some(turn) = problems.keep(self.turn_of(file, header)) {
            table.set_turn(turn);
        }
        let side = problems.keep(self.side_of(file, header)).flatten();
        if let Some(slot) = problems.keep(self.slot_of(file, header, side)) {
            table.flow.slot = slot;
            table.flow.last_active = side;
        }
        problems.check(())?;
        self.inner.ruleset.position(&mut table, file)?;
        if let Some(fault) = table.take_fault() {
            return Err(Problem::file(&file.source.name, fault.to_string()).into());
        }
        Ok(Play {
            inner: self.inner.clone(),
            start: Arc::new(table.done()),
            position: (!file.in_case).then(|| file.source.text.as_str().into()),
        })
    }

    fn turn_of(&self, file: &PositionFile, header: &Position) -> Result<u16, Problem> {
        let (env, name) = (&self.inner.env, header.turn.as_str());
        let turns = &env.track.turns;
        let mut known = turns.iter();
        let turn = known.position(|turn| turn.id == name || turn.label == name);
        let wrong = |message: String| file.source.problem(&file.field("turn"), message);
        let Some(turn) = turn else {
            let names = turns.iter().flat_map(|turn| [&*turn.id, &*turn.label]);
            let problem = wrong(format!("no turn \"{name}\"")).with_nearest(name, names);
            return Err(match (&problem.hint, turns.first(), turns.last()) {
                (None, Some(first), Some(last)) => {
                    problem.with_hint(format!("they go from \"{}\" to \"{}\"", first.id, last.id))
                }
                _ => problem,
            });
        };
        match turns.get(usize::from(env.last_turn)) {
            Some(last) if turn > usize::from(env.last_turn) => Err(wrong(format!(
                "the scenario ends with turn \"{}\", before \"{name}\"",
                last.id
            ))),
            _ => Ok(turn as u16),
        }
    }

    fn side_of(&self, file: &PositionFile, header: &Position) -> Result<Option<Side>, Problem> {
        let Some(id) = &header.side else {
            return Ok(None);
        };
        let found = self.inner.env.side(id);
        let problem = || {
            let message = format!("no side \"{id}\", there are {}", self.side_names());
            file.source.problem(&file.field("side"), message)
        };
        found.ok_or_else(problem).map(Some)
    }

    fn side_names(&self) -> String {
        let sides = &self.inner.env.sides;
        format!("\"{}\" and \"{}\"", sides.first.id, sides.second.id)
    }

    fn slot_of(
        &self,
        file: &PositionFile,
        header: &Position,
        side: Option<Side>,
    ) -> Result<u16, Problem> {
        let player = side.map(|side| u8::from(side == Side::Second));
        let slots = || self.inner.slots.iter();
        let named = |name: &str| name == header.phase;
        let found = slots()
            .position(|slot| named(&slot.name) && (slot.player.is_none() || slot.player == player));
        if let Some(found) = found {
            return Ok(found as u16);
        }
        let wrong = |field: &str, message: String| file.source.problem(&file.field(field), message);
        if slots().any(|slot| named(&slot.name)) {
            let message = format!(
                "phase \"{}\" is played by each side: say whose turn it is, {}",
                header.phase,
                self.side_names()
            );
            return Err(wrong("side", message));
        }
        let mut names: Vec<&str> = vec![];
        for name in slots().map(|slot| slot.name.as_str()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let message = format!("no phase \"{}\"", header.phase);
        let problem = wrong("phase", message).with_nearest(&header.phase, names.iter().copied());
        Err(match problem.hint {
            None => problem.with_hint(format!("there are {}", names.join(", "))),
            Some(_) => problem,
        })
    }
}
