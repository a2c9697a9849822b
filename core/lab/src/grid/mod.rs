//! Whether a finding is about the rules: the same figures by other plans, by other players, and with a loss counted
//! otherwise.
//!
//! A cell of the grid is one ruleset with one pair of plans and one player, some games of it. What a loss by the rules
//! stands for in men is a house figure with a band; it needs no games of its own, each cell is counted at the low end,
//! in the middle and at the high end. A claim **holds** if every cell says the same at every scale, and the mean of all cells is
//! clear of equality at each of them, the number of claims reckoned with; it **flips** if cells that are clear of equality say
//! both; otherwise it is **not known**.

mod band;
mod cell;
mod claim;
mod swing;

pub use band::{Band, Bands};
pub use cell::{Cell, Measure};
pub use claim::{Claim, Fate};
pub use swing::{Shares, Swing};

use serde::{Deserialize, Serialize};

/// A pair of plans.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanPair {
    /// Its name in the scenario.
    pub name: String,
    /// What the plans are called, by side.
    pub titles: Vec<String>,
    /// Whether they were made from the record that play is scored by.
    pub from_record: bool,
}

/// Who plays as one of the grid's players in a contest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seat {
    /// This bot.
    Plays(String),
    /// Nobody: a game would take too long.
    TooDear,
    /// This bot, who chose in every game exactly as another of the players did, and so is not counted as one more.
    Like(String, String),
}

/// The grid.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Grid {
    /// Rulesets and variants, in the order of the page.
    pub contests: Vec<String>,
    /// The pairs of plans.
    pub plans: Vec<PlanPair>,
    /// The players, by how far they look ahead.
    pub bots: Vec<String>,
    /// By contest and player, who that is there: as far as one looks ahead depends on the ruleset.
    #[serde(default)]
    pub players: Vec<Vec<Seat>>,
    /// By contest, what a loss may stand for.
    pub bands: Vec<Band>,
    /// All cells.
    pub cells: Vec<Cell>,
    /// By measure, in the order of [`Measure::ALL`]: what goes with what.
    pub shares: Vec<Shares>,
    /// What could be said, and what became of it.
    pub claims: Vec<Claim>,
}

/// The names of the ends of a band.
const SCALES: [&str; 3] = ["low", "middle", "high"];

impl Grid {
    /// Works out what goes with what, and what holds.
    #[must_use]
    pub fn judged(mut self) -> Grid {
        self.leave_out_the_alike();
        self.shares = Measure::ALL
            .into_iter()
            .map(|m| self.shares_of(m))
            .collect();
        self.claims = self.claims_of();
        self
    }

    /// Players who came to the same in every game as one before them are one player, not two.
    fn leave_out_the_alike(&mut self) {
        for (c, contest) in self.contests.clone().iter().enumerate() {
            for (b, bot) in self.bots.clone().iter().enumerate().skip(1) {
                let mut others = self.bots[..b].iter();
                let Some(other) = others.find(|other| self.alike(contest, bot, other)) else {
                    continue;
                };
                let other = other.clone();
                let seat = self.players.get_mut(c).and_then(|seats| seats.get_mut(b));
                if let Some(seat) = seat
                    && let Seat::Plays(name) = seat
                {
                    *seat = Seat::Like(name.clone(), other);
                }
                self.cells
                    .retain(|cell| (&cell.contest, &cell.bot) != (contest, bot));
            }
        }
    }

    /// Whether two players came to the same in every game of a contest.
    fn alike(&self, contest: &str, bot: &str, other: &str) -> bool {
        let mut pairs = self.plans.iter().map(|plans| {
            let games = |bot: &str| Some(&self.cell(contest, &plans.name, bot)?.games);
            (games(bot), games(other))
        });
        pairs.all(|(a, b)| a.is_some_and(|games| !games.is_empty()) && a == b)
    }

    /// Contests that every player of the grid has played by all plans: only they can tell what goes with what.
    #[must_use]
    pub fn complete(&self) -> Vec<&String> {
        let whole = |contest: &&String| {
            let mut all = self.plans.iter().flat_map(|plans| {
                let bots = self.bots.iter();
                bots.map(|bot| self.cell(contest, &plans.name, bot))
            });
            all.all(|cell| cell.is_some())
        };
        self.contests.iter().filter(whole).collect()
    }

    /// The cell of a contest, a pair of plans and a player.
    #[must_use]
    pub fn cell(&self, contest: &str, plans: &str, bot: &str) -> Option<&Cell> {
        let wanted = (contest, plans, bot);
        let mut cells = self.cells.iter();
        cells.find(|cell| (&*cell.contest, &*cell.plans, &*cell.bot) == wanted)
    }

    /// The factors of a contest's band; none but the middle for what is not counted in men.
    fn factors(&self, contest: &str, measure: Measure) -> Vec<f64> {
        if !measure.scales() {
            return vec![1.0];
        }
        let at = self.contests.iter().position(|name| name == contest);
        let band = at.and_then(|at| self.bands.get(at));
        band.map_or(vec![1.0], |band| band.factors().to_vec())
    }
}

fn square(x: f64) -> f64 {
    x * x
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Blur, Estimate};

    fn cell(contest: &str, plans: &str, bot: &str, men: f64) -> Cell {
        let sure = |mean: f64| Estimate {
            mean,
            low: mean * 0.95,
            high: mean * 1.05,
            error: mean * 0.025,
            games: 40,
        };
        let values = Measure::ALL.map(|measure| match measure {
            Measure::MenFirst => sure(men),
            _ => sure(0.7),
        });
        Cell {
            contest: contest.into(),
            plans: plans.into(),
            bot: bot.into(),
            values: values.to_vec(),
            blurs: vec![],
            begins: 0.0,
            lasts: 960.0,
            games: vec![],
        }
    }

    fn grid(cells: Vec<Cell>, bands: [(u32, u32); 2]) -> Grid {
        let plans = ["history", "free"].map(|name| PlanPair {
            name: name.into(),
            titles: vec![],
            from_record: name == "history",
        });
        Grid {
            contests: vec!["blocks".into(), "corps20".into()],
            plans: plans.to_vec(),
            bots: vec!["steady".into(), "search".into()],
            bands: bands
                .map(|(low, high)| Band {
                    low,
                    high,
                    why: String::new(),
                })
                .to_vec(),
            cells,
            ..Grid::default()
        }
        .judged()
    }

    fn cells(blocks: [f64; 4], corps20: [f64; 4]) -> Vec<Cell> {
        let mut cells = vec![];
        for (contest, men) in [("blocks", blocks), ("corps20", corps20)] {
            let at = [
                ("history", "steady"),
                ("history", "search"),
                ("free", "steady"),
                ("free", "search"),
            ];
            for ((plans, bot), men) in at.into_iter().zip(men) {
                cells.push(cell(contest, plans, bot, men));
            }
        }
        cells
    }

    fn men(grid: &Grid) -> &Claim {
        let mut claims = grid.claims.iter();
        let wanted = |claim: &&Claim| claim.measure == Measure::MenFirst;
        claims.find(wanted).expect("a claim about men")
    }

    #[test]
    fn what_every_cell_says_holds() {
        let grid = grid(
            cells([6000.0, 6500.0, 9000.0, 7000.0], [1700.0; 4]),
            [(900, 1100); 2],
        );
        let claim = men(&grid);
        assert_eq!((claim.standing, &*claim.more), (Fate::Holds, "blocks"));
        assert_eq!(claim.less.as_deref(), Some("corps20"));
        assert_eq!((claim.agree, claim.of), (36, 36));
        assert!(claim.where_not.is_empty());
        assert!(grid.shares[1].rulesets > 0.8, "{:?}", grid.shares[1]);
    }

    #[test]
    fn what_a_plan_or_a_scale_turns_round_is_not_said() {
        let plan = grid(
            cells([6000.0, 6000.0, 1000.0, 1000.0], [1700.0; 4]),
            [(990, 1010); 2],
        );
        assert_eq!(men(&plan).standing, Fate::Flips);
        assert!(men(&plan).where_not[0].starts_with("free"));
        assert!(plan.shares[1].plans > plan.shares[1].bots);
        // The middles agree in every cell, the ends of the bands do not.
        let scale = grid(cells([3000.0; 4], [1700.0; 4]), [(500, 1500), (500, 2500)]);
        assert_eq!(men(&scale).standing, Fate::Flips);
        assert!(scale.shares[1].scale > 0.5);
    }

    #[test]
    fn games_that_are_counted_at_nine_scales_are_no_more_games() {
        let noisy = |contest: &str, plans: &str, men: f64| {
            let mut cell = cell(contest, plans, "steady", men);
            for value in &mut cell.values {
                value.error = value.mean * 0.4;
                (value.low, value.high) = (value.mean * 0.2, value.mean * 1.8);
            }
            cell
        };
        let cells = ["history", "free"].into_iter().flat_map(|plans| {
            [
                noisy("blocks", plans, 3000.0),
                noisy("corps20", plans, 2000.0),
            ]
        });
        // Two cells, a fifth more than half of one standard error apart: every scale agrees, and nothing is known.
        let grid = grid(cells.collect(), [(990, 1010); 2]);
        assert_eq!((men(&grid).agree, men(&grid).of), (18, 18));
        assert_eq!(men(&grid).standing, Fate::Unknown);
    }

    /// Four games under each of two rulesets, all of them far apart: with one pair of plans they prove nothing, with four they do.
    #[test]
    fn games_say_no_more_than_their_number() {
        let standing = |plans: usize, error: f64| {
            let mut grid = Grid {
                contests: vec!["blocks".into(), "corps20".into()],
                bots: vec!["steady".into()],
                ..Grid::default()
            };
            for plan in 0..plans {
                let name = format!("plan{plan}");
                for (contest, value) in [("blocks", 300.0), ("corps20", 100.0)] {
                    let mut cell = cell(contest, &name, "steady", value);
                    cell.values.fill(Estimate::around(value, error, 4));
                    grid.cells.push(cell);
                }
                grid.plans.push(PlanPair {
                    name,
                    ..PlanPair::default()
                });
            }
            let claims = grid.judged().claims;
            let wanted = |claim: &&Claim| claim.measure == Measure::FirstAttack;
            claims.iter().find(wanted).map(|claim| claim.standing)
        };
        // Of eight games there are seventy ways to call four the later ones.
        for error in [0.0, 0.5] {
            assert_eq!(standing(1, error), Some(Fate::Unknown));
            assert_eq!(standing(4, error), Some(Fate::Holds));
        }
    }

    /// With one pair of plans and one player all that differs lies between rulesets: that does not make it theirs.
    #[test]
    fn what_the_dice_do_is_given_to_no_choice() {
        let shares = |error: f64| {
            let noisy = |contest: &str, men: f64| {
                let mut cell = cell(contest, "history", "steady", men);
                for value in &mut cell.values {
                    value.error = value.mean * error;
                }
                cell
            };
            let mut grid = grid(vec![], [(1000, 1000); 2]);
            grid.bots.truncate(1);
            grid.plans.truncate(1);
            grid.cells = vec![noisy("blocks", 3000.0), noisy("corps20", 2000.0)];
            grid.judged().shares[1]
        };
        // Half of the squares of two means is the dice's, whatever they come to.
        let (sure, loose) = (shares(0.0), shares(0.4));
        assert!((sure.rulesets - 1.0).abs() < 1e-9 && sure.dice < 1e-9);
        assert!(loose.rulesets < 1e-9 && loose.dice > 0.99, "{loose:?}");
        let some = shares(0.1);
        let dice = (300f64.powi(2) + 200f64.powi(2)) / 2.0 / (2.0 * 500f64.powi(2));
        assert!((some.dice - dice).abs() < 1e-9, "{some:?}");
    }

    /// Chances between nothing and one, the same in every run.
    struct Chances(u64);

    impl Chances {
        fn draw(&mut self) -> f64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 11) as f64 / (1u64 << 53) as f64
        }

        /// What so many games come to, by every measure.
        fn games(&mut self, games: usize) -> Vec<Estimate> {
            let played = Measure::ALL.map(|measure| {
                let mut game = || match measure {
                    Measure::Wins => self.draw().round(),
                    Measure::LossShare => (self.draw() + self.draw() + self.draw()) / 3.0,
                    // With a long tail upwards.
                    _ => 1000.0 * (1.0 + self.draw() * self.draw() * 3.0),
                };
                let all: Vec<f64> = (0..games).map(|_| game()).collect();
                Estimate::of(&all, measure == Measure::Wins)
            });
            played.to_vec()
        }
    }

    /// Every player of a pair of plans plays the same games, or nearly.
    fn played_alike(contest: &str, plan: &str, bots: &[String], played: &[Estimate]) -> Vec<Cell> {
        let cell = |(b, bot): (usize, &String)| {
            let nearly = |estimate: &Estimate| Estimate {
                mean: estimate.mean * (1.0 + 1e-6 * b as f64),
                ..*estimate
            };
            Cell {
                values: played.iter().map(nearly).collect(),
                ..cell(contest, plan, bot, 0.0)
            }
        };
        bots.iter().enumerate().map(cell).collect()
    }

    /// Rulesets that are alike in all: how many pages in a thousand say something of them nevertheless.
    fn false_pages(plans: usize, bots: usize, games: usize) -> u32 {
        let mut chances = Chances(0x1863_0701);
        let names = |of: &str, count| (0..count).map(|i| format!("{of}{i}")).collect::<Vec<_>>();
        let (contests, plans, bots) = (names("rules", 3), names("plan", plans), names("bot", bots));
        let pair = |name: &String| PlanPair {
            name: name.clone(),
            ..PlanPair::default()
        };
        let band = Band {
            low: 1000,
            high: 1000,
            why: String::new(),
        };
        let mut says_something = || {
            let mut cells = vec![];
            for contest in &contests {
                for plan in &plans {
                    cells.extend(played_alike(contest, plan, &bots, &chances.games(games)));
                }
            }
            let grid = Grid {
                contests: contests.clone(),
                plans: plans.iter().map(pair).collect(),
                bots: bots.clone(),
                bands: vec![band.clone(); contests.len()],
                cells,
                ..Grid::default()
            };
            let claims = grid.judged().claims;
            claims.iter().any(|claim| claim.standing == Fate::Holds)
        };
        (0..1000).map(|_| u32::from(says_something())).sum()
    }

    #[test]
    fn of_rulesets_that_are_alike_one_page_in_twenty_says_something_at_most() {
        for (plans, bots, games) in [(4, 3, 5), (4, 1, 5), (4, 2, 2), (4, 1, 2), (2, 1, 5)] {
            let said = false_pages(plans, bots, games);
            assert!(
                said <= 50,
                "{plans} plans, {bots} players, {games} games: {said}"
            );
        }
    }

    /// Players who lose nobody are the same in both rulesets, and say nothing of which has more.
    #[test]
    fn cells_that_are_alike_do_not_turn_a_claim_round() {
        let grid = grid(
            cells([6000.0, 0.0, 1000.0, 0.0], [1700.0, 0.0, 1700.0, 0.0]),
            [(1000, 1000); 2],
        );
        assert_eq!((&*men(&grid).more, men(&grid).agree), ("blocks", 9));
        assert_eq!(men(&grid).standing, Fate::Flips);
        let fewer = self::grid(
            cells([1700.0, 0.0, 0.0, 0.0], [1000.0, 0.0, 0.0, 0.0]),
            [(1000, 1000); 2],
        );
        assert_eq!((&*men(&fewer).more, men(&fewer).agree), ("blocks", 9));
    }

    /// A long turn has its middle late, and its fights are long: that alone says nothing of the rules.
    #[test]
    fn what_whole_turns_leave_open_is_not_said() {
        let judged = |(below, above): (f64, f64), begins: f64| {
            let mut cells = cells([300.0; 4], [200.0; 4]);
            for cell in &mut cells {
                let men = cell.value(Measure::MenFirst);
                cell.values = vec![men; Measure::ALL.len()];
                cell.blurs = vec![Blur { below, above }; Measure::ALL.len()];
                cell.begins = begins;
            }
            let grid = grid(cells, [(1000, 1000); 2]);
            let mut claims = grid.claims.into_iter();
            let wanted = |claim: &Claim| claim.measure == Measure::FirstAttack;
            claims.find(wanted).expect("a claim about the first attack")
        };
        let sharp = judged((10.0, 10.0), 0.0);
        assert_eq!((sharp.standing, &*sharp.more), (Fate::Holds, "blocks"));
        for (below, above) in [(60.0, 60.0), (101.0, 0.0)] {
            let open = judged((below, above), 0.0);
            assert_eq!((open.standing, open.agree), (Fate::Unknown, 0));
            assert_eq!(&*open.more, "blocks");
            assert!(open.where_not[0].ends_with("turns are too long to tell"));
        }
        // Who begins after the others' first attack attacks later, whatever the rules.
        let late = judged((10.0, 10.0), 250.0);
        assert_eq!((late.standing, late.agree), (Fate::Unknown, 0));
        assert!(late.where_not[0].ends_with("blocks begins later"));
    }

    /// The third day of regiments is two hours: that a fight lasts longer elsewhere says nothing of the rules.
    #[test]
    fn no_fight_is_called_short_because_its_game_is() {
        let judged = |lasts: f64| {
            let mut cells = cells([300.0; 4], [60.0; 4]);
            for cell in &mut cells {
                let men = cell.value(Measure::MenFirst);
                cell.values = vec![men; Measure::ALL.len()];
                if cell.contest == "corps20" {
                    cell.lasts = lasts;
                }
            }
            let mut claims = grid(cells, [(1000, 1000); 2]).claims.into_iter();
            let wanted = |claim: &Claim| claim.measure == Measure::Contact;
            claims.find(wanted).expect("a claim about fights")
        };
        assert_eq!(judged(900.0).standing, Fate::Holds);
        let short = judged(120.0);
        assert_eq!((short.standing, short.agree), (Fate::Unknown, 0));
        assert!(short.where_not[0].ends_with("a game of corps20 is over before"));
    }

    #[test]
    fn a_player_who_chooses_as_another_does_is_not_one_more() {
        let mut cells = cells([6000.0; 4], [1700.0; 4]);
        for cell in &mut cells {
            // In blocks both come to the same in every game, in corps20 not by the free plans.
            let apart = cell.contest == "corps20" && cell.plans == "free" && cell.bot == "search";
            cell.games = vec![(0, vec![Some(if apart { 1.0 } else { 2.0 })])];
        }
        let mut grid = grid(cells, [(900, 1100); 2]);
        assert!(grid.cell("blocks", "history", "search").is_none());
        assert!(grid.cell("corps20", "history", "search").is_some());
        assert_eq!(grid.complete(), ["corps20"]);
        // Cells that only one of two rulesets has are compared with nobody.
        assert_eq!((men(&grid).of, men(&grid).standing), (18, Fate::Holds));
        grid.cells.clear();
        assert!(grid.complete().is_empty());
    }

    #[test]
    fn a_tornado_has_the_widest_swing_first() {
        let grid = grid(
            cells([6000.0, 6000.0, 1000.0, 1000.0], [1700.0; 4]),
            [(900, 1100); 2],
        );
        let swings = grid.tornado("blocks", Measure::MenFirst);
        let names: Vec<&str> = swings.iter().map(|swing| swing.choice).collect();
        assert_eq!(names, ["plans", "scale of losses", "players"]);
        assert_eq!(swings[0].low, ("free".to_owned(), 1000.0));
        assert_eq!(swings[0].high, ("history".to_owned(), 6000.0));
        assert_eq!(swings[2].low.1, swings[2].high.1);
    }

    /// Who played alone in a ruleset does not show that players matter little there.
    #[test]
    fn where_there_was_one_player_nothing_is_said_of_players() {
        let mut cells = cells([6000.0, 6000.0, 1000.0, 1000.0], [1700.0; 4]);
        cells.retain(|cell| cell.contest != "blocks" || cell.bot == "steady");
        let grid = grid(cells, [(900, 1100); 2]);
        let choices = |contest: &str| {
            let swings = grid.tornado(contest, Measure::MenFirst);
            swings.iter().map(|s| s.choice).collect::<Vec<&str>>()
        };
        assert_eq!(choices("blocks"), ["plans", "scale of losses"]);
        assert!(choices("corps20").contains(&"players"));
    }

    #[test]
    fn shares_of_a_grid_add_up() {
        let grid = grid(
            cells([1.0, 2.0, 3.0, 4.0], [5.0, 7.0, 11.0, 13.0]),
            [(500, 1500); 2],
        );
        for shares in &grid.shares[1..2] {
            let main = shares.rulesets + shares.plans + shares.bots + shares.scale;
            let sum = main + shares.rest + shares.dice;
            assert!((sum - 1.0).abs() < 1e-9, "{shares:?}");
            // The cells are known to a fortieth of their mean.
            assert!(shares.dice > 0.0 && shares.dice < 0.01, "{shares:?}");
        }
    }
}
