//! The map: whose ground it was, hour by hour, on the one ground.
//!
//! A page cannot hold a picture for every ruleset and hour, so it holds the numbers, packed, and the background once;
//! the script paints them. What the script is given is in [`data`].

use crate::ground::Ground;
use crate::view::{Section, View};
use crate::words::{distance, escape, list, moment};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cupola_lab::model::Topic;

/// The section.
pub fn section(view: View, ground: &Ground) -> Section {
    Section {
        id: "fronts",
        title: "Whose ground",
        claim: claim(view),
        figure: controls(view) + &maps(view, ground) + &data(view, ground),
        reading: format!(
            "The darker the shade, the surer the ground: in how many games the side stood nearest, within a mile. \
             Hatched is {}; clear ground is nobody's, or contested evenly. The bold line is where either is as likely; \
             the dashed one is the front as recorded at that hour. Arrow keys move the clock while it has the focus.",
            view.side(1)
        ),
        topic: Some(Topic::Fronts),
    }
}

fn claim(view: View) -> String {
    let furthest = |moved: &[f64], covered: std::ops::Range<usize>| -> Option<(f64, usize)> {
        let inside = moved
            .iter()
            .copied()
            .enumerate()
            .filter(|(i, _)| covered.contains(i));
        let best = inside.max_by(|a, b| a.1.total_cmp(&b.1))?;
        (best.1 > 0.0).then_some((best.1, best.0))
    };
    let hours = view.hours();
    let when = |hour: usize| {
        hours
            .get(hour)
            .map_or_else(String::new, |minute| view.time(*minute))
    };
    let said: Vec<String> = view
        .contests()
        .iter()
        .filter_map(|found| {
            let (metres, hour) = furthest(&found.front_moved, view.covered(found))?;
            Some(format!(
                "in {} in the hour to {} ({})",
                found.title,
                when(hour),
                distance(metres)
            ))
        })
        .collect();
    let history = &view.all.history.front_moved;
    let record = furthest(history, 0..history.len()).map_or_else(String::new, |(metres, hour)| {
        format!(
            "; in history in the hour to {} ({})",
            when(hour),
            distance(metres)
        )
    });
    if said.is_empty() {
        return "The front does not move.".into();
    }
    format!("The front moves furthest {}{record}.", list(&said))
}

fn controls(view: View) -> String {
    let last = view.all.hours.len().saturating_sub(1);
    let first = view.all.hours.first();
    let first = first.map_or_else(String::new, |hour| moment(&hour.1));
    format!(
        "<noscript><p class=\"reading\">The maps are painted by a small script in this page; without it, see the tables of places above.</p></noscript>\
         <div class=\"clock\" id=\"clock\" role=\"group\" aria-label=\"Hour of the maps\">\
         <button type=\"button\" id=\"back\" aria-label=\"One hour back\">◀</button>\
         <button type=\"button\" id=\"play\" aria-label=\"Play hour by hour\">▶ Play</button>\
         <button type=\"button\" id=\"forth\" aria-label=\"One hour on\">▶</button>\
         <input type=\"range\" id=\"hour\" min=\"0\" max=\"{last}\" value=\"0\" step=\"1\" aria-label=\"Hour\" aria-valuetext=\"{0}\"/>\
         <output id=\"now\" for=\"hour\">{0}</output></div>",
        escape(&first)
    )
}

fn maps(view: View, ground: &Ground) -> String {
    let frame = &view.all.frame;
    let (wide, high) = (frame.columns.max(1), frame.rows.max(1));
    let width = 840;
    let height = width * high / wide;
    let map = |name: &str, index: &str| {
        format!(
            "<figure class=\"map\"><figcaption>{0}</figcaption><canvas data-map=\"{index}\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"Map of the ground held, {0}\"></canvas></figure>",
            escape(name)
        )
    };
    let mut out = String::from("<div class=\"panels broad maps\">");
    if !view.all.history.fronts.is_empty() {
        out += &map("As recorded", "h");
    }
    for (i, found) in view.contests().iter().enumerate() {
        out += &map(&found.title, &i.to_string());
    }
    out += "</div>";
    let side = |side: usize, class: &str| {
        format!(
            "<span class=\"key\"><span class=\"patch {class}\"></span>{}</span>",
            escape(view.name(side))
        )
    };
    out += &format!(
        "<p class=\"keys\">{}{}<span class=\"key\"><span class=\"patch even-line\"></span>either as likely</span><span class=\"key\"><span class=\"patch past-line\"></span>recorded front</span></p>",
        side(0, "patch-a"),
        side(1, "patch-b")
    );
    out + &format!(
        "<img id=\"ground\" alt=\"\" hidden=\"\" src=\"data:image/png;base64,{}\"/>",
        STANDARD.encode(&ground.png)
    )
}

/// What the script paints: the frame, the names of hours, places, and the packed fronts.
fn data(view: View, ground: &Ground) -> String {
    let frame = &view.all.frame;
    let text = |text: &str| format!("\"{}\"", text.replace(['\\', '"', '<', '>', '&'], " "));
    let hours: Vec<String> = view
        .all
        .hours
        .iter()
        .map(|hour| text(&moment(&hour.1)))
        .collect();
    let names: Vec<String> = ground
        .names
        .iter()
        .map(|(name, x, y)| {
            let column = f64::from(x - frame.west) / f64::from(frame.cell.max(1));
            let row = f64::from(frame.north - y) / f64::from(frame.cell.max(1));
            format!("[{},{column:.1},{row:.1}]", text(name))
        })
        .collect();
    let fronts = |fronts: &[Vec<u8>], covered: std::ops::Range<usize>| {
        let packed = fronts.iter().enumerate().map(|(hour, cells)| {
            if covered.contains(&hour) {
                text(&STANDARD.encode(pack(cells)))
            } else {
                "null".into()
            }
        });
        format!("[{}]", packed.collect::<Vec<_>>().join(","))
    };
    let played: Vec<String> = view
        .contests()
        .iter()
        .map(|found| fronts(&found.fronts, view.covered(found)))
        .collect();
    let history = &view.all.history.fronts;
    format!(
        "<script type=\"application/json\" id=\"fronts-data\">{{\"columns\":{},\"rows\":{},\"cell\":{},\"hours\":[{}],\"names\":[{}],\"played\":[{}],\"past\":{}}}</script>",
        frame.columns,
        frame.rows,
        frame.cell,
        hours.join(","),
        names.join(","),
        played.join(","),
        fronts(history, 0..history.len())
    )
}

/// Runs of equal bytes as pairs of length and byte.
fn pack(cells: &[u8]) -> Vec<u8> {
    let mut out = vec![];
    for run in cells.chunk_by(|a, b| a == b) {
        for part in run.chunks(255) {
            out.extend([part.len() as u8, part[0]]);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::pack;

    #[test]
    fn runs_are_packed() {
        assert_eq!(pack(&[7, 7, 7, 9]), [3, 7, 1, 9]);
        let long = vec![255; 300];
        assert_eq!(pack(&long), [255, 255, 45, 255]);
        assert!(pack(&[]).is_empty());
    }
}
