//! Draws the four boards of Gettysburg: `cargo run -p cupola-draw --release --example all -- OUT [WIDTH [STYLE [AREA]]]`

use std::path::{Path, PathBuf};
use std::time::Instant;

use cupola_draw::{MapRequest, Style};
use cupola_ground::{Battlefield, Board};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let out = PathBuf::from(arguments.next().unwrap_or_else(|| "target/maps".to_owned()));
    let width = arguments.next().map_or(Ok(1600), |width| width.parse())?;
    let style = arguments.next();
    let style = style.as_deref().and_then(Style::parse).unwrap_or_default();
    let area = arguments.next();
    std::fs::create_dir_all(&out)?;
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let ground = data.join("battlefields/gettysburg");
    let field = Battlefield::read(&ground).map_err(|problems| problems.to_string())?;
    for name in ["corps20", "blindswords", "blocks", "gbacw"] {
        let board = Board::open(&ground, &data.join("rulesets").join(name), None)
            .map_err(|problems| problems.to_string())?;
        let mut request = MapRequest::new(&field, &board);
        request.style = style;
        if let Some(area) = &area {
            let Some(area) = board.area(area) else {
                continue;
            };
            request.part = Some(area.hexes.clone());
            request.subtitle = Some(format!("{}  ·  {}", area.name, board.title));
        }
        let start = Instant::now();
        let svg = cupola_draw::svg(&request);
        let drawn = start.elapsed();
        let png = cupola_draw::png(&request, width)?;
        println!(
            "{name}: SVG {} kB in {} ms, PNG {} kB in {} ms",
            svg.len() / 1000,
            drawn.as_millis(),
            png.len() / 1000,
            (start.elapsed() - drawn).as_millis()
        );
        std::fs::write(out.join(format!("{name}.svg")), svg)?;
        std::fs::write(out.join(format!("{name}.png")), png)?;
    }
    Ok(())
}
