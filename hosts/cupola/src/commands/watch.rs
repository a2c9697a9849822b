//! `cupola watch`: a page that follows the files: picture, choices, odds, and what changed since the last save.

use crate::answer::Answer;
use crate::commands::draw;
use crate::context::Context;
use crate::keep::write_file;
use crate::situation::{self, begin};
use crate::thing::Thing;
use cupola_data::visible;
use cupola_kernel::{Game, Seat, Seed};
use cupola_library::{Resolved, Told, differences, displaced};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
#[expect(
    clippy::disallowed_types,
    reason = "when a file was saved; no rule sees it"
)]
use std::time::SystemTime;

/// Arguments of `cupola watch`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cupola watch my-variant.ron                     then open watch.html in a browser, and edit
  cupola watch corps20/july1+my-variant.ron --choose \"unit heth\"
  cupola watch river.ron --page river.html

WHAT is a ruleset, RULESET/SCENARIO, a variant, a position or a saved game; with variants on top after +. The page shows the
position, what may be chosen there and the odds of its fights; it comes anew whenever a file of the data folder, the
variant or the position is saved, and says in a designer's words what that changed. A file that does not fit is told on
the page, with line and field. Ctrl-C ends it.")]
pub struct Args {
    /// What to watch.
    what: String,
    /// The page.
    #[arg(long, value_name = "FILE", default_value = "watch.html")]
    page: PathBuf,
    /// Choose this first; may be given several times.
    #[arg(long, value_name = "ID")]
    choose: Vec<String>,
    /// Whose eyes: a side, `observer`, or `umpire`, who sees all.
    #[arg(long, value_name = "SEAT", default_value = "umpire")]
    seat: String,
    /// A folder of `cupola lab test`, whose verdict stands on the page too.
    #[arg(long, value_name = "DIR")]
    lab: Option<PathBuf>,
    /// Write the page once and end.
    #[arg(long)]
    once: bool,
}

/// How often the files are looked at.
const EVERY: Duration = Duration::from_millis(250);

/// What was seen at a look.
#[derive(Default)]
struct Look {
    rules: Option<(Resolved, Game)>,
    told: Vec<Told>,
    at: u32,
}

/// Watches.
pub fn run(args: &Args, context: &mut Context, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let mut look = Look::default();
    let mut seen = BTreeMap::new();
    loop {
        let now = stamps(args, context);
        if now != seen {
            seen = now;
            let page = page(args, context, &mut look);
            write_file(&args.page, page.as_bytes())?;
            writeln!(out, "{} (save {})", args.page.display(), look.at)?;
            out.flush()?;
        }
        if args.once {
            return Ok(Answer::Yes);
        }
        std::thread::sleep(EVERY);
    }
}

/// When each of the files was saved: those of the data folder, and those that were named.
#[expect(
    clippy::disallowed_types,
    reason = "when a file was saved; no rule sees it"
)]
fn stamps(args: &Args, context: &Context) -> BTreeMap<PathBuf, SystemTime> {
    let mut found = BTreeMap::new();
    let page = args.page.canonicalize().ok();
    let mut note = |path: PathBuf| {
        // What is written here is no news.
        if page.is_some() && path.canonicalize().ok() == page {
            return;
        }
        if let Ok(time) = std::fs::metadata(&path).and_then(|file| file.modified()) {
            found.insert(path, time);
        }
    };
    let mut folders = vec![context.library.root().to_owned()];
    folders.extend(context.library.user().map(Path::to_owned));
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(path),
                _ => note(path),
            }
        }
    }
    let named: Vec<PathBuf> = args.what.split('+').map(PathBuf::from).collect();
    // Scripts lie beside the variant that names them.
    let folders = named.iter().filter(|path| path.is_file());
    let folders = folders.map(|path| {
        path.parent()
            .filter(|folder| !folder.as_os_str().is_empty())
    });
    let folders = folders.map(|folder| folder.unwrap_or(Path::new(".")));
    let beside =
        folders.flat_map(|folder| std::fs::read_dir(folder).into_iter().flatten().flatten());
    let scripts: Vec<PathBuf> = beside
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "rhai"))
        .collect();
    named
        .into_iter()
        .chain(scripts)
        .chain(args.lab.iter().map(|lab| lab.join("verdict.txt")))
        .for_each(&mut note);
    found
}

fn page(args: &Args, context: &mut Context, look: &mut Look) -> String {
    look.at += 1;
    let body = match body(args, context, look) {
        Ok(body) => body,
        Err(error) => format!(
            "<section class=\"wrong\"><h2>It does not fit yet</h2><pre>{}</pre></section>",
            escape(&visible(&format!("{error:#}")))
        ),
    };
    let title = escape(&args.what);
    // Without a script, so that it works from any folder; old eyes and small screens included.
    let refresh = if args.once {
        ""
    } else {
        "<meta http-equiv=\"refresh\" content=\"1\"/>"
    };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>{refresh}\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/><title>{title}</title>\
         <style>{STYLE}</style></head>\n<body><header><h1>{title}</h1><p>save {}</p></header><main>{body}</main></body></html>\n",
        look.at
    )
}

fn body(args: &Args, context: &mut Context, look: &mut Look) -> anyhow::Result<String> {
    let (game, rules) = game(args, context)?;
    if let Some(rules) = rules {
        if let Some((before, stood)) = &look.rules {
            let mut told = differences(before, &rules);
            told.extend(displaced(stood, &game));
            // A save that changed nothing leaves the last change on the page.
            if !told.is_empty() {
                look.told = told;
            }
        }
        look.rules = Some((rules, game.fork()));
    }
    let svg = draw::picture(context, &game, &args.seat, |request| {
        let mut request = request.clone();
        draw::close_up(&mut request);
        Ok(cupola_draw::svg(&request))
    })?;
    let mut out = String::new();
    out += "<section><h2>Since the last save</h2><ul>";
    if look.told.is_empty() {
        out += "<li>nothing changed yet</li>";
    }
    for told in &look.told {
        out += &format!("<li>{}</li>", escape(&told.to_string()));
    }
    out += "</ul></section>";
    if let Some(lab) = &args.lab {
        let verdict = std::fs::read_to_string(lab.join("verdict.txt"));
        let verdict = verdict.unwrap_or_else(|_| "no verdict there yet".to_owned());
        out += &format!(
            "<section><h2>The lab</h2><pre>{}</pre></section>",
            escape(&visible(&verdict))
        );
    }
    out += &choices(&game);
    out += &format!(
        "<section class=\"map\">{}</section>",
        svg.trim_start_matches("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")
    );
    Ok(out)
}

/// The game as it stands, and the rules it is played by; a saved game has its own.
fn game(args: &Args, context: &mut Context) -> anyhow::Result<(Game, Option<Resolved>)> {
    let path = Path::new(&args.what);
    if path.is_file() {
        let source = cupola_data::Source::read(path)?;
        if situation::Kind::of(&source) == situation::Kind::Journal {
            let game = situation::open_under(context, path, &[], &args.choose, None)?;
            return Ok((game, None));
        }
    }
    let mut thing = Thing::of(context, &args.what)?;
    thing.scenario = Some(thing.scenario(context)?);
    let rules = thing.resolve(context)?;
    let variant = thing.variant_with(context, &[])?;
    let play = thing.play(context, variant.as_ref())?;
    let mut game = begin(&play, Seed(1863))?;
    situation::choose(&mut game, &args.choose)?;
    Ok((game, Some(rules)))
}

/// How many options the page lists.
const LISTED: usize = 60;

fn choices(game: &Game) -> String {
    let view = game.view(Seat::Umpire);
    let Some(decision) = view.decision else {
        return "<section><h2>The game is over</h2></section>".to_owned();
    };
    let env = game.table().env();
    let side = env.side(&decision.side).map(|side| &env.sides[side].name);
    let mut out = format!(
        "<section><h2>{}: {}</h2><p class=\"count\">{} choices</p><ol>",
        escape(side.unwrap_or(&decision.side)),
        escape(&decision.prompt),
        decision.options.len()
    );
    for option in decision.options.iter().take(LISTED) {
        out += &format!(
            "<li>{} <code>{}</code>",
            escape(&option.text),
            escape(&option.id)
        );
        let preview = game
            .parse(&option.id)
            .ok()
            .and_then(|act| game.preview(act));
        if let Some(preview) = preview {
            let mut told = vec![];
            let _ = crate::tell::preview_out(&mut told, &preview, "");
            out += &format!("<pre>{}</pre>", escape(&String::from_utf8_lossy(&told)));
        }
        out += "</li>";
    }
    out += "</ol>";
    if decision.options.len() > LISTED {
        out += &format!(
            "<p class=\"count\">and {} more: cupola moves</p>",
            decision.options.len() - LISTED
        );
    }
    out + "</section>"
}

fn escape(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

const STYLE: &str = "body{margin:0;background:#fbf8f0;color:#221d18;font:18px/1.5 Georgia,serif}\
header,main{max-width:1500px;margin:0 auto;padding:1rem 2rem}header{display:flex;gap:2rem;align-items:baseline}\
h1{font-size:2rem;margin:0}h2{font-size:1.3rem;margin:1.2rem 0 .3rem}main{display:grid;grid-template-columns:minmax(22rem,1fr) 2fr;gap:0 3rem}\
.map{grid-column:2;grid-row:1/9}.map svg{width:100%;height:auto}.wrong{grid-column:1/3;border-left:6px solid #8c3a22;padding-left:1rem}\
pre{white-space:pre-wrap;font:15px/1.45 monospace;background:#ece5d6;padding:.4rem .6rem;margin:.2rem 0}code{font:14px monospace;color:#5a5148}\
li{margin:.15rem 0}.count{color:#5a5148;margin:0}@media(max-width:900px){main{display:block}}";
