//! The tables of the player aids as the files have them, checked.

use crate::files::*;
use crate::load::{AFFAIRS, Reading, TABLES};
use crate::rules::*;
use crate::tables::{Clash, Crt, Effect, Level, RATINGS, Test};
use cupola_cup::Chit;
use cupola_kernel::Side;

impl Reading<'_> {
    pub fn charts(&mut self, tables: &Tables) -> Charts {
        let ranges = &tables.ranges;
        Charts {
            crt: self.crt(tables),
            cohesion: self.cohesion(tables),
            matrix: self.matrix(tables),
            command: self.command(tables),
            ranges: [
                &ranges.musket,
                &ranges.rifled,
                &ranges.smooth,
                &ranges.mixed,
            ]
            .map(|at| at.0),
            fire: fire_shifts(&tables.fire_shifts),
            assault: assault_shifts(&tables.assault_shifts),
            march: marching(tables),
            stacking: stacking(&tables.stacking),
        }
    }

    fn crt(&mut self, tables: &Tables) -> Crt {
        let columns = tables
            .crt
            .rows
            .first()
            .map_or(0, |row| row.cells.split_whitespace().count());
        let mut cells = vec![[Test::None; 36]; columns.max(1)];
        let mut seen = [false; 36];
        for (i, row) in tables.crt.rows.iter().enumerate() {
            let field = format!("crt.rows[{i}].cells");
            let tests: Option<Vec<Test>> = row.cells.split_whitespace().map(Test::parse).collect();
            let Some(tests) = tests.filter(|tests| tests.len() == columns) else {
                self.wrong(
                    TABLES,
                    &field,
                    format!("expected {columns} of NE, E, R, T, S, C"),
                );
                continue;
            };
            for roll in rolls(row.from, row.to) {
                seen[roll] = true;
                tests
                    .iter()
                    .enumerate()
                    .for_each(|(column, test)| cells[column][roll] = *test);
            }
        }
        if seen.contains(&false) {
            self.wrong(
                TABLES,
                "crt.rows",
                "the rows do not cover every roll from 11 to 66",
            );
        }
        Crt {
            least: tables.crt.least.clone(),
            cells,
            doubles: tables.doubles.0,
        }
    }

    fn grid<T: Copy, const R: usize>(
        &mut self,
        field: &str,
        rows: &[String],
        none: T,
        parse: fn(&str) -> Option<T>,
    ) -> [[T; 6]; R] {
        let mut grid = [[none; 6]; R];
        if rows.len() != R {
            self.wrong(
                TABLES,
                field,
                format!("expected {R} rows, found {}", rows.len()),
            );
        }
        for (i, row) in rows.iter().enumerate().take(R) {
            let cells: Option<Vec<T>> = row.split_whitespace().map(parse).collect();
            match cells.as_deref().map(<[T; 6]>::try_from) {
                Some(Ok(cells)) => grid[i] = cells,
                _ => self.wrong(
                    TABLES,
                    &format!("{field}.rows[{i}]"),
                    "expected six results",
                ),
            }
        }
        grid
    }

    fn cohesion(&mut self, tables: &Tables) -> [[Effect; 6]; 12] {
        self.grid(
            "cohesion",
            &tables.cohesion.rows,
            Effect::NONE,
            Effect::parse,
        )
    }

    fn matrix(&mut self, tables: &Tables) -> [[Clash; 6]; 6] {
        self.grid("matrix", &tables.matrix.rows, Clash::Close, Clash::parse)
    }

    fn command(&mut self, tables: &Tables) -> [[Level; 6]; 5] {
        let rows: Vec<String> = RATINGS
            .iter()
            .map(|name| tables.command.rows.get(*name).cloned().unwrap_or_default())
            .collect();
        self.grid("command", &rows, Level::None, Level::parse)
    }

    pub fn fog(
        &mut self,
        affairs: &AffairsFile,
        general: &dyn Fn(&str) -> Option<Chit>,
    ) -> Vec<FogResult> {
        let mut fog = vec![None; 36];
        for (i, line) in affairs.fog.iter().enumerate() {
            let field = format!("fog[{i}].result");
            let (FogName::Chaos(side)
            | FogName::Wayward(side)
            | FogName::Fortunes(side)
            | FogName::Casualty(side, _)) = &line.result;
            let side = self.side(AFFAIRS, &field, side);
            let result = match &line.result {
                FogName::Chaos(_) => FogResult::Chaos(side),
                FogName::Wayward(_) => FogResult::Wayward(side),
                FogName::Fortunes(_) => FogResult::Fortunes(side),
                FogName::Casualty(_, name) => {
                    let chit = general(name);
                    if chit.is_none() && !name.is_empty() {
                        self.wrong(AFFAIRS, &field, format!("no general \"{name}\""));
                    }
                    FogResult::Casualty(side, chit)
                }
            };
            rolls(line.from, line.to).for_each(|roll| fog[roll] = Some(result));
        }
        if fog.contains(&None) {
            self.wrong(
                AFFAIRS,
                "fog",
                "the lines do not cover every roll from 11 to 66",
            );
        }
        fog.into_iter()
            .map(|result| result.unwrap_or(FogResult::Casualty(Side::First, None)))
            .collect()
    }
}

/// Rolls from one two-digit number to another as indices.
fn rolls(from: u8, to: u8) -> impl Iterator<Item = usize> {
    let faces = |n: &u8| (1..=6).contains(&(n / 10)) && (1..=6).contains(&(n % 10));
    (from..=to)
        .filter(faces)
        .map(|n| usize::from(n / 10 - 1) * 6 + usize::from(n % 10 - 1))
}
fn fire_shifts(file: &FireFile) -> FireShifts {
    FireShifts {
        woods: file.woods.0,
        town: file.town.0,
        over_cover: file.over_cover.0,
        over_units: file.over_units.0,
        long: file.long.0,
        mixed: file.mixed.0,
        dismounted: file.dismounted.0,
        mounted: file.mounted.0,
        defend: file.defend.0,
        canister: file.canister.0,
        canister_smooth: file.canister_smooth.0,
    }
}

fn assault_shifts(file: &AssaultFile) -> AssaultShifts {
    AssaultShifts {
        town: file.town.0,
        yell: file.yell.0,
        flank: file.flank.0,
        guns: file.guns.0,
        odds: file.odds.0,
    }
}

fn marching(tables: &Tables) -> Marching {
    let (allowance, costs) = (&tables.allowance, &tables.costs);
    Marching {
        attack: [allowance.attack.0, allowance.attack_mounted.0],
        maneuver: [allowance.maneuver.0, allowance.maneuver_mounted.0],
        redeploy: allowance.redeploy.0,
        disengage: costs.disengage.0,
        exit: costs.exit.0,
    }
}

fn stacking(file: &StackingFile) -> Stacking {
    Stacking {
        open: file.open.0,
        town: file.town.0,
        road: file.road.0,
        breakthrough: file.breakthrough.0,
    }
}
