//! `cupola print`: the sheets that a club lays beside the map.

use crate::answer::Answer;
use crate::context::Context;
use crate::keep::write_file;
use anyhow::{Context as _, bail};
use cupola_army::{Army, NodeId};
use cupola_draw::{Command, Paper, Printed, Printer, Turn};
use cupola_kernel::view::UnitView;
use cupola_kernel::{Chart, Env, Seat, Seed, Side, Term};
use cupola_look::{Counter, Faces};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;

/// Arguments of `cupola print`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cupola print corps20 --out sheets                  every sheet of the largest scenario
  cupola print blocks/day1 --out sheets --paper letter
  cupola print gbacw/first-shots --out sheets --counter 19

In the folder are one SVG a sheet and `all.html`, which a browser prints at once or saves as PDF: at 100 %, without
margins of its own.")]
pub struct Args {
    /// A ruleset, or one of its scenarios: RULESET/SCENARIO.
    #[arg(value_name = "RULESET")]
    what: String,
    /// The folder for the sheets.
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// a4 or letter.
    #[arg(long, value_name = "PAPER", default_value = "a4")]
    paper: String,
    /// The width of a counter in millimetres.
    #[arg(long, value_name = "MM", default_value_t = 16, value_parser = clap::value_parser!(u16).range(8..=60))]
    counter: u16,
}

/// Prints.
pub fn run(args: &Args, context: &Context, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let Some(paper) = Paper::parse(&args.paper) else {
        bail!("no paper \"{}\"; there are a4 and letter", args.paper);
    };
    let (ruleset, scenario) = match args.what.split_once('/') {
        Some((ruleset, scenario)) => (ruleset, scenario.to_owned()),
        None => (args.what.as_str(), largest(context, &args.what)?),
    };
    context.known_played(ruleset)?;
    let library = &context.library;
    let play = library.play_with(ruleset, &scenario, None)?;
    let battle = library.battle_of(ruleset, &scenario)?;
    let army = library.battle(&battle)?.army;
    let env = play.env();
    let folder = library.ruleset_dir(ruleset);
    let faces = Faces::of(&folder)?.for_sides(env);
    let game = play.game(Seed(1863)).context("the game cannot begin")?;
    let view = game.view(Seat::Umpire);
    let counters = Counters {
        env,
        army: &army,
        faces: &faces,
        units: &view.units,
    };
    let size = f64::from(args.counter);
    let mut printer = Printer::new(paper, &library.title(ruleset, None)?);
    for side in Side::BOTH {
        let heading = env.sides[side].name.clone();
        printer.order_of_battle(&heading, &counters.commands(side), 13.0);
    }
    printer.turns(&turns(env));
    let reference = play.reference();
    let mut charts = reference.charts.clone();
    charts.extend(meanings(&reference.terms));
    if !charts.is_empty() {
        printer.charts(&charts);
    }
    for kind in kinds(&reference.terms) {
        let own: Vec<_> = reference
            .terms
            .iter()
            .filter(|term| term.kind == kind)
            .collect();
        printer.cards(&heading(&kind), &own);
    }
    for side in Side::BOTH {
        printer.counters(&counters.of(side), size);
    }
    write(args, &printer.finish(), out)
}

/// The scenario with the most turns is the one that needs every sheet.
fn largest(context: &Context, ruleset: &str) -> anyhow::Result<String> {
    context.known_played(ruleset)?;
    let library = &context.library;
    let length = |name: &str| {
        let play = library.play_with(ruleset, name, None).ok()?;
        Some((play.env().units.len(), play.env().last_turn))
    };
    let names = library.scenarios(ruleset).into_iter();
    let all = names.filter_map(|scenario| Some((length(&scenario.name)?, scenario.name)));
    let most = all.max_by_key(|(length, _)| *length).map(|(_, name)| name);
    most.with_context(|| format!("{ruleset} has no scenario"))
}

/// The counters of a game.
struct Counters<'a> {
    env: &'a Env,
    army: &'a Army,
    faces: &'a Faces,
    units: &'a [UnitView],
}

impl Counters<'_> {
    /// All of a side, in the order of its army list.
    fn of(&self, side: Side) -> Vec<Counter> {
        let id = &self.env.sides[side].id;
        let own = self.units.iter().filter(|unit| unit.side == *id);
        own.map(|unit| self.printed(unit)).collect()
    }

    /// A counter as it comes out of the box: what happens to it in play is not printed on it.
    fn printed(&self, unit: &UnitView) -> Counter {
        Counter {
            badges: vec![],
            facing: None,
            pale: false,
            back: false,
            ..self.faces.counter(unit)
        }
    }

    /// The headquarters of a side, from the top down, each with the counters directly under it.
    fn commands(&self, side: Side) -> Vec<Command> {
        let id = &self.env.sides[side].id;
        let mut under: BTreeMap<Option<usize>, Vec<Counter>> = BTreeMap::new();
        let mut wanted = BTreeSet::new();
        for unit in self.units.iter().filter(|unit| unit.side == *id) {
            let above = self.headquarters(unit);
            wanted.extend(
                above
                    .iter()
                    .flat_map(|id| self.army.ancestors(*id))
                    .map(|id| id.index()),
            );
            let at = above.map(|id| id.index());
            under.entry(at).or_default().push(self.printed(unit));
        }
        let mut commands: Vec<Command> = vec![];
        for id in self.army.ids().filter(|id| wanted.contains(&id.index())) {
            let node = self.army.node(id);
            let men = self.army.men(id);
            let about = match node.commander.as_str() {
                "" => format!("{men} men"),
                name => format!("{name}, {men} men"),
            };
            commands.push(Command {
                depth: self.army.ancestors(id).count() - 1,
                name: node.name.clone(),
                about,
                counters: under.remove(&Some(id.index())).unwrap_or_default(),
            });
        }
        let rest: Vec<Counter> = under.into_values().flatten().collect();
        if !rest.is_empty() {
            commands.push(Command {
                depth: 0,
                name: "Others".into(),
                about: String::new(),
                counters: rest,
            });
        }
        commands
    }

    /// The formation above a counter; a counter for a whole army stands under itself.
    fn headquarters(&self, unit: &UnitView) -> Option<NodeId> {
        let index = self.env.unit(unit.id.as_ref()?)?;
        let info = &self.env.units[usize::from(index.0)];
        let node = self.army.get(info.nodes.first()?)?;
        Some(self.army.ancestors(node).nth(1).unwrap_or(node))
    }
}

fn turns(env: &Env) -> Vec<Turn> {
    let last = usize::from(env.last_turn).min(env.track.turns.len() - 1);
    let first = usize::from(env.first_turn).min(last);
    let turns = env.track.turns[first..=last].iter();
    let hour = |moment: String| moment.get(11..16).unwrap_or_default().to_owned();
    turns
        .map(|turn| Turn {
            label: turn.label.clone(),
            hours: format!(
                "{}\u{2013}{}",
                hour(turn.start.to_string()),
                hour(turn.end.to_string())
            ),
            light: turn.light.to_string(),
        })
        .collect()
}

/// Kinds of terms that are words, rather than things on the table, and what they are called together.
const WORDS: [(&str, &str); 3] = [
    ("result", "Results"),
    ("word", "Words"),
    ("entry", "Entries"),
];

/// What the letters in the tables and other words mean: on paper nobody can point at them.
fn meanings(terms: &[Term]) -> Vec<Chart> {
    let of = |(kind, title): (&str, &str)| {
        let own = terms.iter().filter(|term| term.kind == kind);
        let cited = |rule: &str| match rule {
            "" => String::new(),
            rule => format!("\u{a7}{rule}"),
        };
        let row = |term: &Term| vec![term.name.clone(), term.text.clone(), cited(&term.rule)];
        let rows: Vec<Vec<String>> = own.map(row).collect();
        (!rows.is_empty()).then(|| Chart {
            title: title.to_owned(),
            head: [kind, "means", "rule"].map(str::to_owned).to_vec(),
            rows,
            ..Chart::default()
        })
    };
    WORDS.into_iter().filter_map(of).collect()
}

/// Kinds of terms that are things on the table, rather than words.
fn kinds(terms: &[Term]) -> Vec<String> {
    let all: BTreeSet<&String> = terms.iter().map(|term| &term.kind).collect();
    let things = all
        .into_iter()
        .filter(|kind| WORDS.iter().all(|(word, _)| word != kind));
    things.cloned().collect()
}

fn heading(kind: &str) -> String {
    let mut letters = kind.chars();
    let first = letters
        .next()
        .map(|letter| letter.to_uppercase().to_string());
    format!("{}{}s", first.unwrap_or_default(), letters.as_str())
}

fn write(args: &Args, sheets: &[Printed], out: &mut dyn Write) -> anyhow::Result<Answer> {
    std::fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
    let mut all = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{}</title>\
         <style>@page{{size:{};margin:0}}body{{margin:0}}svg{{display:block;break-after:page}}</style>\n",
        args.what, args.paper
    );
    for (number, sheet) in sheets.iter().enumerate() {
        let path = args
            .out
            .join(format!("{:02}-{}.svg", number + 1, sheet.name));
        write_file(&path, sheet.svg.as_bytes())?;
        all.push_str(&sheet.svg);
    }
    let path = args.out.join("all.html");
    write_file(&path, all.as_bytes())?;
    writeln!(
        out,
        "{} sheets in {}; print {} at 100 %.",
        sheets.len(),
        args.out.display(),
        path.display()
    )?;
    Ok(Answer::Yes)
}

#[cfg(test)]
mod tests {
    use super::{kinds, meanings};
    use cupola_kernel::Term;

    #[test]
    fn what_letters_mean_is_printed_and_what_lies_on_the_table_is_cut_out() {
        let term = |name: &str, kind: &str| Term {
            name: name.to_owned(),
            kind: kind.to_owned(),
            text: "x".to_owned(),
            rule: "7".to_owned(),
        };
        let terms = [term("DR", "result"), term("Rebel Yell!", "card")];
        let charts = meanings(&terms);
        assert_eq!(charts.len(), 1);
        assert_eq!(charts[0].rows, [["DR", "x", "\u{a7}7"]]);
        assert_eq!(kinds(&terms), ["card"]);
    }
}
