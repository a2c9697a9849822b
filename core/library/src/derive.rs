//! The files of a battle that follow from its ground, its army list and a ruleset's formulas.

use crate::Library;
use cupola_data::{Problem, Problems, Source};
use cupola_kernel::{Composition, DerivedFile, Deriving};

impl Library {
    /// Derives what a ruleset needs to play a battle, besides the grid and `battle.ron`.
    ///
    /// # Errors
    /// If the ruleset has no formulas, or what the ground or the army list lacks.
    pub fn derive(&self, ruleset: &str, battle: &str) -> Result<Vec<DerivedFile>, Problems> {
        let folder = self.known_ruleset(ruleset)?;
        let composition: Composition = Source::read(&folder.join("ruleset.ron"))?.ron()?;
        let Some(rules) = self.registry().ruleset(composition.base()) else {
            let message = "its rules are not linked into this program";
            return Err(Problem::file(ruleset, message).into());
        };
        let (plan_file, plan) = self.battle_plan(ruleset, battle)?;
        let sides = plan.sides(&plan_file, &composition.sides)?;
        let (board, _) = self.board(ruleset, battle)?;
        let list = self.battle(battle)?;
        rules.derive(&Deriving {
            ruleset,
            battle,
            title: &plan.title,
            sides: &sides,
            board: &board,
            army: &list.army,
            sun: &list.sun,
        })
    }

    /// The files of a battle that claim to be derived and are not what is derived today, each with what is wrong.
    ///
    /// # Errors
    /// If they cannot be derived at all.
    pub fn stale(&self, ruleset: &str, battle: &str) -> Result<Problems, Problems> {
        let folder = self.battle_dir(ruleset, battle)?;
        let mut problems = Problems::default();
        let marked = |path: &std::path::Path| {
            let source = Source::read(path).ok()?;
            source.text.starts_with(DerivedFile::MARK).then_some(source)
        };
        let plain = ["turns.ron", "counters.ron", "map.ron"];
        let any = plain
            .iter()
            .any(|name| marked(&folder.join(name)).is_some());
        if !any {
            return Ok(problems);
        }
        for file in self.derive(ruleset, battle)? {
            let Some(source) = marked(&folder.join(&file.name)) else {
                continue;
            };
            if source.text != file.text {
                let same = source.text.lines().zip(file.text.lines());
                let line = same.take_while(|(old, new)| old == new).count() + 1;
                let message =
                    format!("this line is not what `cupola derive {ruleset} {battle}` writes");
                let hint =
                    "derive it again; or, if it was changed on purpose, take its first line out";
                let problem = Problem {
                    line: line as u32,
                    column: 1,
                    ..Problem::file(&*source.name, message)
                };
                problems.push(problem.with_hint(hint));
            }
        }
        Ok(problems)
    }
}
