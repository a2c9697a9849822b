//! Draws a made-up position with every kind of overlay: `… --example position -- FILE.png [WIDTH]`

use std::path::Path;

use cupola_draw::{Heat, Highlight, MapRequest, Side, Track, Unit};
use cupola_ground::{Battlefield, Board, HexId};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments
        .next()
        .unwrap_or_else(|| "position.png".to_owned());
    let width = arguments.next().map_or(Ok(1600), |width| width.parse())?;
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let ground = data.join("battlefields/gettysburg");
    let field = Battlefield::read(&ground).map_err(|problems| problems.to_string())?;
    let board = Board::open(&ground, &data.join("rulesets/blocks"), None)
        .map_err(|problems| problems.to_string())?;
    let unit = |label: &str, side, name: &str, strength: &str| -> Result<Unit, _> {
        board.hex(label).map(|hex| Unit {
            hex,
            side,
            label: name.to_owned(),
            strength: strength.to_owned(),
        })
    };
    let mut request = MapRequest::new(&field, &board);
    request.overlay.units = vec![
        unit("R7", Side::First, "Vincent", "3")?,
        unit("Q9", Side::First, "Sickles", "4")?,
        unit("Q9", Side::First, "Birney", "4")?,
        unit("S11", Side::Second, "Hood", "4")?,
        unit("R12", Side::Second, "McLaws", "4")?,
    ];
    let hexes = |labels: &[&str]| -> Result<Vec<HexId>, _> {
        labels.iter().map(|label| board.hex(label)).collect()
    };
    request.overlay.tracks = vec![Track {
        name: "Hood's advance".to_owned(),
        hexes: hexes(&["S11", "S10", "S9", "R8"])?,
    }];
    request.overlay.highlights = vec![Highlight {
        name: "Cone of fire from Q10".to_owned(),
        hexes: hexes(&["R11", "R12", "S12", "S11", "S13", "T13", "T12"])?,
    }];
    let centre = board.hex("L6")?;
    request.overlay.heat = Some(Heat {
        name: "Distance from the Angle".to_owned(),
        values: board
            .hexes()
            .filter(|hex| board.distance(*hex, centre) < 4)
            .map(|hex| (hex, f64::from(board.distance(hex, centre))))
            .collect(),
    });
    std::fs::write(file, cupola_draw::png(&request, width)?)?;
    Ok(())
}
