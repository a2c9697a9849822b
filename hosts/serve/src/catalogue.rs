//! What can be played, with a word of explanation for each choice.

use cupola_data::Source;
use cupola_kernel::{Composition, Variant};
use cupola_library::{Library, ScenarioInfo};
use cupola_look::Faces;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Rulesets with their scenarios and variants, and the bots.
pub(crate) fn catalogue(library: &Library) -> Value {
    let variants = variants(library);
    let rulesets: Vec<Value> = library
        .rulesets()
        .into_iter()
        .filter(|name| library.is_played(name))
        .filter_map(|name| ruleset(library, &name, &variants))
        .collect();
    json!({
        "rulesets": rulesets,
        "attributions": attributions(library),
        "bots": [
            {"name": "steady", "title": "Steady", "about": "Carries out a plan of the battle, with exact odds for each fight."},
            {"name": "search", "title": "Searching", "about": "Looks ahead from what it may know; takes its time."},
            {"name": "random", "title": "Random", "about": "Chooses anything; for trying out the rules."},
        ],
    })
}

fn ruleset(library: &Library, name: &str, variants: &[(String, Variant)]) -> Option<Value> {
    let path = library.ruleset_dir(name).join("ruleset.ron");
    let composition: Composition = Source::read(&path).ok()?.ron().ok()?;
    let known: Vec<String> = library
        .scenarios(name)
        .into_iter()
        .map(|scenario| scenario.name)
        .collect();
    let scenarios: Vec<Value> = library
        .scenarios(name)
        .into_iter()
        .map(|scenario| {
            let span = span(library, name, &scenario);
            let plan = library.battle_plan(name, &scenario.battle).ok();
            let sides = plan.and_then(|(file, plan)| plan.sides(&file, &composition.sides).ok());
            let sides = sides.unwrap_or_else(|| composition.sides.clone());
            json!({
                "sides": sides.map(|side| json!({"id": side.id, "name": side.name})),
                "name": scenario.name,
                "title": scenario.title,
                "battle": scenario.battle,
                "turns": span,
            })
        })
        .collect();
    let own = variants.iter().filter(|(_, variant)| variant.base == name);
    let own: Vec<Value> = own
        .map(|(file, variant)| json!({"name": file, "title": variant.title, "about": variant.why}))
        .collect();
    let faces = Faces::of(&library.ruleset_dir(name)).unwrap_or_default();
    Some(json!({
        "name": name,
        "title": composition.title,
        "about": faces.about,
        "chapter": faces.chapter,
        "begin": faces.begin.filter(|begin| known.contains(begin)),
        "modelled_on": composition.modelled_on,
        "sides": [
            {"id": composition.sides[0].id, "name": composition.sides[0].name},
            {"id": composition.sides[1].id, "name": composition.sides[1].name},
        ],
        "scenarios": scenarios,
        "variants": own,
    }))
}

/// How many turns a scenario has, and when they are.
fn span(library: &Library, ruleset: &str, scenario: &ScenarioInfo) -> Value {
    #[derive(serde::Deserialize)]
    struct Span {
        first: Option<String>,
        last: Option<String>,
    }
    let Ok(turns) = library.turns(ruleset, &scenario.battle) else {
        return Value::Null;
    };
    let file = library.scenario_path(ruleset, &scenario.name).ok();
    let file = file.and_then(|path| Source::read(&path).ok());
    let span: Option<Span> = file.and_then(|file| file.ron().ok());
    let place = |id: Option<String>| {
        let id = id?;
        turns.turns.iter().position(|turn| turn.id == id)
    };
    let ends = span.and_then(|span| Some((place(span.first)?, place(span.last)?)));
    match ends {
        Some((first, last)) if last >= first => json!({
            "count": last - first + 1,
            "from": turns.turns[first].label,
            "to": turns.turns[last].label,
        }),
        _ => Value::Null,
    }
}

/// What a page with pictures of the grounds must say of those whose data they are.
fn attributions(library: &Library) -> Vec<String> {
    #[derive(serde::Deserialize)]
    struct Ground {
        #[serde(default)]
        attribution: Option<String>,
    }
    let rulesets = library.rulesets().into_iter();
    let battles: BTreeSet<String> = rulesets
        .flat_map(|ruleset| library.battles(&ruleset))
        .collect();
    let read = |battle: &String| {
        let folder = library.root().join("battlefields").join(battle);
        let file = Source::read(&folder.join("battlefield.ron")).ok()?;
        file.ron::<Ground>().ok()?.attribution
    };
    battles.iter().filter_map(read).collect()
}

fn variants(library: &Library) -> Vec<(String, Variant)> {
    let read = |name: String| {
        let file = Source::read(&library.variant_path(&name)).ok()?;
        let variant: Variant = file.ron().ok()?;
        // What needs a plugin is offered only if the program was started with it.
        variant.plugins.is_empty().then_some((name, variant))
    };
    library.variants().into_iter().filter_map(read).collect()
}
