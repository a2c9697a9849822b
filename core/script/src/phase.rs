//! A phase that is a script.

use crate::deeds::{carry_out, noting};
use crate::script::Script;
use crate::world::{from_arg, side, to_arg};
use bevy_ecs::prelude::Resource;
use cupola_data::{Problem, Problems, Source};
use cupola_kernel::{
    Act, Arg, Ask, Cite, Fault, Needs, Options, Phase, Refusal, Schema, Seat, Setup, Step, Table,
};
use rhai::{Array, Dynamic, Map};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What scripts remember, by script and name.
#[derive(Resource, Clone, Debug, Default, Serialize, Deserialize)]
pub struct Memory(BTreeMap<(String, String), i64>);

/// A phase that is a script. `next()` says who must choose or, with nothing, that the phase is over; `options(question)`
/// lists the answers, `take(question, answer)` carries one out. A phase that asks nothing has `next()` alone.
pub struct ScriptPhase {
    script: Script,
    verbs: &'static [&'static str],
    needs: Needs,
    cite: Cite,
}

impl ScriptPhase {
    /// Reads a phase.
    ///
    /// # Errors
    /// Where its form is wrong, or a function that it lacks.
    pub fn read(source: &Source) -> Result<ScriptPhase, Problems> {
        let script = Script::read(source)?;
        script.must_have("next", &[])?;
        let mut verbs: Vec<&'static str> = vec![];
        if script.has("verbs", 0) {
            script.must_have("options", &["question"])?;
            script.must_have("take", &["question", "answer"])?;
            let list = script.ask("verbs")?;
            let wrong = || {
                Problem::file(
                    &source.name,
                    "`verbs` gives back a list of up to 32 words without spaces",
                )
            };
            let words = list.read_lock::<Array>().ok_or_else(wrong)?;
            for word in words.iter() {
                let word = word
                    .clone()
                    .into_string()
                    .ok()
                    .filter(|word| !word.is_empty() && !word.contains(' '));
                let word = word.filter(|_| verbs.len() < 32).ok_or_else(wrong)?;
                verbs.push(script.word(&word).map_err(|_| wrong())?);
            }
        }
        let text = |function: &str| -> Result<Option<String>, Problems> {
            let asked = script
                .has(function, 0)
                .then(|| script.ask(function))
                .transpose()?;
            Ok(asked.map(|value| value.to_string()))
        };
        let needs = match text("whose")?.as_deref() {
            None => Needs::nothing(),
            Some("player") => Needs::nothing().player_turn(),
            Some("once") => Needs::nothing().once(),
            Some(_) => {
                let message = "`whose` gives back \"player\" or \"once\"";
                return Err(Problem::file(&source.name, message).into());
            }
        };
        let cite = Cite(
            text("rule")?
                .unwrap_or_else(|| script.name().to_owned())
                .into(),
        );
        let verbs: &'static [&'static str] = if verbs.is_empty() {
            &[]
        } else {
            Vec::leak(verbs)
        };
        Ok(ScriptPhase {
            script,
            verbs,
            needs,
            cite,
        })
    }

    fn memory(&self, t: &Table) -> BTreeMap<String, i64> {
        let all = &t.res::<Memory>().0;
        let own = all
            .iter()
            .filter(|((script, _), _)| script == self.script.name());
        own.map(|((_, key), value)| (key.clone(), *value)).collect()
    }

    /// Calls a function that may roll and change things, and carries out what it wants.
    fn act(&self, t: &mut Table, function: &str, arguments: &[Dynamic]) -> Result<Dynamic, Fault> {
        let memory = self.memory(t);
        let (deeds, result) = noting(memory, true, || {
            t.with_dice(|t, dice| {
                let seen = (t, Seat::Umpire);
                self.script
                    .call_with_dice(seen, dice, function, arguments, None)
            })
        });
        let value = result?;
        for (key, number) in carry_out(t, self.script.name(), &self.cite, deeds)? {
            let own = (self.script.name().to_owned(), key);
            t.res_mut::<Memory>().0.insert(own, number);
        }
        Ok(value)
    }

    /// Calls a function that only looks, with the eyes of the player who is asked.
    fn look(
        &self,
        t: &Table,
        ask: Ask,
        function: &str,
        arguments: Vec<Dynamic>,
    ) -> Result<Dynamic, Fault> {
        let seen = (t, Seat::Player(ask.side));
        noting(self.memory(t), false, || {
            self.script.call(seen, function, arguments)
        })
        .1
    }

    /// An answer as a script sees it: its verb, then what it names.
    fn answer(&self, t: &Table, act: Act) -> Dynamic {
        let verb = self
            .verbs
            .get(usize::from(act.verb))
            .copied()
            .unwrap_or("?");
        let named = act.args.into_iter().filter(|arg| *arg != Arg::None);
        let list = std::iter::once(Dynamic::from(verb)).chain(named.map(|arg| from_arg(t, arg)));
        list.collect::<Array>().into()
    }

    /// An answer from a script: a verb, or a list of a verb and up to three things.
    fn read_answer(&self, t: &Table, value: &Dynamic) -> Result<Act, Fault> {
        let bad = || {
            self.script.expected(
                "options",
                "answers: a verb, or a list of a verb and up to three things",
                value,
            )
        };
        let list = match value.read_lock::<Array>() {
            Some(list) => list.clone(),
            None => vec![value.clone()],
        };
        let (verb, named) = list.split_first().ok_or_else(bad)?;
        let verb = verb.clone().into_string().map_err(|_| bad())?;
        let verb = self
            .verbs
            .iter()
            .position(|known| *known == verb)
            .ok_or_else(|| {
                Fault::Broken(format!(
                    "{}: “{verb}” is not among its `verbs`",
                    self.script.name()
                ))
            })?;
        if named.len() > 3 {
            return Err(bad());
        }
        let mut args = [Arg::None; 3];
        for (slot, value) in args.iter_mut().zip(named) {
            *slot = to_arg(t, value).map_err(|error| self.script.fault(&error))?;
        }
        Ok(Act {
            verb: verb as u8,
            args,
        })
    }
}

impl Phase for ScriptPhase {
    fn name(&self) -> &'static str {
        self.script.name()
    }

    fn verbs(&self) -> &'static [&'static str] {
        self.verbs
    }

    fn needs(&self) -> Needs {
        self.needs.clone()
    }

    fn register(&self, schema: &mut Schema) {
        schema.resource::<Memory>();
    }

    fn prepare(&self, setup: &mut Setup) {
        setup.insert(Memory::default());
    }

    fn enter(&self, t: &mut Table) -> Result<(), Fault> {
        if self.script.has("enter", 0) {
            return self.act(t, "enter", &[]).map(|_| ());
        }
        Ok(())
    }

    fn next(&self, t: &mut Table) -> Result<Step, Fault> {
        let value = self.act(t, "next", &[])?;
        if value.is_unit() {
            return Ok(Step::Done);
        }
        let wanted = "nothing, or #{side: …, question: …}";
        let bad = || self.script.expected("next", wanted, &value);
        let map = value.read_lock::<Map>().ok_or_else(bad)?;
        let text = |key: &str| {
            map.get(key)
                .and_then(|value| value.clone().into_string().ok())
        };
        let asked =
            side(t, &text("side").ok_or_else(bad)?).map_err(|error| self.script.fault(&error))?;
        let question = self.script.word(&text("question").ok_or_else(bad)?)?;
        let rule = self
            .script
            .word(&text("rule").unwrap_or_else(|| self.cite.0.to_string()))?;
        Ok(Step::ask(asked, question, rule))
    }

    fn options(&self, t: &Table, ask: Ask, out: &mut Options) -> Result<(), Fault> {
        let list = self.look(t, ask, "options", vec![ask.question.into()])?;
        let acts = list
            .read_lock::<Array>()
            .ok_or_else(|| self.script.expected("options", "a list", &list))?;
        for act in acts.iter() {
            out.push_act(self.read_answer(t, act)?);
        }
        Ok(())
    }

    fn take(&self, t: &mut Table, ask: Ask, act: Act) -> Result<(), Fault> {
        let answer = self.answer(t, act);
        self.act(t, "take", &[ask.question.into(), answer])
            .map(|_| ())
    }

    fn why_not(&self, t: &Table, ask: Ask, act: Act) -> Refusal {
        let cite = ask.cite();
        if !self.script.has("why_not", 2) {
            return Refusal::new(cite, "is not among the answers");
        }
        let told = self.look(
            t,
            ask,
            "why_not",
            vec![ask.question.into(), self.answer(t, act)],
        );
        Refusal::new(
            cite,
            told.map_or_else(|fault| fault.to_string(), |why| why.to_string()),
        )
    }

    fn text(&self, t: &Table, ask: Ask, act: Act) -> String {
        let plain = || {
            let answer = self.answer(t, act);
            let words = answer.read_lock::<Array>();
            let words = words.iter().flat_map(|words| words.iter());
            let named = |word: &Dynamic| match word.clone().try_cast::<crate::world::Unit>() {
                Some(unit) => t.info(unit.0).name.clone(),
                None => match word.clone().try_cast::<crate::world::Hex>() {
                    Some(hex) => t.board().label(hex.0).to_owned(),
                    None => word.to_string(),
                },
            };
            words.map(named).collect::<Vec<_>>().join(" ")
        };
        if !self.script.has("text", 2) {
            return plain();
        }
        let told = self.look(
            t,
            ask,
            "text",
            vec![ask.question.into(), self.answer(t, act)],
        );
        told.map_or_else(|fault| fault.to_string(), |text| text.to_string())
    }

    fn prompt(&self, t: &Table, ask: Ask) -> String {
        if !self.script.has("prompt", 1) {
            return ask.question.to_owned();
        }
        let told = self.look(t, ask, "prompt", vec![ask.question.into()]);
        told.map_or_else(|fault| fault.to_string(), |text| text.to_string())
    }
}
