#![allow(missing_docs, reason = "named as in the files")]
//! Victory: what is held, what is lost, and what it comes to. All of it is data of the scenario.

use crate::artillery;
use crate::field::{Field, rules};
use crate::files::BySideName;
use crate::load::Names;
use crate::recovery::{division_is_wrecked, is_spent};
use crate::rules::Kind;
use crate::state::{Land, is_lost};
use cupola_kernel::{BySide, HexId, Side, Table, UnitId, Verdict, rule};
use serde::Deserialize;

/// Victory in a scenario file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VictoryFile {
    /// Hexes worth points to whoever holds them.
    #[serde(default)]
    pub prizes: Vec<PrizeFile>,
    /// Whether prizes are nobody's until somebody has been there; else they are the Union's.
    #[serde(default)]
    pub unclaimed: bool,
    /// The points of a clear win, for margins, where the prizes do not tell.
    #[serde(default)]
    pub whole: Option<i32>,
    /// Losses worth points to the enemy.
    #[serde(default)]
    pub scores: Vec<ScoreFile>,
    /// What the points come to.
    pub verdict: VerdictFile,
}

/// Hexes worth points.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrizeFile {
    /// The hexes: each is worth so much to whoever holds it.
    pub hexes: Vec<String>,
    /// What they are worth to each side, by its id.
    pub worth: BySideName<i32>,
    /// When it pays. Left out: at the end of the game.
    #[serde(default)]
    pub when: When,
}

/// When a prize pays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// At the end of the game.
    #[default]
    End,
    /// At the end of every turn.
    Turn,
    /// At the end of the first turn on which a side holds it.
    Once,
}

/// Losses worth points to the enemy.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ScoreFile {
    /// Each ineffective brigade; if some are named, of these.
    Brigade {
        /// The side whose losses they are; the enemy has the points.
        of: String,
        /// Points for each.
        points: i32,
        /// The names of those that count. Left out: all of that side.
        #[serde(default)]
        among: Vec<String>,
    },
    /// Each ineffective division; if some are named, of these.
    Division {
        of: String,
        points: i32,
        #[serde(default)]
        among: Vec<String>,
    },
    /// Each strength point lost, by arm.
    Loss {
        of: String,
        /// The arm whose strength points count.
        arm: ArmName,
        points: i32,
    },
}

/// Arms as losses count them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArmName {
    /// Infantry.
    Foot,
    /// Cavalry.
    Horse,
    /// Guns.
    Guns,
    /// All of them.
    All,
}

/// What the points come to.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum VerdictFile {
    /// One side's points over the other's, from the best grade down.
    Ratio {
        /// The side whose points stand above the line.
        of: String,
        /// The grades, the best first: the first that fits is the verdict.
        grades: Vec<GradeFile>,
    },
    /// Whoever has more.
    Most,
    /// A side needs so many.
    Needs {
        /// The side that needs them.
        side: String,
        /// So many and it has won; fewer, and it has lost.
        points: i32,
    },
}

/// A grade of victory.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GradeFile {
    /// The bound that the ratio must pass.
    pub when: Bound,
    /// Nobody if it is a draw.
    #[serde(default)]
    pub winner: Option<String>,
    /// The grade in words, such as `marginal victory`.
    pub how: String,
}

/// A bound of a ratio, as a fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// At least this.
    From(i32, i32),
    /// More than this.
    Above(i32, i32),
    /// As many as the other.
    Equal,
    /// Whatever is left.
    Otherwise,
}

/// How a scenario is won.
pub struct Victory {
    prizes: Vec<(u8, BySide<i32>, When)>,
    unclaimed: bool,
    scores: Vec<Score>,
    verdict: Ending,
    /// All that a side can hold, for the margin.
    whole: i32,
}

enum Score {
    Brigade(Side, i32, Vec<u16>),
    Division(Side, i32, Vec<u16>),
    Loss(Side, ArmName, i32),
}

enum Ending {
    Ratio(Side, Vec<(Bound, Option<Side>, String)>),
    Most,
    Needs(Side, i32),
}

impl VictoryFile {
    /// Looks names up; `watch` gives a watched hex its number.
    pub fn build(&self, names: &mut Names, mut watch: impl FnMut(HexId) -> u8) -> Victory {
        let (mut prizes, mut whole) = (vec![], 0);
        for (i, prize) in self.prizes.iter().enumerate() {
            let field = format!("victory.prizes[{i}].worth");
            let points = names.by_side(&field, &prize.worth).unwrap_or_default();
            for hex in names.hexes(&format!("victory.prizes[{i}].hexes"), &prize.hexes) {
                whole += points.first.max(points.second);
                prizes.push((watch(hex), points, prize.when));
            }
        }
        let scores = self
            .scores
            .iter()
            .map(|score| match score {
                ScoreFile::Brigade { of, points, among } => {
                    let among = among.iter();
                    let among = among.map(|name| names.brigade("victory.scores", name));
                    let among = among.collect();
                    Score::Brigade(names.side("victory.scores", of), *points, among)
                }
                ScoreFile::Division { of, points, among } => {
                    let among = among.iter();
                    let among = among.map(|name| names.formation("victory.scores", name));
                    let among = among.collect();
                    Score::Division(names.side("victory.scores", of), *points, among)
                }
                ScoreFile::Loss { of, arm, points } => {
                    Score::Loss(names.side("victory.scores", of), *arm, *points)
                }
            })
            .collect();
        let verdict = match &self.verdict {
            VerdictFile::Ratio { of, grades } => Ending::Ratio(
                names.side("victory.verdict.of", of),
                grades
                    .iter()
                    .map(|grade| {
                        let winner = grade.winner.as_ref();
                        let winner = winner.map(|side| names.side("victory.verdict.grades", side));
                        (grade.when, winner, grade.how.clone())
                    })
                    .collect(),
            ),
            VerdictFile::Most => Ending::Most,
            VerdictFile::Needs { side, points } => {
                Ending::Needs(names.side("victory.verdict.side", side), *points)
            }
        };
        Victory {
            prizes,
            scores,
            verdict,
            unclaimed: self.unclaimed,
            whole: self.whole.unwrap_or(whole).max(1),
        }
    }
}

/// Who holds a watched hex, if anybody does.
#[must_use]
pub fn holder(t: &Table, watch: u8) -> Option<Side> {
    let land = t.res::<Land>();
    if land.held >> watch & 1 == 1 {
        Some(Side::Second)
    } else if rules(t).victory.unclaimed && land.claimed >> watch & 1 == 0 {
        None
    } else {
        Some(Side::First)
    }
}

/// A turn ends: prizes that pay by the turn do.
pub fn turn_ends(t: &mut Table) {
    let mut paid = vec![];
    for (number, &(watch, worth, when)) in rules(t).victory.prizes.iter().enumerate() {
        let Some(side) = holder(t, watch).filter(|_| when != When::End) else {
            continue;
        };
        // A bit for each side, of those that pay once.
        let bit = 1u128 << ((2 * number + side as usize) % 128);
        let again = when == When::Once && t.res::<Land>().paid & bit != 0;
        if !again {
            paid.push((side, worth[side], bit));
        }
    }
    for (side, points, bit) in paid {
        let land = t.res_mut::<Land>();
        land.scored[side] += points;
        land.paid |= bit;
    }
}

/// Whether a side holds a hex that is watched.
#[must_use]
pub fn holds(t: &Table, side: Side, hex: HexId) -> bool {
    let watch = rules(t).watch[hex.index()];
    watch > 0 && holder(t, watch - 1) == Some(side)
}

/// Strength lost since the set-up: on tracks, routed, eliminated; guns with those the enemy has taken.
#[must_use]
pub fn losses(t: &Table, side: Side, arm: ArmName) -> i32 {
    let field = Field::new(t);
    let mut sum = 0;
    for (number, brigade) in field.rules.brigades.iter().enumerate() {
        if brigade.side != side {
            continue;
        }
        let fits = |unit: UnitId| {
            matches!(
                (field.card(unit).kind, arm),
                (_, ArmName::All)
                    | (Kind::Foot, ArmName::Foot)
                    | (Kind::Horse, ArmName::Horse)
                    | (Kind::Guns | Kind::HorseGuns, ArmName::Guns)
            )
        };
        let (mut tracked, mut gone) = (false, 0);
        for &unit in brigade.units.iter().filter(|&&unit| fits(unit)) {
            let card = field.card(unit);
            if card.counts_own() {
                gone += i32::from(artillery::lost(t, unit));
                continue;
            }
            tracked = true;
            let out = is_lost(t.stacks().place(unit));
            if out && !field.rules.starts[usize::from(unit.0)].eliminated {
                gone += i32::from(card.sp);
            }
        }
        if tracked {
            let before = field.rules.worn[number].losses;
            gone += i32::from(field.wear(number as u16).losses) - i32::from(before);
        }
        sum += gone;
    }
    sum
}

/// What a side has now.
#[must_use]
pub fn score(t: &Table) -> BySide<i32> {
    let victory = &rules(t).victory;
    let mut points = t.res::<Land>().scored;
    for &(watch, worth, when) in &victory.prizes {
        if let Some(side) = holder(t, watch).filter(|_| when == When::End) {
            points[side] += worth[side];
        }
    }
    for special in &rules(t).specials {
        let more = special.points(t);
        points.first += more.first;
        points.second += more.second;
    }
    for score in &victory.scores {
        match *score {
            Score::Brigade(side, worth, ref among) => {
                let all = 0..rules(t).brigades.len() as u16;
                let spent = all.filter(|&brigade| {
                    let ours = rules(t).brigades[usize::from(brigade)].side == side;
                    ours && (among.is_empty() || among.contains(&brigade)) && is_spent(t, brigade)
                });
                points[side.other()] += worth * spent.count() as i32;
            }
            Score::Division(side, worth, ref among) => {
                let all = 0..rules(t).formations.len() as u16;
                let spent = all.filter(|&formation| {
                    let ours = rules(t).formations[usize::from(formation)].side == side;
                    ours && (among.is_empty() || among.contains(&formation))
                        && division_is_wrecked(t, formation)
                });
                points[side.other()] += worth * spent.count() as i32;
            }
            Score::Loss(side, arm, worth) => {
                points[side.other()] += worth * losses(t, side, arm).max(0);
            }
        }
    }
    points
}

/// What the points come to.
#[must_use]
pub fn judge(t: &Table) -> Verdict {
    let mut specials = rules(t).specials.iter();
    if let Some(verdict) = specials.find_map(|special| special.verdict(t)) {
        return verdict;
    }
    let points = score(t);
    let (winner, how) = match &rules(t).victory.verdict {
        Ending::Ratio(of, grades) => {
            let (over, under) = (i64::from(points[*of]), i64::from(points[of.other()]));
            let meets = |bound: Bound| match bound {
                Bound::From(a, b) => over * i64::from(b) >= under * i64::from(a),
                Bound::Above(a, b) => over * i64::from(b) > under * i64::from(a),
                Bound::Equal => over == under,
                Bound::Otherwise => true,
            };
            let grade = grades.iter().find(|(bound, ..)| meets(*bound));
            grade.map_or((None, "draw".to_owned()), |(_, winner, how)| {
                (*winner, how.clone())
            })
        }
        Ending::Most => match points.first.cmp(&points.second) {
            std::cmp::Ordering::Greater => (Some(Side::First), "victory".to_owned()),
            std::cmp::Ordering::Less => (Some(Side::Second), "victory".to_owned()),
            std::cmp::Ordering::Equal => (None, "draw".to_owned()),
        },
        Ending::Needs(side, wanted) => {
            let won = points[*side] >= *wanted;
            let winner = if won { *side } else { side.other() };
            (Some(winner), "victory".to_owned())
        }
    };
    Verdict {
        winner,
        how: how.into(),
        rule: rule!("13.0"),
    }
}

/// How far the Union is ahead, in thousandths of a clear win.
#[must_use]
pub fn margin(t: &Table) -> i32 {
    let points = score(t);
    (points.first - points.second) * 1000 / rules(t).victory.whole
}

/// The points that are a clear win.
#[must_use]
pub fn whole(t: &Table) -> i32 {
    rules(t).victory.whole
}

/// The watched hexes with what they are worth, for views.
pub fn prizes(t: &Table) -> impl Iterator<Item = (HexId, Option<Side>, BySide<i32>)> + '_ {
    let rules = rules(t);
    rules
        .victory
        .prizes
        .iter()
        .map(move |&(watch, worth, _)| (rules.watched[usize::from(watch)], holder(t, watch), worth))
}
