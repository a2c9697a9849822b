//! What is where on the map, as coarse cells with a price for covering them.

use crate::geometry::{Rect, V, resample, v};

/// Units per cell.
const CELL: f64 = 3.0;
/// The price of covering linework.
pub const LINE: u8 = 14;
/// The price of covering a hex's level.
pub const LEVEL: u8 = 18;
/// The price of covering a hex's label.
pub const HEX_LABEL: u8 = 70;
/// The price of covering a symbol: not to be paid.
pub const SYMBOL: u8 = 255;

/// Prices by cell; 255 is taken.
#[derive(Debug, Clone)]
pub struct Mask {
    frame: Rect,
    columns: usize,
    cells: Vec<u8>,
}

/// A rectangle turned to some direction.
#[derive(Debug, Clone, Copy)]
pub struct Tile {
    /// Its middle.
    pub centre: V,
    /// The direction of its length.
    pub along: V,
    /// Half its length.
    pub half: f64,
    /// Half its width.
    pub thick: f64,
}

impl Tile {
    /// An upright rectangle.
    pub fn upright(centre: V, width: f64, height: f64) -> Tile {
        Tile {
            centre,
            along: v(1.0, 0.0),
            half: width / 2.0,
            thick: height / 2.0,
        }
    }

    /// Points that cover it closely enough to miss no cell.
    fn points(self) -> impl Iterator<Item = V> {
        let count = |half: f64| (2.0 * half / (CELL * 0.8)).ceil().max(1.0) as i32;
        let (long, wide) = (count(self.half), count(self.thick));
        (0..=long).flat_map(move |i| {
            let a = (f64::from(i) / f64::from(long) * 2.0 - 1.0) * self.half;
            (0..=wide).map(move |j| {
                let b = (f64::from(j) / f64::from(wide) * 2.0 - 1.0) * self.thick;
                self.centre + self.along * a + self.along.right() * b
            })
        })
    }
}

impl Mask {
    /// An empty mask of a map.
    pub fn new(frame: Rect) -> Mask {
        let columns = (frame.width() / CELL).ceil() as usize + 1;
        let lines = (frame.height() / CELL).ceil() as usize + 1;
        Mask {
            frame,
            columns,
            cells: vec![0; columns * lines],
        }
    }

    fn index(&self, p: V) -> Option<usize> {
        if !self.frame.contains(p) {
            return None;
        }
        let q = p - self.frame.low;
        Some((q.y / CELL) as usize * self.columns + (q.x / CELL) as usize)
    }

    fn add(&mut self, p: V, price: u8) {
        if let Some(index) = self.index(p) {
            self.cells[index] = self.cells[index].max(price);
        }
    }

    /// Puts a price on a line.
    pub fn add_line(&mut self, line: &[V], price: u8) {
        for p in resample(line, CELL * 0.7) {
            self.add(p, price);
        }
    }

    /// Puts a price on a disc.
    pub fn add_disc(&mut self, centre: V, radius: f64, price: u8) {
        self.add_tile(Tile::upright(centre, radius * 1.8, radius * 1.8), price);
    }

    /// Puts a price on a rectangle.
    pub fn add_tile(&mut self, tile: Tile, price: u8) {
        for p in tile.points() {
            self.add(p, price);
        }
    }

    /// What covering a rectangle costs; none if part of it is taken or off the map.
    pub fn price(&self, tile: Tile) -> Option<f64> {
        let mut sum = 0.0;
        for p in tile.points() {
            let price = self.cells[self.index(p)?];
            if price == SYMBOL {
                return None;
            }
            sum += f64::from(price);
        }
        Some(sum / 16.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{LINE, Mask, SYMBOL, Tile};
    use crate::geometry::{Rect, v};

    #[test]
    fn taken_ground_stays_taken() {
        let mut mask = Mask::new(Rect {
            low: v(0.0, 0.0),
            high: v(100.0, 100.0),
        });
        let tile = Tile::upright(v(50.0, 50.0), 20.0, 10.0);
        assert_eq!(mask.price(tile), Some(0.0));
        mask.add_line(&[v(0.0, 50.0), v(100.0, 50.0)], LINE);
        assert!(mask.price(tile).is_some_and(|price| price > 0.0));
        mask.add_tile(tile, SYMBOL);
        assert_eq!(mask.price(Tile::upright(v(58.0, 52.0), 10.0, 4.0)), None);
        let edge = Tile::upright(v(95.0, 20.0), 20.0, 5.0);
        assert_eq!(mask.price(edge), None, "off the map");
    }
}
