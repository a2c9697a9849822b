//! The look of the maps: one style sheet and the patterns of woods, orchards, marsh and rocks.
//!
//! Every class differs from its kin in more than colour: width, dashes, texture or shape. Tints
//! stay light so that text on them keeps its contrast.

use std::fmt::Write as _;

use crate::font::Face;
use crate::geometry::{V, v};
use crate::out::{Out, num};
use crate::words::Setting;

/// Paper.
pub const PAPER: &str = "#fbf6e8";
/// Paper, for the pixels of a picture.
pub const PAPER_RGB: [u8; 3] = [0xfb, 0xf6, 0xe8];
/// Ink of text.
pub const INK: &str = "#2b2420";

/// Lines: class, colour, width, and the rest of the rule.
const LINES: &[(&str, &str, f64, &str)] = &[
    (
        "contour",
        "#8a6a44",
        0.55,
        "stroke-opacity:.5;stroke-linejoin:round",
    ),
    ("index", "#8a6a44", 1.0, "stroke-opacity:.55"),
    (
        "level-line",
        "#8a5a2e",
        0.9,
        "stroke-opacity:.7;stroke-linejoin:round",
    ),
    ("pike-c", "#4f3420", 6.6, "stroke-linejoin:round"),
    ("pike", "#f4d58c", 4.2, "stroke-linejoin:round"),
    ("road-c", "#5d442e", 4.6, "stroke-linejoin:round"),
    ("road", "#fff9e8", 2.9, "stroke-linejoin:round"),
    ("lane", "#6b4f35", 1.5, "stroke-linejoin:round"),
    (
        "trail",
        "#6b4f35",
        1.3,
        "stroke-dasharray:4.5 3;stroke-linejoin:round",
    ),
    ("rail", "#26211f", 1.7, "stroke-linejoin:round"),
    ("rail-t", "#26211f", 6.4, "stroke-dasharray:1.3 7.2"),
    (
        "bed",
        "#4a4340",
        1.6,
        "stroke-dasharray:8 4.2;stroke-linejoin:round",
    ),
    (
        "bed-t",
        "#4a4340",
        5.2,
        "stroke-dasharray:1.1 11.1;stroke-dashoffset:-4",
    ),
    ("cut", "#5e4630", 13.0, "stroke-dasharray:1.2 3"),
    (
        "creek-c",
        "#2f6390",
        5.0,
        "stroke-linecap:round;stroke-linejoin:round",
    ),
    (
        "creek",
        "#8dbfe0",
        3.0,
        "stroke-linecap:round;stroke-linejoin:round",
    ),
    (
        "run",
        "#4a86b5",
        2.3,
        "stroke-linecap:round;stroke-linejoin:round",
    ),
    (
        "brook",
        "#4a86b5",
        1.3,
        "stroke-dasharray:7 2.4;stroke-linejoin:round",
    ),
    ("wall", "#4b4a4c", 2.5, "stroke-dasharray:2.6 1.1"),
    ("fence", "#6d5a45", 0.8, ""),
    ("fence-t", "#6d5a45", 3.6, "stroke-dasharray:.8 5"),
    ("works", "#3c2f25", 2.6, "stroke-dasharray:5 1.4"),
    (
        "bridge",
        "#1f1a18",
        1.7,
        "stroke-linecap:round;stroke-linejoin:round",
    ),
    (
        "ford",
        "#1d4d78",
        1.7,
        "stroke-linecap:round;stroke-dasharray:.1 3.6",
    ),
    (
        "woods-e",
        "#5f8659",
        4.4,
        "stroke-linecap:round;stroke-dasharray:.1 4.6;stroke-opacity:.75",
    ),
    ("edge", "#6d5a45", 0.7, "stroke-opacity:.8"),
    ("border", "#3a2c20", 2.2, "stroke-linejoin:round"),
    ("tick", "#7a3f17", 1.2, "stroke-linecap:butt"),
    ("leader", "#2b2420", 0.6, ""),
];

/// Fills: class, colour, and the rest of the rule.
const FILLS: &[(&str, &str, &str)] = &[
    ("woods", "#86a878", "fill-opacity:.62"),
    ("woods-p", "url(#trees)", ""),
    ("orchard", "#d3dcae", "fill-opacity:.55"),
    ("orchard-p", "url(#rows)", ""),
    ("marsh", "#bcd6da", "fill-opacity:.6"),
    ("marsh-p", "url(#reeds)", ""),
    ("rocks", "#c9c2b8", "fill-opacity:.6"),
    ("rocks-p", "url(#stones)", ""),
    ("town", "#dcb8a4", "fill-opacity:.85"),
    ("town-p", "url(#houses)", ""),
    (
        "cemetery",
        "#d9dfc8",
        "fill-opacity:.8;stroke:#4b4a4c;stroke-width:.9",
    ),
    ("cemetery-p", "url(#graves)", ""),
    ("fields", "#efe0a6", "fill-opacity:.4"),
    ("fields-p", "url(#furrows)", ""),
    ("level", "#a8743a", "fill-opacity:.05"),
    ("veil", "#fbf6e8", "fill-opacity:.62"),
    ("teeth", "#7a3f17", ""),
    ("mark", "#2b2420", "stroke:#fbf6e8;stroke-width:.8"),
    ("open", "#fbf6e8", "stroke:#2b2420;stroke-width:1.3"),
    ("peak", "#6b3e1a", "stroke:#fbf6e8;stroke-width:.8"),
    ("gate", "#8c1d18", "stroke:#fbf6e8;stroke-width:1.2"),
    ("star", "#8c1d18", "stroke:#fbf6e8;stroke-width:.8"),
    ("paper", "#fbf6e8", ""),
    ("ink", "#2b2420", ""),
];

/// Text: class, font, size, colour, letter spacing, halo.
const TEXTS: &[(&str, Face, f64, &str, f64, bool)] = &[
    ("t-town", Face::Display, 23.0, INK, 3.0, true),
    ("t-village", Face::Display, 14.5, INK, 0.8, true),
    ("t-hill", Face::Strong, 15.0, "#4a2b12", 0.4, true),
    ("t-ridge", Face::Italic, 15.5, "#4a2b12", 2.2, true),
    ("t-wood", Face::Italic, 13.5, "#24451f", 0.3, true),
    ("t-farm", Face::Serif, 12.0, INK, 0.0, true),
    ("t-spot", Face::Italic, 12.5, INK, 0.0, true),
    ("t-creek", Face::Italic, 15.5, "#17466f", 1.2, true),
    ("t-run", Face::Italic, 13.0, "#17466f", 0.5, true),
    ("t-pike", Face::Strong, 13.5, "#3d2614", 1.0, true),
    ("t-road", Face::Serif, 12.5, "#3d2614", 0.6, true),
    ("t-lane", Face::Serif, 10.5, "#3d2614", 0.2, true),
    ("t-gate", Face::Bold, 13.0, "#8c1d18", 0.3, true),
    ("t-key", Face::Sans, 14.0, INK, 0.0, false),
    ("t-head", Face::Display, 15.0, INK, 0.6, false),
    ("t-note", Face::Serif, 12.5, "#4a4038", 0.0, false),
    ("t-title", Face::Display, 50.0, INK, 11.0, false),
    ("t-sub", Face::Serif, 24.0, "#4a4038", 1.0, false),
    ("t-grat", Face::Sans, 10.0, INK, 0.3, false),
];

/// How a class of text is set on a sheet of this weight.
pub fn text(class: &str, weight: f64) -> Setting {
    let found = TEXTS.iter().find(|(name, ..)| *name == class);
    let (_, face, size, _, spacing, halo) = found.copied().unwrap_or(TEXTS[5]);
    let k = if halo { text_weight(weight) } else { 1.0 };
    Setting {
        face,
        size: size * k,
        spacing: spacing * k,
    }
}

/// Letters grow less than lines.
fn text_weight(weight: f64) -> f64 {
    1.0 + (weight - 1.0) * 0.75
}

/// The style sheet.
pub fn sheet(weight: f64, fonts: bool) -> String {
    let mut css = String::new();
    if fonts {
        for face in Face::ALL {
            css.push_str(&face.embed());
            css.push('\n');
        }
    }
    for (class, colour, width, rest) in LINES {
        let width = num(width * weight);
        let _ = writeln!(
            css,
            ".{class}{{fill:none;stroke:{colour};stroke-width:{width};{rest}}}"
        );
    }
    for (class, colour, rest) in FILLS {
        let _ = writeln!(css, ".{class}{{fill:{colour};{rest}}}");
    }
    for (class, _, _, colour, _, halo) in TEXTS {
        let Setting {
            face,
            size,
            spacing,
        } = text(class, weight);
        let halo = if *halo {
            format!(
                ";stroke:{PAPER};stroke-opacity:.88;stroke-width:{};stroke-linejoin:round;paint-order:stroke",
                num(3.4 * text_weight(weight))
            )
        } else {
            String::new()
        };
        let _ = writeln!(
            css,
            ".{class}{{{};font-size:{}px;letter-spacing:{}px;fill:{colour}{halo}}}",
            face.rule(),
            num(size),
            num(spacing)
        );
    }
    css
}

/// The patterns, which begin where the whole map does.
pub fn patterns(out: &mut Out, weight: f64, origin: V) {
    let k = 0.8 + 0.2 * weight;
    let scaled = |id: &str, width: f64, height: f64, body: &str| {
        format!(
            "<pattern id=\"{id}\" width=\"{}\" height=\"{}\" patternUnits=\"userSpaceOnUse\" patternTransform=\"translate({} {}) scale({})\">{body}</pattern>",
            num(width),
            num(height),
            num(-origin.x),
            num(-origin.y),
            num(k)
        )
    };
    out.raw(scaled("trees", 34.0, 30.0, &trees()));
    let dot = |x: f64, y: f64| {
        format!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"1.7\" fill=\"#557a4a\"/>",
            num(x),
            num(y)
        )
    };
    out.raw(scaled("rows", 8.0, 8.0, &(dot(2.0, 2.0) + &dot(6.0, 6.0))));
    let reeds = "<path d=\"M2 5h9M4 5v-3M6.5 5v-4.5M9 5v-3M13 12h9M15 12v-3M17.5 12v-4.5M20 12v-3\" stroke=\"#2f6a80\" stroke-width=\"1\" fill=\"none\"/>";
    out.raw(scaled("reeds", 24.0, 14.0, reeds));
    let stones = "<path d=\"M2 6l2-4 4 1 1 4-4 1zM13 4l3-2 3 3-2 3-4-1zM7 14l4-2 3 3-3 3-4-1zM18 13l3-1 1 3-3 2z\" fill=\"#8f877d\" stroke=\"#54504b\" stroke-width=\".6\"/>";
    out.raw(scaled("stones", 24.0, 20.0, stones));
    let houses = "<path d=\"M1 1h4v3h-4zM7 2h3v4h-3zM12 1h4v3h-4zM1 8h3v4h-3zM6 9h5v3h-5zM13 8h3v4h-3z\" fill=\"#7d4a3a\"/>";
    out.raw(scaled("houses", 18.0, 14.0, houses));
    let graves = "<path d=\"M3 1.5v5M1.5 3h3M9 6.5v5M7.5 8h3\" stroke=\"#3a3a3c\" stroke-width=\".9\" fill=\"none\"/>";
    out.raw(scaled("graves", 12.0, 12.0, graves));
    let furrows = "<path d=\"M0 6L6 0M-1 1L1-1M5 7L7 5\" stroke=\"#a98b3f\" stroke-width=\".6\" stroke-opacity=\".7\" fill=\"none\"/>";
    out.raw(scaled("furrows", 6.0, 6.0, furrows));
}

/// Tree crowns, scattered so that the tile does not show; lit from the north-west like the hills.
fn trees() -> String {
    const CROWNS: [(V, f64); 8] = [
        (v(5.0, 6.0), 3.0),
        (v(14.5, 4.5), 3.5),
        (v(25.0, 7.0), 3.1),
        (v(9.5, 14.5), 3.4),
        (v(19.5, 14.0), 2.8),
        (v(29.5, 16.5), 3.4),
        (v(4.5, 23.5), 3.2),
        (v(16.5, 24.0), 3.5),
    ];
    let mut body = String::new();
    for (at, r) in CROWNS {
        let _ = write!(
            body,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"#4d7249\" fill-opacity=\".75\"/><circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"#9bbd88\" fill-opacity=\".9\"/>",
            num(at.x + 0.5),
            num(at.y + 0.6),
            num(r),
            num(at.x - 0.6),
            num(at.y - 0.7),
            num(r * 0.6)
        );
    }
    let more = v(26.0, 25.0);
    let _ = write!(
        body,
        "<circle cx=\"{}\" cy=\"{}\" r=\"2.6\" fill=\"#4d7249\" fill-opacity=\".75\"/>",
        num(more.x),
        num(more.y)
    );
    body
}
