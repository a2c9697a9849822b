//! Pictures in 256 colours: a map looks the same and is a third of the size.
//!
//! Colours are gathered in 64 steps a channel, then split by median cut: the box that holds most
//! and is widest is halved until there are 256. Only whole numbers and fixed orders are used, so
//! the same pixels give the same bytes.

/// Steps of a channel that colours are gathered in.
const STEPS: usize = 64;
/// Colours of a picture.
const COLOURS: usize = 256;

/// What was gathered in one cell of the cube of colours.
#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    count: u64,
    sum: [u64; 3],
}

/// The cell of a colour.
fn cell(colour: [u8; 3]) -> usize {
    let [red, green, blue] = colour.map(|channel| usize::from(channel) * STEPS / 256);
    (red * STEPS + green) * STEPS + blue
}

/// The steps of a cell in each channel.
fn steps(cell: usize) -> [usize; 3] {
    [cell / STEPS / STEPS, cell / STEPS % STEPS, cell % STEPS]
}

/// Cells that become one colour.
struct Part {
    cells: Vec<usize>,
    count: u64,
    /// The channel in which they differ most, and by how many steps.
    widest: (usize, usize),
}

impl Part {
    fn new(cells: Vec<usize>, cube: &[Cell]) -> Part {
        let span = |channel: usize| {
            let values = || cells.iter().map(|cell| steps(*cell)[channel]);
            values().max().unwrap_or(0) - values().min().unwrap_or(0)
        };
        let widest = (0..3).map(|channel| (channel, span(channel)));
        let widest = widest.max_by_key(|(channel, span)| (*span, 3 - channel));
        Part {
            count: cells.iter().map(|cell| cube[*cell].count).sum(),
            widest: widest.unwrap_or((0, 0)),
            cells,
        }
    }

    /// What is gained by halving it.
    fn weight(&self) -> u64 {
        self.count * self.widest.1 as u64
    }

    /// The two halves by number of pixels.
    fn halves(mut self, cube: &[Cell]) -> [Part; 2] {
        let channel = self.widest.0;
        self.cells
            .sort_by_key(|cell| (steps(*cell)[channel], *cell));
        let mut seen = 0;
        let before = |cell: &usize| {
            seen += cube[*cell].count;
            seen * 2 <= self.count
        };
        let cut = self.cells.iter().copied().take_while(before).count();
        let rest = self.cells.split_off(cut.clamp(1, self.cells.len() - 1));
        [Part::new(self.cells, cube), Part::new(rest, cube)]
    }

    /// The mean colour.
    fn colour(&self, cube: &[Cell]) -> [u8; 3] {
        let count = self.count.max(1);
        let sum = |channel: usize| -> u64 {
            let cells = self.cells.iter();
            cells.map(|cell| cube[*cell].sum[channel]).sum()
        };
        [0, 1, 2].map(|channel| ((sum(channel) + count / 2) / count) as u8)
    }
}

/// The palette of some pixels, and the place in it of each of them.
pub fn reduce(pixels: &[[u8; 3]]) -> (Vec<[u8; 3]>, Vec<u8>) {
    let mut cube = vec![Cell::default(); STEPS * STEPS * STEPS];
    for pixel in pixels {
        let cell = &mut cube[cell(*pixel)];
        cell.count += 1;
        for (sum, channel) in cell.sum.iter_mut().zip(pixel) {
            *sum += u64::from(*channel);
        }
    }
    let used = (0..cube.len())
        .filter(|cell| cube[*cell].count > 0)
        .collect();
    let mut parts = vec![Part::new(used, &cube)];
    while parts.len() < COLOURS {
        let heaviest = parts
            .iter()
            .enumerate()
            .filter(|(_, part)| part.cells.len() > 1);
        let heaviest = heaviest.max_by_key(|(index, part)| (part.weight(), usize::MAX - index));
        let Some((index, _)) = heaviest else { break };
        let [one, two] = parts.swap_remove(index).halves(&cube);
        parts.extend([one, two]);
    }
    let mut places = vec![0_u8; cube.len()];
    for (place, part) in parts.iter().enumerate() {
        for cell in &part.cells {
            places[*cell] = place as u8;
        }
    }
    let colours = parts.iter().map(|part| part.colour(&cube)).collect();
    let indexed = pixels.iter().map(|pixel| places[cell(*pixel)]).collect();
    (colours, indexed)
}

#[cfg(test)]
mod tests {
    use super::{COLOURS, reduce};

    #[test]
    fn few_colours_stay_as_they_are() {
        let pixels = [[250, 240, 230], [10, 20, 30], [250, 240, 230]];
        let (colours, places) = reduce(&pixels);
        assert_eq!(colours.len(), 2);
        let back: Vec<[u8; 3]> = places.iter().map(|at| colours[usize::from(*at)]).collect();
        assert_eq!(back, pixels);
    }

    #[test]
    fn many_colours_become_near_ones() {
        let pixels: Vec<[u8; 3]> = (0..40_000_u32)
            .map(|n| [n % 251, n / 7 % 253, n / 160].map(|channel| channel as u8))
            .collect();
        let (colours, places) = reduce(&pixels);
        assert_eq!(colours.len(), COLOURS);
        let far = pixels.iter().zip(&places).map(|(pixel, at)| {
            let near = colours[usize::from(*at)];
            (0..3).map(|i| pixel[i].abs_diff(near[i])).max()
        });
        assert!(far.max().flatten() < Some(80));
        assert_eq!(reduce(&pixels), (colours, places), "the same every time");
    }

    #[test]
    fn no_pixels_are_no_trouble() {
        assert!(reduce(&[]).1.is_empty());
    }
}
