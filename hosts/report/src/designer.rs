//! Pages for designers: in what two sets of rules differ, and which numbers matter.

use crate::svg::{Svg, num};
use crate::words::escape;
use cupola_lab::sweep::{Effect, Knob, Sweep};

const STYLE: &str = include_str!("style.css");

/// What these pages have besides the style of all pages.
const OWN: &str = "main{padding-bottom:4rem}td.was{color:var(--b)}td.to{color:var(--a);font-weight:600}\
td.was::before{content:\"− \"}td.to::before{content:\"+ \"}\
.bar-up{fill:var(--a)}.bar-down{fill:var(--b)}.dim{opacity:.32}.whisker{stroke:var(--ink);stroke-width:1.6}\
.zero{stroke:var(--ink);stroke-width:1}.name{font-size:14px;fill:var(--ink)}.house{font-weight:600}.small{font-size:13px;fill:var(--soft)}\
h1{overflow-wrap:anywhere}.figure.scroll svg{min-width:52rem}tr.file th{padding-top:1.4rem;font-size:1.1rem;border-bottom:2px solid var(--ink)}\
@media(max-width:700px){.told thead{display:none}.told tr,.told th,.told td{display:block;border:0;padding:.1rem .6rem}\
.told tr{border-bottom:1px solid var(--rule);padding:.5rem 0}.told td:empty{display:none}}";

fn page(title: &str, under: &str, body: &str) -> String {
    let (title, under) = (escape(title), escape(under));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\
         <title>{title}</title><style>\n{STYLE}{OWN}</style></head>\n<body>\
         <header><p class=\"over\">Cupola · the bench</p><h1>{title}</h1><p class=\"under\">{under}</p></header>\n\
         <main>\n{body}</main></body></html>\n"
    )
}

/// In what two sets of rules differ: a page with a row for each file, whom it is about, what of it, what it was and
/// what it is.
#[must_use]
pub fn differences_page(first: &str, second: &str, rows: &[[String; 5]]) -> String {
    let under = match rows.len() {
        0 => "They are the same rules.".to_owned(),
        1 => "They differ in one thing.".to_owned(),
        many => format!("They differ in {many} things."),
    };
    page(
        &format!("{first} and {second}"),
        &under,
        &differences_table(rows),
    )
}

/// The table of such a page alone.
#[must_use]
pub fn differences_table(rows: &[[String; 5]]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut out = "<section><div class=\"scroll\"><table class=\"told\"><thead><tr><th>About</th><th>What</th>\
                   <th>Was</th><th>Is</th></tr></thead><tbody>"
        .to_owned();
    let mut last = None;
    for [file, about, what, was, to] in rows {
        // A file is named once, over all that differs in it.
        if last.replace(file) != Some(file) {
            out += &format!(
                "<tr class=\"file\"><th colspan=\"4\" scope=\"rowgroup\">{}</th></tr>",
                escape(&capital(file))
            );
        }
        let [about, what, was, to] = [about, what, was, to].map(|text| escape(text));
        out += &format!(
            "<tr><th>{about}</th><td>{what}</td><td class=\"was\">{was}</td><td class=\"to\">{to}</td></tr>"
        );
    }
    out + "</tbody></table></div></section>\n"
}

/// With a large letter at its beginning.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters
        .next()
        .map(|letter| letter.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// The path of a value in words: `counters/cs-heth/strength` is the strength of cs-heth.
fn spelled(path: &str) -> String {
    let parts: Vec<&str> = path.split('/').collect();
    match parts.as_slice() {
        [_, whom @ .., what] if !whom.is_empty() => format!("{}: {what}", whom.join(", ")),
        _ => path.to_owned(),
    }
}

/// Which numbers move which metric, and by how much: a tornado chart for each metric.
#[must_use]
pub fn sweep_page(sweep: &Sweep) -> String {
    let mut body = String::new();
    for (i, (name, sentence, base)) in sweep.metrics.iter().enumerate() {
        let clear = sweep.knobs.iter().filter(|knob| is_clear(knob, i)).count();
        body += &format!(
            "<section id=\"{id}\"><h2>{title}</h2><p class=\"claim\">{claim}</p><div class=\"figure scroll\">{chart}</div>\
             <p class=\"reading\">{reading}</p></section>\n",
            id = escape(name),
            title = escape(&capital(name)),
            claim = escape(&format!(
                "{}: {} under {}. {clear} of {} values move it beyond doubt.",
                capital(sentence),
                figure(*base),
                sweep.base,
                sweep.knobs.len()
            )),
            chart = tornado(sweep, i),
            reading = escape(&format!(
                "A bar is the mean change over {} pairs of games that share their dice; to the right is more. Its whisker holds \
                 with all others of this page at once ({} in 100 that any misses). Pale bars may be chance. Bold names are \
                 numbers of our own.",
                sweep.pairs,
                num(sweep.alpha * 100.0)
            )),
        );
    }
    body += &interactions(sweep);
    let under = format!(
        "{} values of {}, {}",
        sweep.knobs.len(),
        sweep.base,
        sweep.scenario
    );
    page("Which number matters", &under, &body)
}

fn is_clear(knob: &Knob, metric: usize) -> bool {
    let mut settings = knob.settings.iter();
    settings.any(|(_, effects)| effects.get(metric).is_some_and(|effect| effect.clear))
}

/// Room for names, in pixels, and the height of a bar.
const NAMES: f64 = 360.0;
const WIDTH: f64 = 1100.0;
const BAR: f64 = 15.0;

fn tornado(sweep: &Sweep, metric: usize) -> String {
    let mut knobs: Vec<&Knob> = sweep.knobs.iter().collect();
    knobs.sort_by(|a, b| b.reach(metric).total_cmp(&a.reach(metric)));
    let effects = |knob: &Knob| -> Vec<(i64, Effect)> {
        let settings = knob.settings.iter();
        settings
            .filter_map(|(value, effects)| Some((*value, effects.get(metric)?.clone())))
            .collect()
    };
    let ends = knobs
        .iter()
        .flat_map(|knob| effects(knob))
        .flat_map(|(_, effect)| {
            let (low, high) = effect.interval;
            [low.abs(), high.abs()]
        });
    let far = ends.filter(|end| end.is_finite()).fold(0.0, f64::max);
    let far = if far > 0.0 { far } else { 1.0 };
    let rows: usize = knobs.iter().map(|knob| knob.settings.len()).sum();
    let height = rows as f64 * (BAR + 3.0) + knobs.len() as f64 * 8.0 + 40.0;
    let (name, sentence, _) = &sweep.metrics[metric];
    let mut svg = Svg::new(
        WIDTH,
        height,
        &format!("Tornado chart of {name}: {sentence}"),
    );
    let middle = NAMES + (WIDTH - NAMES) / 2.0;
    let reach = (WIDTH - NAMES) / 2.0 - 70.0;
    let x = |value: f64| middle + (value / far).clamp(-1.0, 1.0) * reach;
    let mut y = 24.0;
    for end in [-far, 0.0, far] {
        let text = figure(end).replace('-', "−");
        svg.text("small", (x(end), 14.0), "middle", &text);
    }
    for knob in knobs {
        let class = if knob.origin.starts_with("house") {
            "name house"
        } else {
            "name"
        };
        svg.text(
            class,
            (NAMES - 60.0, y + BAR - 3.0),
            "end",
            &spelled(&knob.path),
        );
        for (value, effect) in effects(knob) {
            let dim = if effect.clear { "" } else { " dim" };
            let class = if value > knob.was {
                "bar-up"
            } else {
                "bar-down"
            };
            let (from, to) = (x(0.0).min(x(effect.mean)), x(0.0).max(x(effect.mean)));
            svg.text(
                "small",
                (NAMES - 8.0, y + BAR - 3.0),
                "end",
                &format!("{} → {value}", knob.was),
            );
            svg.rect(
                &format!("{class}{dim}"),
                (from, y),
                (to - from).max(1.0),
                BAR,
            );
            let (low, high) = effect.interval;
            if low.is_finite() && high.is_finite() {
                svg.line("whisker", (x(low), y + BAR / 2.0), (x(high), y + BAR / 2.0));
            }
            let at = x(effect.mean.max(effect.interval.1.min(far)).max(0.0)) + 6.0;
            svg.text(
                "small",
                (at, y + BAR - 3.0),
                "start",
                &Rounded(effect.mean).to_string(),
            );
            y += BAR + 3.0;
        }
        y += 8.0;
    }
    svg.line("zero", (x(0.0), 20.0), (x(0.0), height - 8.0));
    svg.finish()
}

/// A number with no more digits than it deserves.
fn figure(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        small if small < 1.0 => format!("{value:.3}"),
        middle if middle < 100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// A number with its sign and no more digits than it deserves.
struct Rounded(f64);

impl std::fmt::Display for Rounded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = match self.0 {
            0.0 => "",
            low if low < 0.0 => "−",
            _ => "+",
        };
        write!(f, "{sign}{}", figure(self.0.abs()))
    }
}

fn interactions(sweep: &Sweep) -> String {
    if sweep.interactions.is_empty() {
        return String::new();
    }
    let mut out = "<section id=\"together\"><h2>Two at once</h2><p class=\"claim\">How much two of the strongest do together \
                   beyond the sum of each alone. What is near nothing can be judged one at a time.</p>\
                   <div class=\"scroll\"><table><thead><tr><th>First</th><th>Second</th><th>Metric</th><th>Beyond the sum</th>\
                   <th>Interval</th><th>Clear</th></tr></thead><tbody>"
        .to_owned();
    for pair in &sweep.interactions {
        for effect in &pair.beyond {
            let (low, high) = effect.interval;
            out += &format!(
                "<tr><td>{} = {}</td><td>{} = {}</td><td>{}</td><td>{}</td><td>{} to {}</td><td>{}</td></tr>",
                escape(&spelled(&pair.first.0)),
                pair.first.1,
                escape(&spelled(&pair.second.0)),
                pair.second.1,
                escape(&effect.metric),
                Rounded(effect.mean),
                Rounded(low),
                Rounded(high),
                if effect.clear { "yes" } else { "no" },
            );
        }
    }
    out + "</tbody></table></div></section>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_well_formed_and_escape_what_they_are_told() {
        let row = ["tables", "crt <1>", "rolls", "A & B", "\"C\""].map(str::to_owned);
        let page = differences_page("a", "b<script>", &[row]);
        assert!(
            roxmltree::Document::parse(&page.replace("<!DOCTYPE html>", "")).is_ok(),
            "{page}"
        );
        assert!(page.contains("crt &lt;1&gt;") && !page.contains("<script>"));
        let effect = |mean: f64, half: f64| Effect {
            metric: "length".into(),
            mean,
            interval: (mean - half, mean + half),
            pairs: 20,
            clear: mean.abs() > half,
        };
        let knob = |path: &str, origin: &str, mean: f64| Knob {
            path: path.into(),
            was: 3,
            origin: origin.into(),
            settings: vec![(2, vec![effect(-mean, 0.4)]), (4, vec![effect(mean, 0.4)])],
        };
        let sweep = Sweep {
            base: "corps20".into(),
            scenario: "gettysburg-july1".into(),
            metrics: vec![("length".into(), "decisions in a game".into(), 812.0)],
            pairs: 20,
            alpha: 0.05,
            knobs: vec![
                knob("counters/a/strength", "house: x", 2.0),
                knob("counters/b/strength", "printed: y", 0.1),
            ],
            interactions: vec![],
        };
        let page = sweep_page(&sweep);
        assert!(
            roxmltree::Document::parse(&page.replace("<!DOCTYPE html>", "")).is_ok(),
            "{page}"
        );
        assert!(
            page.contains("1 of 2 values move it beyond doubt"),
            "{page}"
        );
    }
}
