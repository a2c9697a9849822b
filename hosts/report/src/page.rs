//! The page: one file that opens anywhere, without a network.

use crate::figures::{
    balance, contact, corps, decisions, distance, faults, fronts, games, headline, hourly, losses,
    luck, moved, onegame, orders, places, robust, scope, tempo,
};
use crate::ground::Ground;
use crate::view::{Section, View};
use crate::words::escape;
use cupola_lab::model::Comparison;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The report of a comparison as one page of HTML, which is also well-formed XML. It loads nothing: pictures, style
/// and script are in it.
#[must_use]
pub fn page(comparison: &Comparison, background: &Ground) -> String {
    let view = View { all: comparison };
    let sections = sections(view, background);
    let title = escape(&comparison.title);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\
         <title>{title}: one battle under {} rulesets</title><style>\n{STYLE}</style></head>\n<body>{DEFS}\
         <a class=\"skip\" href=\"#headline\">To the figures</a>\
         <header><p class=\"over\">Cupola · the lab</p><h1>{title}</h1><p class=\"under\">{}</p>{}</header>\n",
        comparison.contests.len(),
        escape(&headline::span(view)),
        headline::rulesets(view),
    );
    // Folded, so that what was found stands on the first screen of a phone, too.
    out += "<nav aria-label=\"Figures\"><details><summary>All figures of this page</summary><ol>";
    for section in &sections {
        out += &format!("<li><a href=\"#{}\">{}</a></li>", section.id, section.title);
    }
    out += "</ol></details></nav>\n<main>\n";
    for section in &sections {
        out += &section.markup(view);
    }
    out += &footer(&background.attribution);
    out += &format!("</main>\n<script>\n//<![CDATA[\n{SCRIPT}//]]>\n</script></body></html>\n");
    out
}

fn sections(view: View, background: &Ground) -> Vec<Section> {
    vec![
        headline::section(view),
        robust::section(view),
        fronts::section(view, background),
        onegame::section(view, background),
        moved::section(view),
        balance::section(view),
        losses::section(view),
        corps::section(view),
        hourly::men(view),
        hourly::guns(view),
        places::section(view),
        tempo::section(view),
        contact::section(view),
        orders::section(view),
        decisions::section(view),
        luck::section(view),
        distance::section(view),
        faults::section(view),
        scope::section(view),
        games::section(view),
    ]
}

fn footer(attribution: &str) -> String {
    let credit = match attribution {
        "" => String::new(),
        text => format!("<p>{}</p>", escape(text)),
    };
    "<footer><p>The numbers of this page, and those of every game and hour, are in the tables beside it, as CSV and as Parquet; \
     <code>headlines.ipynb</code> computes the page's figures again from single games. A game opens with <code>cupola replay</code> \
     from the folder this page lies in.</p>"
        .to_owned()
        + &credit
        + "</footer>"
}

/// Hatchings that all charts share.
const DEFS: &str = "<svg class=\"defs\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>\
    <pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">\
    <rect width=\"2\" height=\"6\" fill=\"#8c3a22\"/></pattern>\
    <pattern id=\"hatched-b\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">\
    <rect width=\"6\" height=\"6\" fill=\"#cf8a72\"/><rect width=\"2.4\" height=\"6\" fill=\"#8c3a22\"/></pattern>\
    <pattern id=\"still-hatch\" width=\".8\" height=\".8\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">\
    <rect width=\".8\" height=\".8\" fill=\"#cf8a72\"/><rect width=\".3\" height=\".8\" fill=\"#6d2410\"/></pattern>\
    <pattern id=\"part-1\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">\
    <rect width=\"7\" height=\"7\" fill=\"#d8ac55\"/><rect width=\"2.4\" height=\"7\" fill=\"#94671a\"/></pattern>\
    <pattern id=\"part-2\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">\
    <rect width=\"6\" height=\"6\" fill=\"#a98bcb\"/><rect width=\"2\" height=\"6\" fill=\"#5d3c86\"/></pattern>\
    <pattern id=\"part-3\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">\
    <rect width=\"6\" height=\"6\" fill=\"#b9cadb\"/><circle cx=\"3\" cy=\"3\" r=\"1.3\" fill=\"#41607e\"/></pattern>\
    <pattern id=\"part-4\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">\
    <rect width=\"6\" height=\"6\" fill=\"#e3dbca\"/><rect width=\"6\" height=\"1.6\" fill=\"#8b8174\"/></pattern>\
    </defs></svg>";
