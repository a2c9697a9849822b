//! A combat system that is a script.

use crate::limits;
use crate::script::{Script, fight_map};
use crate::world::eyes_of;
use cupola_data::{Problems, Source};
use cupola_kernel::{
    Cite, Combat, Dice, Fault, Fight, Modifier, Modifiers, Outcome, Seat, Table, Toll,
};
use rhai::{Array, Dynamic, Map};

/// A combat system that is a script: `modifiers(fight)` says what counts, `resolve(fight)` how it ends, `describe(code)`
/// what that is called, and `toll(fight, code)`, if there is one, what it costs in men.
pub struct ScriptCombat {
    script: Script,
    /// What is cited where a line names no section: what `rule()` says, or the script.
    cite: Cite,
}

impl ScriptCombat {
    /// Reads a combat system.
    ///
    /// # Errors
    /// Where its form is wrong, or a function that it lacks.
    pub fn read(source: &Source) -> Result<ScriptCombat, Problems> {
        let script = Script::read(source)?;
        script.must_have("modifiers", &["fight"])?;
        script.must_have("resolve", &["fight"])?;
        script.must_have("describe", &["code"])?;
        let rule = script.has("rule", 0).then(|| script.ask("rule"));
        let rule = rule.transpose()?.map(|rule| rule.to_string());
        let cite = Cite(rule.unwrap_or_else(|| script.name().to_owned()).into());
        Ok(ScriptCombat { script, cite })
    }

    fn counted(&self, table: &Table, fight: &Fight) -> Result<Modifiers, Fault> {
        let list = self
            .script
            .call(seen(table, fight), "modifiers", vec![fight_map(fight)])?;
        let found = list.read_lock::<Array>();
        let wanted = "a list of [label, number] or [label, section, number]";
        let lines = found
            .as_deref()
            .ok_or_else(|| self.script.expected("modifiers", wanted, &list))?;
        let lines = lines.iter().map(|line| {
            modifier(line, &self.cite)
                .ok_or_else(|| self.script.expected("modifiers", wanted, line))
        });
        Ok(Modifiers(lines.collect::<Result<Vec<Modifier>, Fault>>()?))
    }
}

/// `[label, number]`, or `[label, section, number]`: the number comes last, so that `sum` can add lines up.
fn modifier(line: &Dynamic, otherwise: &Cite) -> Option<Modifier> {
    let line = line.read_lock::<Array>()?;
    let (label, rule, value) = match &line[..] {
        [label, value] => (label, None, value),
        [label, rule, value] => (label, Some(rule), value),
        _ => return None,
    };
    let text = |value: &Dynamic| value.clone().into_string().ok();
    let rule = match rule {
        Some(rule) => Cite(text(rule)?.into()),
        None => otherwise.clone(),
    };
    Some(Modifier {
        rule,
        label: text(label)?.into(),
        value: i16::try_from(value.as_int().ok()?).ok()?,
    })
}

/// A table as those see it who attack.
fn seen<'t>(table: &'t Table, fight: &Fight) -> (&'t Table, Seat) {
    (table, eyes_of(table, fight))
}

/// A number of an outcome.
fn small(value: &Dynamic) -> Option<i16> {
    i16::try_from(value.as_int().ok()?).ok()
}

impl Combat for ScriptCombat {
    fn name(&self) -> &'static str {
        self.script.name()
    }

    fn takes_riders(&self) -> bool {
        true
    }

    /// What goes wrong is told in place of what counts; the fight itself fails with it.
    fn modifiers(&self, table: &Table, fight: &Fight) -> Modifiers {
        let counted = self.counted(table, fight);
        let counted = counted
            .unwrap_or_else(|fault| Modifiers::new().add(self.cite.clone(), fault.to_string(), 0));
        table.ride(self.name(), fight, counted)
    }

    fn resolve(&self, table: &Table, fight: &Fight, dice: &mut dyn Dice) -> Result<Outcome, Fault> {
        let mut argument = fight_map(fight);
        // What was added by lines of a variant is not the script's to know, but its to count.
        let ridden = table.ride(self.name(), fight, Modifiers::new()).sum();
        if let Some(mut map) = argument.write_lock::<Map>() {
            map.insert("added".into(), i64::from(ridden).into());
        }
        let result = self.script.call_with_dice(
            seen(table, fight),
            dice,
            "resolve",
            &[argument],
            Some(limits::WAYS),
        )?;
        let wanted = "the number of a result, or a list that begins with it";
        let bad = || self.script.expected("resolve", wanted, &result);
        if let Ok(code) = result.as_int() {
            return Ok(Outcome::code(u16::try_from(code).map_err(|_| bad())?));
        }
        let list = result.read_lock::<Array>().ok_or_else(bad)?;
        let (code, details) = list.split_first().ok_or_else(bad)?;
        Ok(Outcome {
            code: code
                .as_int()
                .ok()
                .and_then(|code| u16::try_from(code).ok())
                .ok_or_else(bad)?,
            details: details
                .iter()
                .map(small)
                .collect::<Option<Vec<i16>>>()
                .ok_or_else(bad)?,
        })
    }

    fn describe(&self, table: &Table, outcome: &Outcome) -> String {
        let told = self.script.call(
            (table, Seat::Observer),
            "describe",
            vec![i64::from(outcome.code).into()],
        );
        told.map_or_else(|fault| fault.to_string(), |text| text.to_string())
    }

    fn swing(&self, table: &Table, fight: &Fight, outcome: &Outcome) -> i32 {
        if !self.script.has("swing", 2) {
            return 0;
        }
        let arguments = vec![fight_map(fight), i64::from(outcome.code).into()];
        let told = self.script.call(seen(table, fight), "swing", arguments);
        let number = told.ok().and_then(|told| told.as_int().ok());
        number.and_then(|n| i32::try_from(n).ok()).unwrap_or(0)
    }

    fn toll(&self, table: &Table, fight: &Fight, outcome: &Outcome) -> Toll {
        if !self.script.has("toll", 2) {
            return Toll::default();
        }
        let arguments = vec![fight_map(fight), i64::from(outcome.code).into()];
        let told = self.script.call(seen(table, fight), "toll", arguments).ok();
        let map = told.as_ref().and_then(|told| told.read_lock::<Map>());
        let number = |key: &str| {
            let value = map.as_ref().and_then(|map| map.get(key)?.as_int().ok());
            value
                .and_then(|value| u32::try_from(value).ok())
                .unwrap_or(0)
        };
        Toll {
            attacker: number("attacker"),
            defender: number("defender"),
            yields: map
                .as_ref()
                .and_then(|map| map.get("yields")?.as_bool().ok())
                .unwrap_or(false),
        }
    }
}
