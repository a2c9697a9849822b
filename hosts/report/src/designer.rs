//! Pages for designers: in what two sets of rules differ, and which numbers matter.

use crate::svg::{Svg, num};
use crate::words::{escape, some};
use cupola_lab::Figure;
use cupola_lab::sweep::{Effect, Knob, Sweep};

const STYLE: &str = include_str!("style.css");

/// What these pages have besides the style of all pages.
const OWN: &str = "main{padding-bottom:4rem}td.was{color:var(--b)}td.to{color:var(--a);font-weight:600}\
.bar-up{fill:var(--a)}.bar-down{fill:var(--b)}.dim{opacity:.32}.whisker{stroke:var(--ink);stroke-width:1.2}\
.zero{stroke:var(--ink);stroke-width:1}.grid{stroke:var(--rule);stroke-width:1}h2 code{font:15px monospace;color:var(--soft);margin-left:.6rem}.name{font-size:14px;fill:var(--ink)}.house{font-weight:600}.small{font-size:13px;fill:var(--soft)}\
h1{overflow-wrap:anywhere}.figure.scroll svg{min-width:52rem}tr.file th{padding-top:1.4rem;font-size:1.1rem;border-bottom:2px solid var(--ink)}\
@media(max-width:700px){.told thead{display:none}.told tr,.told th,.told td{display:block;border:0;padding:.1rem .6rem}\
.told tr{border-bottom:1px solid var(--rule);padding:.5rem 0}.told td:empty{display:none}.told td.was::before{content:\"was \"}.told td.to::before{content:\"is \"}}";

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
            "<section id=\"{id}\"><h2>{title} <code>{id}</code></h2><p class=\"claim\">{claim}</p><div class=\"figure scroll\">{chart}</div>\
             {idle}<p class=\"reading\">{reading}</p></section>\n",
            id = escape(name),
            title = escape(&capital(sentence)),
            claim = escape(&format!(
                "{} under {}. {} beyond doubt.",
                Figure(*base),
                sweep.base,
                match (clear, sweep.knobs.len()) {
                    (0, 1) => "The value does not move it".to_owned(),
                    (0, all) => format!("None of {all} values moves it"),
                    (1, 1) => "The value moves it".to_owned(),
                    (1, all) => format!("1 of {all} values moves it"),
                    (clear, all) => format!("{clear} of {all} values move it"),
                }
            )),
            chart = tornado(sweep, i),
            idle = idle(sweep, i),
            reading = escape(&format!(
                "A bar is the mean change over {} pairs of games that share their dice: to the right is more, blue is a value \
                 raised, red one lowered. Its whisker holds with all others of this page at once ({} in 100 that any misses). \
                 Pale bars may be chance. Bold names are numbers of our own.",
                sweep.pairs,
                num(sweep.alpha * 100.0)
            )),
        );
    }
    body += &interactions(sweep);
    let under = format!(
        "{} of {}, {}, played by {}",
        some(sweep.knobs.len(), "value", "values"),
        sweep.base,
        sweep.scenario,
        sweep.by()
    );
    page("Which number matters", &under, &body)
}

fn is_clear(knob: &Knob, metric: usize) -> bool {
    let mut settings = knob.settings.iter();
    settings.any(|(_, effects)| effects.get(metric).is_some_and(|effect| effect.clear))
}

/// The width of a chart in pixels, the height of a bar, and the room for what a value is set to.
const WIDTH: f64 = 1100.0;
const BAR: f64 = 16.0;
const STEP: f64 = 76.0;

/// Whether a value did nothing at all to a metric, whatever it was set to.
fn is_idle(knob: &Knob, metric: usize) -> bool {
    let each = knob
        .settings
        .iter()
        .filter_map(|(_, effects)| effects.get(metric));
    each.clone()
        .all(|effect| effect.mean == 0.0 && effect.interval == (0.0, 0.0))
}

/// The values that did nothing, in a sentence.
fn idle(sweep: &Sweep, metric: usize) -> String {
    let idle = sweep.knobs.iter().filter(|knob| is_idle(knob, metric));
    let names: Vec<String> = idle.map(|knob| spelled(&knob.path)).collect();
    match names.len() {
        0 => String::new(),
        count => format!(
            "<p class=\"reading\"><b>{count} moved nothing in any pair:</b> {}.</p>",
            escape(&names.join("; "))
        ),
    }
}

/// Where a chart has its figures: from one end to the other, in steps that people count in.
fn ticks(far: f64) -> Vec<f64> {
    let rough = far / 2.0;
    let whole = 10f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0].map(|step| step * whole);
    let step = steps
        .into_iter()
        .rev()
        .find(|step| *step <= rough)
        .unwrap_or(whole);
    let count = (far / step).floor() as i32;
    (-count..=count).map(|i| f64::from(i) * step).collect()
}

fn tornado(sweep: &Sweep, metric: usize) -> String {
    let mut knobs: Vec<&Knob> = sweep.knobs.iter().collect();
    knobs.retain(|knob| !is_idle(knob, metric));
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
            [low.abs(), high.abs(), effect.mean.abs()]
        });
    let far = ends.filter(|end| end.is_finite()).fold(0.0, f64::max);
    if far <= 0.0 {
        return String::new();
    }
    let rows: usize = knobs.iter().map(|knob| knob.settings.len()).sum();
    let height = rows as f64 * (BAR + 3.0) + knobs.len() as f64 * 8.0 + 44.0;
    let (name, sentence, _) = &sweep.metrics[metric];
    let mut svg = Svg::new(
        WIDTH,
        height,
        &format!("Tornado chart of {name}: {sentence}"),
    );
    let longest = knobs.iter().map(|knob| spelled(&knob.path).chars().count());
    // Letters of this size are some eight pixels wide; what is longer than half the chart runs out of it.
    let names = (longest.max().unwrap_or(0) as f64 * 8.2 + 12.0).min(WIDTH / 2.0);
    let left = names + STEP;
    let middle = left + (WIDTH - left) / 2.0;
    let reach = (WIDTH - left) / 2.0 - 70.0;
    let x = |value: f64| middle + (value / far).clamp(-1.0, 1.0) * reach;
    for tick in ticks(far) {
        let text = Figure(tick).to_string().replace('-', "−");
        svg.text("small", (x(tick), 14.0), "middle", &text);
        let class = if tick == 0.0 { "zero" } else { "grid" };
        svg.line(class, (x(tick), 20.0), (x(tick), height - 8.0));
    }
    let mut y = 28.0;
    for knob in knobs {
        let class = if knob.origin.starts_with("house") {
            "name house"
        } else {
            "name"
        };
        svg.text(class, (names, y + BAR - 4.0), "end", &spelled(&knob.path));
        for (value, effect) in effects(knob) {
            let said = format!("{} → {value}", knob.was);
            svg.text("small", (left - 10.0, y + BAR - 4.0), "end", &said);
            bar(&mut svg, &effect, value > knob.was, y, &x);
            y += BAR + 3.0;
        }
        y += 8.0;
    }
    svg.finish()
}

/// The mean as a bar, the interval as a whisker with an end on either side, and the mean in figures behind both.
fn bar(svg: &mut Svg, effect: &Effect, up: bool, y: f64, x: &dyn Fn(f64) -> f64) {
    let dim = if effect.clear { "" } else { " dim" };
    let class = if up { "bar-up" } else { "bar-down" };
    let (from, to) = (x(0.0).min(x(effect.mean)), x(0.0).max(x(effect.mean)));
    svg.rect(
        &format!("{class}{dim}"),
        (from, y),
        (to - from).max(1.0),
        BAR,
    );
    let (low, high) = effect.interval;
    let mut behind = x(0.0).max(x(effect.mean));
    if low.is_finite() && high.is_finite() {
        let middle = y + BAR / 2.0;
        svg.line("whisker", (x(low), middle), (x(high), middle));
        for end in [low, high] {
            svg.line("whisker", (x(end), middle - 4.0), (x(end), middle + 4.0));
        }
        behind = behind.max(x(high));
    }
    let said = Rounded(effect.mean).to_string();
    svg.text("small", (behind + 7.0, y + BAR - 4.0), "start", &said);
}

/// A number with its sign, as it is printed.
struct Rounded(f64);

impl std::fmt::Display for Rounded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&format!("{:+}", Figure(self.0)).replace('-', "−"))
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
            // Pairs that are all alike have no spread: they tell that it is rare, and not that it is nothing.
            let interval = match effect.interval {
                (0.0, 0.0) => format!("in none of {} pairs", effect.pairs),
                (low, high) => format!("{} to {}", Rounded(low), Rounded(high)),
            };
            out += &format!(
                "<tr><td>{} = {}</td><td>{} = {}</td><td>{}</td><td>{}</td><td>{interval}</td><td>{}</td></tr>",
                escape(&spelled(&pair.first.0)),
                pair.first.1,
                escape(&spelled(&pair.second.0)),
                pair.second.1,
                escape(&effect.metric),
                Rounded(effect.mean),
                if effect.clear { "yes" } else { "no" },
            );
        }
    }
    out + "</tbody></table></div></section>\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use cupola_lab::sweep::Interaction;

    #[test]
    fn pages_are_well_formed_and_escape_what_they_are_told() {
        let row = ["tables", "crt <1>", "rolls", "A & B", "\"C\""].map(str::to_owned);
        let page = differences_page("a", "b<script>", &[row]);
        assert!(
            roxmltree::Document::parse(&page.replace("<!DOCTYPE html>", "")).is_ok(),
            "{page}"
        );
        assert!(page.contains("crt &lt;1&gt;") && !page.contains("<script>"));
    }

    fn effect(mean: f64, half: f64) -> Effect {
        Effect {
            metric: "length".into(),
            mean,
            interval: (mean - half, mean + half),
            pairs: 20,
            clear: mean.abs() > half,
        }
    }

    /// Two values, of which one does something.
    fn swept() -> Sweep {
        let knob = |path: &str, origin: &str, mean: f64| Knob {
            path: path.into(),
            was: 3,
            origin: origin.into(),
            settings: vec![(2, vec![effect(-mean, 0.4)]), (4, vec![effect(mean, 0.4)])],
        };
        Sweep {
            base: "corps20".into(),
            scenario: "gettysburg-july1".into(),
            player: "steady".into(),
            plans: vec!["Hold".into(), "Take".into()],
            metrics: vec![("length".into(), "decisions in a game".into(), 812.0)],
            pairs: 20,
            alpha: 0.05,
            knobs: vec![
                knob("counters/a/strength", "house: x", 2.0),
                knob("counters/b/strength", "printed: y", 0.1),
            ],
            interactions: vec![],
        }
    }

    #[test]
    fn a_sweep_s_page_tells_what_moves_and_what_does_not() {
        let sweep = swept();
        let page = sweep_page(&sweep);
        assert!(
            roxmltree::Document::parse(&page.replace("<!DOCTYPE html>", "")).is_ok(),
            "{page}"
        );
        assert!(
            page.contains("1 of 2 values moves it beyond doubt"),
            "{page}"
        );
        // Who played, and by which plans.
        let by = "played by steady on both sides; plans &quot;Hold&quot; and &quot;Take&quot;";
        assert!(page.contains(by), "{page}");
        // One value is one value, and has no more decimals than it deserves.
        let mut one = sweep.clone();
        one.knobs.truncate(1);
        let page = sweep_page(&one);
        assert!(page.contains("1 value of corps20"), "{page}");
        assert!(page.contains("The value moves it beyond doubt"), "{page}");
        // Pairs that are all alike are no interval.
        let mut together = sweep.clone();
        together.interactions.push(Interaction {
            first: ("counters/a/strength".into(), 2),
            second: ("counters/b/strength".into(), 2),
            beyond: vec![effect(0.0, 0.0)],
        });
        let page = sweep_page(&together);
        assert!(page.contains("<td>in none of 20 pairs</td>"), "{page}");
        // What did nothing has no bar, but is named.
        let mut idle = sweep.clone();
        idle.knobs[1].settings = vec![(2, vec![effect(0.0, 0.0)])];
        let page = sweep_page(&idle);
        assert!(
            page.contains("1 moved nothing in any pair:</b> b: strength."),
            "{page}"
        );
        assert_eq!(page.matches("b: strength").count(), 1);
        assert_eq!(ticks(4347.0), [-4000.0, -2000.0, 0.0, 2000.0, 4000.0]);
        assert_eq!(ticks(0.5), [-0.5, -0.25, 0.0, 0.25, 0.5]);
    }
}
