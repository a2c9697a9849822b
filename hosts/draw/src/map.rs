//! The whole map, layer by layer.

use crate::geometry::{Rect, v};
use crate::out::{Out, num};
use crate::relief::Shading;
use crate::request::{MapRequest, Style};
use crate::sheet::{Draft, MARGIN};
use crate::words::Medium;
use crate::{counter, furniture, grid, ground, hexes, labels, overlay, relief, rules, style};
use cupola_ground::kinds::{CoverKind, Named, WallKind, WaterKind};

/// Draws a map as SVG; the same request gives the same bytes.
pub fn svg(request: &MapRequest<'_>) -> String {
    draw(request, Medium::Svg).svg
}

/// A map that has been drawn.
pub struct Drawing {
    /// The drawing.
    pub svg: String,
    /// The relief that lies beneath it, if it is for a picture.
    pub relief: Option<Shading>,
    /// Where the map and its relief lie on the page.
    pub frame: Rect,
}

/// Draws a map for a medium.
pub fn draw(request: &MapRequest<'_>, medium: Medium) -> Drawing {
    let mut draft = Draft::new(request, medium);
    draft.out.open("id=\"map\" clip-path=\"url(#inside)\"");
    ground_layers(&mut draft);
    board_layers(&mut draft);
    name_layers(&mut draft);
    draft.out.close();
    let mut height = draft.sheet.frame.high.y;
    if request.show.frame {
        furniture::frame(&mut draft);
        if request.show.title {
            furniture::title(&mut draft);
        }
        height = furniture::footer(&mut draft);
    }
    let width = draft.sheet.frame.high.x + draft.sheet.frame.low.x;
    Drawing {
        relief: draft.relief.take(),
        frame: draft.sheet.frame,
        svg: page(draft, width, height),
    }
}

/// The ground, or the hexes in its place.
pub fn ground_layers(draft: &mut Draft<'_>) {
    let request = draft.request;
    let show = request.show;
    let surface = relief::Surface::new(request.field, &draft.sheet.ground, draft.range);
    if draft.natural() {
        if show.relief {
            relief::shading(draft, &surface);
        }
        if draft.fine() {
            let lines = if show.contours {
                hexes::levels(draft)
            } else {
                String::new()
            };
            ground::cover(draft, &[CoverKind::Cemetery]);
            hexes::cover(draft);
            hexes::level_lines(draft, &lines);
        } else {
            if show.contours {
                relief::contours(draft, &surface);
            }
            ground::cover(draft, CoverKind::ALL);
        }
    } else {
        rules::fills(draft);
    }
}

/// Grid, hexsides, water, roads: the order keeps roads over water and water over hexsides.
pub fn board_layers(draft: &mut Draft<'_>) {
    let show = draft.request.show;
    let rings = grid::outline(draft);
    overlay::heat(draft);
    if draft.natural() {
        grid::veil(draft, &rings);
    }
    if draft.request.style != Style::Ground {
        rules::sides(draft);
    }
    let fine = draft.fine();
    if fine {
        ground::water(draft, &[WaterKind::Brook]);
    } else if draft.natural() {
        ground::water(draft, WaterKind::ALL);
    }
    if show.grid {
        grid::lines(draft, &rings);
    }
    if fine {
        hexes::lines(draft);
    }
    if draft.request.style == Style::Both && !draft.fine() {
        rules::rims(draft);
    }
    // Slopes are marks on the lines of the grid.
    if draft.request.style != Style::Ground && show.grid {
        rules::slopes(draft);
        hexes::sloping(draft);
    }
    if fine {
        ground::walls(draft, &[WallKind::Fence, WallKind::Breastworks]);
        ground::roads(draft);
        rules::crossings(draft);
    } else if draft.natural() {
        ground::walls(draft, WallKind::ALL);
        ground::roads(draft);
        ground::crossings(draft);
    } else {
        rules::roads(draft);
    }
}

/// Everything that is read: labels, counters, names.
fn name_layers(draft: &mut Draft<'_>) {
    let show = draft.request.show;
    if show.places {
        labels::reserve(draft);
    }
    if show.labels {
        grid::labels(draft);
        if draft.request.style != Style::Ground {
            grid::levels(draft);
        }
    }
    rules::victory(draft);
    overlay::marks(draft);
    if show.places {
        labels::entries(draft);
    }
    overlay::units(draft);
    counter::counters(draft);
    if show.places {
        labels::places(draft);
        if draft.natural() {
            labels::ways(draft);
        }
    }
}

/// The page around what was drawn.
fn page(draft: Draft<'_>, width: f64, height: f64) -> String {
    let request = draft.request;
    let frame = draft.sheet.frame;
    // A picture brings its own paper, with the relief on it.
    let on_paper = draft.medium == Medium::Svg;
    let mut out = Out::default();
    out.raw(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\">",
        num(width),
        num(height)
    ));
    let (name, when) = furniture::heading(request);
    let name = [Some(name), when].into_iter().flatten().collect::<Vec<_>>();
    let title = format!("{}: {}", name.join(", "), request.board.title);
    out.raw(format!("<title>{}</title>", crate::out::escape(&title)));
    if let Some(attribution) = &request.field.attribution {
        let attribution = crate::out::escape(attribution);
        out.raw(format!("<desc>{attribution}</desc>"));
    }
    out.raw(format!(
        "<style>\n{}</style>",
        style::sheet(draft.sheet.weight, request.show.fonts && on_paper)
    ));
    out.raw("<defs>");
    style::patterns(&mut out, draft.sheet.weight, draft.sheet.origin);
    out.raw("<clipPath id=\"inside\">");
    out.rect("c", frame.low, frame.width(), frame.height());
    out.raw("</clipPath>");
    out.raw("</defs>");
    if on_paper {
        out.rect("paper", v(0.0, 0.0), width, height);
    }
    if request.show.frame {
        let rim = MARGIN * 0.3;
        out.raw(format!(
            "<rect fill=\"none\" stroke=\"#8a7a62\" stroke-width=\"1\" x=\"{0}\" y=\"{0}\" width=\"{1}\" height=\"{2}\"/>",
            num(rim),
            num(width - rim * 2.0),
            num(height - rim * 2.0)
        ));
    }
    out.raw(draft.out.finish());
    out.raw("</svg>");
    out.finish()
}
