//! `cupola watch`: a page that follows the files: picture, choices, odds, and what changed since the last save.

use crate::answer::Answer;
use crate::commands::draw;
use crate::context::Context;
use crate::followed::{Followed, Rules};
use crate::keep::write_file;
use crate::situation::{self, begin};
use cupola_data::visible;
use cupola_kernel::{Game, Seat, Seed};
use cupola_library::Since;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Arguments of `cupola watch`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cupola watch my-variant.ron                     then open watch.html in a browser, and edit
  cupola watch corps20/july1+my-variant.ron --choose \"unit heth\"
  cupola watch river.ron --page river.html

WHAT is a ruleset, RULESET/SCENARIO, a scenario's file, a variant, a position or a saved game; with variants on top after +. The page shows the
position, what may be chosen there and the odds of its fights; it comes anew whenever a file of the data folder, the
variant or the position is saved, and says in a designer's words what that changed. A file that does not fit is told on
the page, with line and field. A small file beside it (watch.js) tells the browser when to look again. Ctrl-C ends it.")]
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
const EVERY: Duration = Duration::from_millis(100);

/// What was seen at a look.
struct Look {
    files: Followed,
    since: Since,
    at: u32,
}

/// Watches.
pub fn run(args: &Args, context: &mut Context, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let written = vec![args.page.clone(), signal(args)];
    let mut look = Look {
        files: Followed::new(&args.what, args.lab.as_deref(), written),
        since: Since::default(),
        at: 0,
    };
    loop {
        if look.files.is_saved(context) {
            let (page, wrong) = page(args, context, &mut look);
            write_file(&args.page, page.as_bytes())?;
            if !args.once {
                // After the page: whoever sees the number finds what belongs to it.
                write_file(&signal(args), format!("saved({});\n", look.at).as_bytes())?;
            }
            writeln!(out, "{} (save {})", args.page.display(), look.at)?;
            if let Some(wrong) = wrong {
                writeln!(out, "  it does not fit yet: {wrong}")?;
            }
            out.flush()?;
        }
        if args.once {
            return Ok(Answer::Yes);
        }
        std::thread::sleep(EVERY);
    }
}

/// The file beside the page that says how often something was saved.
fn signal(args: &Args) -> PathBuf {
    args.page.with_extension("js")
}

/// The page, and what is wrong if something is.
fn page(args: &Args, context: &mut Context, look: &mut Look) -> (String, Option<String>) {
    look.at += 1;
    let body =
        body(args, context, look).map_err(|error| visible(&format!("{error:#}")).to_string());
    let wrong = body.as_ref().err().cloned();
    let body = body.unwrap_or_else(|wrong| {
        format!(
            "<section class=\"wrong\"><h2>It does not fit yet</h2><pre>{}</pre></section>",
            escape(&wrong)
        )
    });
    let title = escape(&args.what);
    let refresh = if args.once {
        String::new()
    } else {
        let signal = signal(args);
        let signal = signal.file_name().unwrap_or_default().to_string_lossy();
        let follow = FOLLOW.replace("AT", &look.at.to_string());
        let follow = follow.replace("SIGNAL", &escape(&signal));
        format!(
            "<noscript><meta http-equiv=\"refresh\" content=\"1\"/></noscript><script>{follow}</script>"
        )
    };
    let page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>{refresh}\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/><title>{title}</title>\
         <style>{STYLE}</style></head>\n<body><header><h1>{title}</h1><p>save {}</p></header><main>{body}</main></body></html>\n",
        look.at
    );
    (page, wrong)
}

fn body(args: &Args, context: &mut Context, look: &mut Look) -> anyhow::Result<String> {
    let (game, rules) = game(args, context, &look.files)?;
    if let Some(rules) = rules {
        look.since.look(rules.resolved, &rules.play, &game);
    }
    let svg = draw::picture(context, &game, &args.seat, |request| {
        let mut request = request.clone();
        request.close_up();
        Ok(cupola_draw::svg(&request))
    })?;
    let mut out = String::new();
    out += "<section><h2>Since the last save</h2><ul>";
    let told = look.since.told();
    if told.is_empty() {
        out += "<li>nothing changed yet</li>";
    }
    for told in told {
        out += &format!("<li>{}</li>", escape(&told.to_string()));
    }
    out += "</ul></section>";
    if let Some(verdict) = look.files.verdict() {
        out += &format!(
            "<section><h2>The lab</h2><pre>{}</pre></section>",
            escape(&verdict)
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
fn game(
    args: &Args,
    context: &mut Context,
    files: &Followed,
) -> anyhow::Result<(Game, Option<Rules>)> {
    let path = Path::new(&args.what);
    if path.is_file() {
        let source = cupola_data::Source::read(path)?;
        if situation::Kind::of(&source) == situation::Kind::Journal {
            let game = situation::open_under(context, path, &[], &args.choose, None)?;
            return Ok((game, None));
        }
    }
    let rules = files.rules(context)?;
    let mut game = begin(&rules.play, Seed(1863))?;
    situation::choose(&mut game, &args.choose)?;
    Ok((game, Some(rules)))
}

/// Looks for a new number five times a second, and takes the page anew when there is one. A script beside it can be asked for
/// from any folder, without a server, and the page stays where it is scrolled to.
const FOLLOW: &str = "function saved(at){if(at!==AT)location.reload()}\
setInterval(function(){var s=document.createElement('script');s.src='SIGNAL?'+Math.random();\
s.onload=s.onerror=function(){s.remove()};document.head.appendChild(s)},200)";

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
