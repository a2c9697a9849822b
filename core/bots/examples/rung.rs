//! One rung of the ladder, and what it costs: `rung RULESET SCENARIO BETTER WEAKER GAMES [FROM]`.
//!
//! Each number is played twice, with the seats exchanged and the same dice. Nobody has a plan. The seconds are those of the
//! processor in which the better player chose where there was a choice.

use cupola_blindswords as _;
use cupola_blocks as _;
use cupola_bots::{Brief, Player, Skill};
use cupola_common as _;
use cupola_corps20 as _;
use cupola_gbacw as _;
use cupola_kernel::{Play, Registry, Seed, Side};
use cupola_library::Library;
use std::error::Error;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [ruleset, scenario, better, weaker, games, rest @ ..] = &args[..] else {
        return Err("rung RULESET SCENARIO BETTER WEAKER GAMES [FROM]".into());
    };
    let library = Library::new(Library::find_root()?, None, Registry::linked()?);
    let play = library.play(ruleset, scenario, None)?;
    let skills = [Skill::parse(better)?, Skill::parse(weaker)?];
    let from: u64 = rest.first().map_or(Ok(0), |from| from.parse())?;
    let mut tally = Tally::default();
    for n in from..from + games.parse::<u64>()? {
        for side in Side::BOTH {
            tally.play(&play, skills, side, Seed(1863).nth(n))?;
        }
        tally.tell(&format!("{ruleset}/{scenario} {better} v {weaker}"));
    }
    Ok(())
}

#[derive(Default)]
struct Tally {
    leads: Vec<f64>,
    won: usize,
    drawn: usize,
    choices: u64,
    spent: f64,
    longest: f64,
}

impl Tally {
    fn play(
        &mut self,
        play: &Play,
        [better, weaker]: [Skill; 2],
        side: Side,
        seed: Seed,
    ) -> Result<(), Box<dyn Error>> {
        let free = Side::BOTH.map(|side| Arc::new(Brief::free(play, side)));
        let mut players = [0, 1].map(|i| {
            let skill = if i == side as usize { better } else { weaker };
            Player::new(skill, &free[i], &free[1 - i], seed.nth(100 + i as u64))
        });
        let mut game = play.game(seed)?;
        while let Some(decision) = game.decision() {
            let (mover, choice) = (decision.ask.side, decision.options.len() > 1);
            let start = processor();
            let Some(act) = players[mover as usize].choose(&game)? else {
                break;
            };
            if mover == side && choice {
                let took = processor() - start;
                self.choices += 1;
                self.spent += took;
                self.longest = self.longest.max(took);
            }
            game.apply_unchecked(act)?;
        }
        let way = if side == Side::First { 1.0 } else { -1.0 };
        self.leads.push(way * f64::from(game.margin()));
        match game.verdict().and_then(|verdict| verdict.winner) {
            Some(winner) => self.won += usize::from(winner == side),
            None => self.drawn += 1,
        }
        Ok(())
    }

    fn tell(&self, who: &str) {
        let games = self.leads.len();
        let n = games as f64;
        let mean = self.leads.iter().sum::<f64>() / n;
        // By pairs: what one seat is better off cancels.
        let pairs: Vec<f64> = self.leads.chunks(2).map(|x| (x[0] + x[1]) / 2.0).collect();
        let squares: f64 = pairs.iter().map(|x| (x - mean) * (x - mean)).sum();
        let many = pairs.len() as f64;
        let half = 1.96 * (squares / (many - 1.0).max(1.0) / many).sqrt();
        let score = (self.won as f64 + self.drawn as f64 / 2.0) / n;
        println!(
            "{who}: {}-{}-{} {:.0} % | lead {mean:+.0} ± {half:.0} | {} choices a game, {:.3} s each, {:.2} at most",
            self.won,
            self.drawn,
            games - self.won - self.drawn,
            score * 100.0,
            self.choices / games as u64,
            self.spent / self.choices.max(1) as f64,
            self.longest,
        );
    }
}

/// Seconds of the processor that this thread has used, where the system tells.
fn processor() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = told.split(' ').next().and_then(|text| text.parse().ok());
    nanos.unwrap_or(0.0) / 1e9
}
