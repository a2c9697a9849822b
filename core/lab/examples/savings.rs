//! What shared dice save, metric by metric: `cargo run --release -p cupola-lab --example savings -- corps20 no-rain 200`.
//!
//! Plays so many pairs of July 1 (or of the scenario that is named last) and prints the table of the book's chapter on
//! tests.

use cupola_blindswords as _;
use cupola_blocks as _;
use cupola_bots::Skill;
use cupola_corps20 as _;
use cupola_kernel::{Registry, Seed, Variant};
use cupola_lab::{Contest, Metric, Played, Saving, Setting};
use cupola_library::Library;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [base, variant, pairs, rest @ ..] = &args[..] else {
        return Err("BASE VARIANT PAIRS [SCENARIO]".into());
    };
    let scenario = rest.first().map_or("gettysburg-july1", String::as_str);
    let library = Library::new(Library::find_root()?, None, Registry::linked()?);
    let setting = Setting::read(&library, scenario)?;
    let base = contest(&library, &setting, base)?;
    let variant = contest(&library, &setting, variant)?;
    let count: u32 = pairs.parse()?;
    let records = (0..count).map(|number| (base.play(number), variant.play(number)));
    let records: Vec<_> = records.collect();
    let sides = [0, 1].map(|i| setting.scenario.sides[i].side.clone());
    println!("metric            base     variant    saving   19 in 20 within   alike");
    for (name, _) in Metric::all(&sides) {
        let Ok(metric) = Metric::parse(&name, &sides, &base) else {
            continue;
        };
        let pairs = records
            .iter()
            .filter_map(|(one, other)| Some((metric.of(&base, one)?, metric.of(&variant, other)?)));
        let pairs: Vec<_> = pairs.collect();
        let of = |value: fn(&(f64, f64)) -> f64| {
            pairs.iter().map(value).sum::<f64>() / pairs.len() as f64
        };
        let alike = pairs.iter().filter(|(one, other)| one == other).count();
        let number = |x: Option<f64>| x.map_or("-".into(), |x| format!("{x:.1}"));
        let saving = Saving::of(&pairs);
        println!(
            "{name:<14} {:>9.2} {:>9.2}  {:>8}  {:>7} to {:>7}  {alike:>3} of {}",
            of(|pair| pair.0),
            of(|pair| pair.1),
            number(saving.and_then(|saving| saving.ratio)),
            number(saving.map(|saving| saving.low)),
            number(saving.and_then(|saving| saving.high)),
            pairs.len(),
        );
    }
    Ok(())
}

/// A ruleset, or a variant by its name, with steady players.
fn contest(library: &Library, setting: &Setting, name: &str) -> Result<Contest, Box<dyn Error>> {
    let file = library.root().join("variants").join(format!("{name}.ron"));
    let variant = file.is_file().then_some(file);
    let ruleset = match &variant {
        Some(path) => cupola_data::Source::read(path)?.ron::<Variant>()?.base,
        None => name.to_owned(),
    };
    let scenario = setting.scenario.played_as.get(&ruleset);
    let scenario = scenario.ok_or_else(|| format!("{ruleset} does not cover these hours"))?;
    let play = library.play(&ruleset, scenario, variant.as_deref())?;
    let played = Played {
        title: String::new(),
        ruleset,
        variant: variant.map(|path| path.display().to_string()),
        play,
    };
    Ok(setting.contest(name, played, [Skill::Steady; 2], Seed(0x1863)))
}
