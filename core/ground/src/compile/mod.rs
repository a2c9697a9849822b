//! Ground × grid → board.
//!
//! One pass per concern, each in its own file, in an order that matters only where it says so:
//! relief, cover, water and walls, roads, crossings (which need water and roads), places, and at
//! last the corrections, which overrule everything. Corrections that others follow from (heights,
//! levels, where a place stands) come right after the relief.

mod areas;
mod correct;
mod cover;
mod lines;
mod names;
mod places;
mod relief;
mod ways;

use cupola_data::Problems;

use crate::battlefield::Battlefield;
use crate::board::{Board, HexId};
use crate::grid::{Grid, Hex};
use crate::point::Point;
use crate::recipe::BoardPlan;

impl Board {
    /// Compiles the board of a grid on a battlefield, by a recipe and its corrections.
    ///
    /// Everything in the plan that names a road, watercourse, hex, hexside, place or entry that
    /// does not exist is reported at once, and then there is no board.
    pub fn compile(field: &Battlefield, grid: &Grid, plan: &BoardPlan) -> Result<Board, Problems> {
        let mut board = blank(field, grid);
        let recipe = &plan.recipe;
        let samples = Samples::new(grid);
        places::stand(field, &mut board);
        let orders = orders(field, grid, &mut board, plan)?;
        relief::heights(field, recipe, &samples, &mut board);
        correct::first(&orders, Some(recipe), &mut board);
        places::mark(&mut board);
        relief::slopes(recipe, &mut board);
        relief::crests(field, recipe, &mut board);
        cover::hexes(field, recipe, &samples, &mut board);
        cover::hexsides(field, recipe, &mut board);
        let mut threads = Threads::default();
        lines::water(field, recipe, &mut board, &mut threads);
        lines::walls(field, recipe, &mut board);
        ways::roads(field, recipe, &mut board, &mut threads);
        ways::cuts(field, recipe, &mut board);
        ways::crossings(field, recipe, &mut board);
        places::enter(field, &mut board);
        correct::rest(&orders, &mut board, &mut threads);
        threads.settle(&mut board);
        Ok(board)
    }
}

/// The corrections, once all that the plan names has been found on the ground and on the board;
/// areas and links, which nothing else depends on, go onto the board at once.
fn orders<'a>(
    field: &Battlefield,
    grid: &Grid,
    board: &mut Board,
    plan: &'a BoardPlan,
) -> Result<Vec<correct::Order<'a>>, Problems> {
    let mut problems = Problems::new();
    let (roads, water) = (&plan.recipe.roads, &plan.recipe.water);
    names::check(|i| plan.road_rule(i), roads, &field.roads, &mut problems);
    names::check(|i| plan.water_rule(i), water, &field.water, &mut problems);
    let orders = problems.keep_all(correct::resolve(
        board,
        &plan.corrections,
        &plan.source,
        "corrections",
    ));
    names::check_corrections(plan, field, &mut problems);
    if let Some((areas, links)) = problems.keep_all(areas::find(grid, board, plan)) {
        (board.areas, board.links) = (areas, links);
    }
    problems.check(orders.unwrap_or_default())
}

fn blank(field: &Battlefield, grid: &Grid) -> Board {
    let (hexes, labels) = grid.hexes().iter().cloned().unzip();
    let mut board = Board::blank(&grid.name, &grid.title, grid.lattice, hexes, labels);
    board.battlefield = field.name.clone();
    board.when = grid.when.clone();
    board.lat_lons = board
        .centres
        .iter()
        .map(|centre| field.frame.unproject(*centre))
        .collect();
    let names = grid
        .names()
        .filter_map(|(name, hex)| Some((name.to_owned(), board.at(hex)?)));
    board.names = names.collect();
    board.names.sort();
    board
}

/// A regular lattice of points inside a hex, relative to its centre.
struct Samples(Vec<Point>);

impl Samples {
    /// Points about 20 m apart, at least 36 and at most 600 of them.
    fn new(grid: &Grid) -> Samples {
        let lattice = &grid.lattice;
        let fine = i64::from((lattice.pitch() / 2_000).clamp(6, 24));
        let zero = lattice.centre(Hex::ZERO);
        let mut points = Vec::new();
        for r in -fine..=fine {
            for q in -fine..=fine {
                // The inside of a hex, as in `board::line`.
                let slabs = [2 * q + r, q + 2 * r, q - r];
                if slabs.iter().all(|slab| slab.abs() < fine) {
                    let point = lattice.within(Hex::ZERO, q, r, fine);
                    points.push(Point::new(point.x - zero.x, point.y - zero.y));
                }
            }
        }
        Samples(points)
    }

    fn around(&self, centre: Point) -> impl Iterator<Item = Point> + '_ {
        self.0
            .iter()
            .map(move |offset| Point::new(centre.x + offset.x, centre.y + offset.y))
    }
}

/// Names of roads and watercourses by hex, gathered in any order.
#[derive(Default)]
struct Threads(Vec<(HexId, String)>);

impl Threads {
    /// Those of a board.
    fn of(board: &Board) -> Threads {
        let names = board.threaded.iter();
        let named = names.map(|(hex, name)| (*hex, board.threads[usize::from(*name)].clone()));
        Threads(named.collect())
    }

    fn add(&mut self, hex: HexId, name: &str) {
        self.0.push((hex, name.to_owned()));
    }

    fn remove(&mut self, hex: HexId, name: &str) {
        self.0.retain(|(at, own)| *at != hex || own != name);
    }

    fn settle(mut self, board: &mut Board) {
        self.0.sort();
        self.0.dedup();
        let mut names: Vec<String> = self.0.iter().map(|(_, name)| name.clone()).collect();
        names.sort();
        names.dedup();
        let number = |name: &str| {
            names
                .binary_search_by(|n| n.as_str().cmp(name))
                .unwrap_or(0)
        };
        board.threaded = self
            .0
            .iter()
            .map(|(hex, name)| (*hex, number(name) as u16))
            .collect();
        board.threads = names;
    }
}

/// A share as whole thousandths.
fn thousandths(share: f64) -> usize {
    libm::round(share * 1000.0) as usize
}
