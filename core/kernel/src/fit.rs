//! Whether the parts of a composition fit together: names that exist, in places where they make sense,
//! with the state and the tables that they need.

use crate::combat::{Combat, Fight};
use crate::compose::{Composition, SideSpec, Stretch};
use crate::dice::name_code;
use crate::ids::{Seat, Side};
use crate::needs::{Kind, Needs, WhoseTurn};
use crate::phase::Phase;
use crate::play::{PlayParts, Slot};
use crate::registry::Registry;
use crate::ruleset::{Input, Ruleset};
use crate::schema::{Schema, StatePart};
use crate::scripting::{Rider, SCRIPT, Scripting};
use crate::table::Table;
use crate::variant::{Change, Missing, Variant};
use cupola_data::{Problems, Source, nearest};
use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is composed, and of what.
#[derive(Clone, Copy)]
struct Composing<'a> {
    registry: &'a Registry,
    composition: &'a Composition,
    composition_file: &'a Source,
    /// The registered ruleset's name.
    base: &'a str,
    /// The ruleset's data files; none if nobody has read them, and then scripts are passed over.
    files: Option<&'a BTreeMap<String, Source>>,
}

impl Composition {
    /// Whether its parts fit together, as far as can be told before any table is read: names, their places in a turn, roles,
    /// sides and state. `base` is the registered ruleset ([`Composition::base`], before a variant has added its name), `file`
    /// what people can mend.
    ///
    /// # Errors
    /// All that does not fit.
    pub fn fits(&self, registry: &Registry, base: &str, file: &Source) -> Result<(), Problems> {
        let mut fitting = Fitting::of(Composing {
            registry,
            composition: self,
            composition_file: file,
            base,
            files: None,
        });
        let (slots, combats) = (fitting.slots(), fitting.combats());
        if let Some(ruleset) = registry.ruleset(base) {
            fitting.sides(&**ruleset);
            let schema = schema(&**ruleset, &slots);
            fitting.needs(&slots, &combats, None, &schema);
        }
        fitting.problems.check(())
    }
}

/// All state that a ruleset and the phases that are composed keep.
pub(crate) fn schema(ruleset: &dyn Ruleset, slots: &[Slot]) -> Schema {
    let mut schema = Schema::default();
    ruleset.register(&mut schema);
    let phases = slots.iter().map(|slot| &slot.phase);
    phases.for_each(|phase| phase.register(&mut schema));
    schema
}

/// Puts a composition together, and collects what does not fit.
pub(crate) struct Fitting<'a> {
    parts: Composing<'a>,
    /// The variant, if the composition comes from one: its changes are what people can mend.
    variant: Option<Variant>,
    /// Fields of the phases in order of play, each once.
    fields: Vec<(String, String)>,
    pub problems: Problems,
}

impl<'a> Fitting<'a> {
    pub(crate) fn new(parts: &'a PlayParts<'a>) -> Fitting<'a> {
        Fitting::of(Composing {
            registry: parts.registry,
            composition: parts.composition,
            composition_file: parts.composition_file,
            base: parts.base,
            files: Some(parts.files),
        })
    }

    fn of(parts: Composing<'a>) -> Fitting<'a> {
        Fitting {
            parts,
            variant: parts.composition_file.ron().ok(),
            fields: vec![],
            problems: Problems::default(),
        }
    }

    /// The ruleset as its author calls it; variants have their names behind it.
    fn ruleset(&self) -> &'a str {
        let name = &self.parts.composition.name;
        name.split('+').next().unwrap_or(name)
    }

    fn wrong(&mut self, field: &str, message: String) {
        let problem = self.parts.composition_file.problem(field, message);
        self.problems.push(problem);
    }

    fn missing(&mut self, field: &str, missing: Missing) {
        let mut problem = self
            .parts
            .composition_file
            .problem(field, missing.message.clone());
        problem.hint = missing.hint();
        self.problems.push(problem);
    }

    /// Where a phase or combat system was named: in a change of the variant, or in the composition.
    fn field(&self, name: &str, own: String) -> String {
        let names = |change: &Change| match change {
            Change::SwapPhase { to, .. } | Change::SwapCombat { to, .. } => to == name,
            Change::AddPhase { phase, .. } | Change::MovePhase { phase, .. } => phase == name,
            _ => false,
        };
        let changes = self.variant.iter().flat_map(|variant| &variant.change);
        match changes
            .map(names)
            .collect::<Vec<_>>()
            .iter()
            .rposition(|n| *n)
        {
            Some(i) => format!("change[{i}]"),
            None => own,
        }
    }

    /// The phases in order of play.
    pub(crate) fn slots(&mut self) -> Vec<Slot> {
        let mut slots = vec![];
        for (i, stretch) in self.parts.composition.sequence.iter().enumerate() {
            match stretch {
                Stretch::Once(name) => self.slot(name, None, format!("sequence[{i}]"), &mut slots),
                Stretch::Sides(names) if names.is_empty() => {
                    self.wrong(&format!("sequence[{i}]"), "no phase is named here".into());
                }
                Stretch::Sides(names) => {
                    for player in 0..2 {
                        for (j, name) in names.iter().enumerate() {
                            let field = format!("sequence[{i}].sides[{j}]");
                            self.slot(name, Some(player), field, &mut slots);
                        }
                    }
                }
            }
        }
        if slots.is_empty() && self.problems.is_empty() && self.parts.files.is_some() {
            self.wrong("sequence", "a turn needs at least one phase".into());
        }
        slots
    }

    fn slot(&mut self, name: &str, player: Option<u8>, own: String, slots: &mut Vec<Slot>) {
        let field = self.field(name, own.clone());
        let registry = self.parts.registry;
        let Some(phase) = self.phase(name, &field) else {
            return;
        };
        // A player turn comes twice in the sequence, for each side once.
        if player != Some(1) {
            let full = registry.phase_name(self.parts.base, name);
            if self.fields.iter().any(|(known, _)| *known == full) {
                self.wrong(&field, format!("phase “{name}” is played twice in a turn"));
            }
            self.fields.push((full, field.clone()));
            match (phase.needs().turn, player) {
                (WhoseTurn::Player, None) => self.wrong(
                    &field,
                    format!(
                        "phase “{name}” is played by each side in its player turn, and stands here once for both"
                    ),
                ),
                (WhoseTurn::Both, Some(_)) => self.wrong(
                    &field,
                    format!(
                        "phase “{name}” is played once for both sides, and stands here in the player turns"
                    ),
                ),
                _ => {}
            }
        }
        slots.push(Slot {
            phase,
            name: name.to_owned(),
            code: name_code(name),
            player,
        });
    }

    /// The combat systems by role.
    pub(crate) fn combats(&mut self) -> Vec<(String, Arc<dyn Combat>)> {
        let mut found = vec![];
        for (role, name) in &self.parts.composition.combat {
            let field = self.field(name, format!("combat.{role}"));
            if name.ends_with(SCRIPT) {
                let combat = self.script(name, &field, |scripting, text| scripting.combat(text));
                found.extend(combat.map(|combat| (role.clone(), combat)));
                continue;
            }
            match self.parts.registry.combat(self.parts.base, name) {
                Ok(combat) => {
                    let made_for = combat.needs().role;
                    if let Some(own) = made_for.filter(|own| own != role) {
                        let message =
                            format!("combat system “{name}” is made for “{own}”, not for “{role}”");
                        self.wrong(&field, message);
                    }
                    found.push((role.clone(), combat.clone()));
                }
                Err(missing) => self.missing(&field, missing),
            }
        }
        found
    }

    fn phase(&mut self, name: &str, field: &str) -> Option<Arc<dyn Phase>> {
        if name.ends_with(SCRIPT) {
            return self.script(name, field, |scripting, text| scripting.phase(text));
        }
        match self.parts.registry.phase(self.parts.base, name) {
            Ok(phase) => Some(phase.clone()),
            Err(missing) => {
                self.missing(field, missing);
                None
            }
        }
    }

    /// A part that is a script: the variant's, or a file of the ruleset.
    fn script<T>(
        &mut self,
        name: &str,
        field: &str,
        make: impl FnOnce(&dyn Scripting, &Source) -> Result<T, Problems>,
    ) -> Option<T> {
        let files = self.parts.files?;
        let Some(scripting) = self.parts.registry.scripting() else {
            self.wrong(
                field,
                format!("“{name}” is a script, and this program reads none"),
            );
            return None;
        };
        let own = &self.parts.composition.scripts.texts;
        let own = own.get(name).map(|text| Source::new(name, text.clone()));
        let Some(script) = own.or_else(|| files.get(name).cloned()) else {
            let known: Vec<&String> = self.parts.composition.scripts.texts.keys().collect();
            let files = files.keys().filter(|file| file.ends_with(SCRIPT));
            let message = format!(
                "no script “{name}”: is it listed under `scripts`, or under `files` of the ruleset?"
            );
            let problem = self.parts.composition_file.problem(field, message);
            let known = known.into_iter().chain(files).map(String::as_str);
            self.problems.push(problem.with_known(name, known));
            return None;
        };
        let made = make(scripting, &script);
        self.problems.keep_all(made)
    }

    /// Scripts that nothing plays are read all the same: what is wrong in them is told before somebody plays them.
    pub(crate) fn spare_scripts(&mut self) {
        let composition = self.parts.composition;
        let plays = |name: &&String| {
            let phase = composition.phases().any(|phase| phase == name.as_str());
            phase || composition.combat.values().any(|combat| combat == *name)
        };
        let own = composition.scripts.texts.keys();
        let names = own.chain(self.parts.files.into_iter().flat_map(BTreeMap::keys));
        let spare = names.filter(|name| name.ends_with(SCRIPT) && !plays(name));
        for name in spare.collect::<Vec<_>>() {
            self.script(name, "scripts", |scripting, text| {
                let phase = scripting.phase(text).err();
                let combat = scripting.combat(text).err();
                // It may be either: what it is nearer to being is what was meant.
                let wrong = phase.zip(combat).map(|(phase, combat)| {
                    if phase.len() < combat.len() {
                        phase
                    } else {
                        combat
                    }
                });
                wrong.map_or(Ok(()), Err)
            });
        }
    }

    /// The lines that are added to fights, each with the name of the combat system.
    pub(crate) fn riders(
        &mut self,
        combats: &[(String, Arc<dyn Combat>)],
    ) -> Vec<(&'static str, Arc<dyn Rider>)> {
        let mut riders = vec![];
        for line in &self.parts.composition.modifiers {
            let wrong = match self.rider(line, combats) {
                Ok(rider) => {
                    riders.push(rider);
                    continue;
                }
                Err(wrong) => wrong,
            };
            self.wrong(&self.line_at(line), wrong);
        }
        riders
    }

    /// Where a line stands: in a change of the variant, or in the composition.
    fn line_at(&self, line: &str) -> String {
        let changes = self.variant.iter().flat_map(|variant| &variant.change);
        let is_it = |change: &Change| matches!(change, Change::Modifier(own) if own == line);
        let place = changes.collect::<Vec<_>>().into_iter().position(is_it);
        place.map_or_else(|| "modifiers".to_owned(), |i| format!("change[{i}]"))
    }

    fn rider(
        &self,
        line: &str,
        combats: &[(String, Arc<dyn Combat>)],
    ) -> Result<(&'static str, Arc<dyn Rider>), String> {
        let scripting = self.parts.registry.scripting();
        let scripting =
            scripting.ok_or("a line like this is a script, and this program reads none")?;
        let (role, rider) = scripting.modifier(line)?;
        let Some((_, combat)) = combats.iter().find(|(known, _)| *known == role) else {
            let roles: Vec<&str> = combats.iter().map(|(role, _)| role.as_str()).collect();
            return Err(format!(
                "nothing fights in the role “{role}”; there are {}",
                roles.join(", ")
            ));
        };
        if !combat.takes_riders() {
            return Err(format!(
                "the combat system “{}” takes no lines like this",
                combat.name()
            ));
        }
        Ok((combat.name(), rider))
    }

    /// Every line is tried once, so that a word that the ruleset does not know is told before a game begins.
    pub(crate) fn try_riders(&mut self, riders: &[(&'static str, Arc<dyn Rider>)], table: &Table) {
        let of = |side| table.units().find(|&unit| table.info(unit).side == side);
        let (Some(one), Some(other)) = (of(Side::First), of(Side::Second)) else {
            return;
        };
        let hex = table.units().find_map(|unit| table.hex(unit));
        let fight = Fight {
            attackers: vec![one],
            defenders: vec![other],
            hex,
            terms: vec![0; 8],
        };
        // Where nobody knows who stands in a hex, a fight names the hex alone.
        let rules = &table.env().answers;
        let mut others = table
            .units()
            .filter(|&unit| table.info(unit).side == Side::Second);
        let hidden = others.any(|unit| !rules.knows(table, Seat::Player(Side::First), unit));
        let blind = hidden.then(|| Fight {
            defenders: vec![],
            ..fight.clone()
        });
        // All lines were read, or there would be no table: they stand in the order in which they are written.
        for ((_, rider), line) in riders.iter().zip(&self.parts.composition.modifiers) {
            // What stands behind an `and` may not come to be asked today.
            let known = rider.spelt(rules.name(), rules.questions());
            let told = known.and_then(|()| rider.modifiers(table, &fight));
            let told = told.and_then(|_| {
                blind
                    .iter()
                    .try_for_each(|blind| rider.modifiers(table, blind).map(drop))
            });
            if let Err(fault) = told {
                self.wrong(&self.line_at(line), fault.to_string());
            }
        }
    }

    /// The sides are two, and in the order in which the ruleset knows them.
    pub(crate) fn sides(&mut self, ruleset: &dyn Ruleset) {
        let [first, second] = &self.parts.composition.sides;
        if first.id == second.id {
            self.wrong("sides", format!("both sides are called “{}”", first.id));
        }
        let known = |side: &SideSpec, id: &str| side.role() == id;
        if let Some([one, two]) = ruleset.sides()
            && !(known(first, one) && known(second, two))
        {
            let message = format!(
                "ruleset “{}” knows “{one}” as its first side and “{two}” as its second",
                ruleset.name()
            );
            self.wrong("sides", message);
        }
    }

    /// Every switch that is set is asked for, and the other way round.
    pub(crate) fn switches(&mut self, input: &Input) {
        let asked = input.asked.borrow();
        let set = &self.parts.composition.switches;
        let base = self.ruleset();
        for name in set.keys().filter(|name| !asked.contains(*name)) {
            let field = format!("switches.{name}");
            let message = format!("ruleset “{base}” has no switch “{name}”");
            let problem = self.parts.composition_file.problem(&field, message);
            let known = asked.iter().map(String::as_str);
            self.problems.push(problem.with_known(name, known));
        }
        for name in asked.iter().filter(|name| !set.contains_key(*name)) {
            let message = format!("the switch “{name}” of ruleset “{base}” is not set");
            self.wrong("switches", message);
        }
    }

    /// Every part finds the tables, the state and the combat systems that it needs.
    pub(crate) fn needs(
        &mut self,
        slots: &[Slot],
        combats: &[(String, Arc<dyn Combat>)],
        rules: Option<&(dyn Any + Send + Sync)>,
        schema: &Schema,
    ) {
        let rules = rules.map(|rules| rules.type_id());
        let foreign = |kind: &Kind| rules.is_some_and(|rules| rules != kind.id);
        let named = &self.parts.composition.combat;
        let of = |needs: &Needs| {
            let mut missing = vec![];
            if let Some(kind) = needs.rules.filter(foreign) {
                missing.push(format!("the rules {}", kind.name));
            }
            let known = |part: &StatePart| schema.list().iter().any(|own| own.name == part.name);
            let state = needs.state.iter().filter(|part| !known(part));
            let mut state: Vec<&str> = state.map(|part| part.name).collect();
            state.sort_unstable();
            if !state.is_empty() {
                missing.push(format!("the state {}", state.join(", ")));
            }
            // One that is named and cannot be had was told already.
            let roles = needs.combats.iter();
            let roles = roles.filter(|role| !named.contains_key(**role));
            missing.extend(roles.map(|role| {
                let near = nearest(role, named.keys().map(String::as_str));
                let hint = near.map(|near| format!(" (it has one for “{near}”)"));
                format!("a combat system for “{role}”{}", hint.unwrap_or_default())
            }));
            missing
        };
        self.each(slots, combats, |needs| of(needs));
    }

    /// Set-up has put on the table what was registered and is needed.
    pub(crate) fn present(
        &mut self,
        slots: &[Slot],
        combats: &[(String, Arc<dyn Combat>)],
        table: &Table,
    ) {
        self.each(slots, combats, |needs| {
            let state = needs.state.iter().filter(|part| !(part.present)(table));
            state
                .map(|part| format!("the state {} on the table", part.name))
                .collect()
        });
    }

    fn each(
        &mut self,
        slots: &[Slot],
        combats: &[(String, Arc<dyn Combat>)],
        missing: impl Fn(&Needs) -> Vec<String>,
    ) {
        let ruleset = self.ruleset();
        let first = slots.iter().filter(|slot| slot.player != Some(1));
        for (slot, (_, field)) in first.zip(self.fields.clone()) {
            for what in missing(&slot.phase.needs()) {
                let name = &slot.name;
                self.wrong(
                    &field,
                    format!("phase “{name}” needs {what}, which ruleset “{ruleset}” does not have"),
                );
            }
        }
        for (role, combat) in combats {
            let name = &self.parts.composition.combat[role];
            let field = self.field(name, format!("combat.{role}"));
            for what in missing(&combat.needs()) {
                self.wrong(
                    &field,
                    format!(
                        "combat system “{name}” needs {what}, which ruleset “{ruleset}” does not have"
                    ),
                );
            }
        }
    }
}
