//! Odds: they add up, the dice agree with them, and the fight that is shown is the one that is fought.

use crate::conformity::Tally;
use crate::settings::Settings;
use crate::walk::{Walk, some};
use cupola_kernel::{
    Act, Combat, Fault, Fight, Game, Loose, Odds, Outcome, Play, Preview, Seed, odds,
};
use std::collections::{BTreeMap, BTreeSet};

/// How many previews are looked at for each fight that is rolled: most look like another.
const PREVIEWS_PER_FIGHT: u64 = 50;

pub(crate) fn run(play: &Play, settings: &Settings, tally: &mut Tally) -> Result<(), String> {
    let (mut known, mut reckoned) = (BTreeSet::new(), BTreeMap::new());
    let mut rolled = 0;
    settings.series(1, |number| {
        let mut walk = Walk::nth(play, settings, number)?;
        walk.game.listen(true);
        while let Some((side, act)) = walk.choice()? {
            let options = walk.game.decision().map_or(&[][..], |d| d.options);
            // Odds can be dear, and fights rare: every ply is looked at until enough were seen.
            let enough = tally.get("previews") > settings.fights as u64 * PREVIEWS_PER_FIGHT;
            for &option in some(options, settings.tries).filter(|_| !enough) {
                look(&walk.game, option, &mut known, settings, tally)
                    .and_then(|()| ends_alike(&walk.game, option, &mut reckoned, tally))
                    .map_err(|why| walk.at(format!("“{}”: {why}", walk.game.name(option))))?;
            }
            let shown = walk.game.fight(act).map(|(_, fight)| fight);
            let name = shown.is_some().then(|| walk.game.name(act));
            walk.apply(side, act)?;
            rolled += walk.game.take_events().1.len();
            if let (Some(shown), fought @ [_, ..]) = (shown, &walk.game.take_fights()[..]) {
                same_fight(&shown, fought)
                    .map_err(|why| walk.at(format!("“{}”: {why}", name.unwrap_or_default())))?;
                tally.add("fights as shown", 1);
            }
        }
        Ok(walk.ply)
    })?;
    if tally.get("uncertain previews") > 0 && rolled == 0 {
        return Err("fights are uncertain, but no die was rolled at the table".to_owned());
    }
    Ok(())
}

/// Whether the odds that an answer showed were those of the fight that it led to; of one of them, where fire and
/// return fire are rolled together.
fn same_fight(shown: &Fight, fought: &[Fight]) -> Result<(), String> {
    if fought.contains(shown) {
        return Ok(());
    }
    Err(format!(
        "the fight that is fought is not the one that was shown: {fought:?}, not {shown:?}"
    ))
}

fn look(
    game: &Game,
    act: Act,
    known: &mut BTreeSet<String>,
    settings: &Settings,
    tally: &mut Tally,
) -> Result<(), String> {
    let Some(preview) = game.preview(act) else {
        return match game.fight(act) {
            None => Ok(()),
            Some(_) => Err("leads to a fight, but its odds cannot be worked out".to_owned()),
        };
    };
    adds_up(&preview)?;
    tally.add("previews", 1);
    tally.add("uncertain previews", u64::from(preview.outcomes.len() > 1));
    // Fights that look the same are measured once.
    let fresh = known.len() < settings.fights && known.insert(format!("{preview:?}"));
    if let Some((combat, fight)) = game.fight(act).filter(|_| fresh) {
        let counts = measure(&*combat, game, &fight, settings)
            .map_err(|fault| format!("the fight cannot be rolled: {fault}"))?;
        agrees(&preview, &counts, settings.rolls)?;
        tally.add("fights rolled", 1);
    }
    Ok(())
}

/// Whether a fight has the odds of the first one that was met with the same numbers ([`Combat::reckon`]).
fn ends_alike(
    game: &Game,
    act: Act,
    reckoned: &mut BTreeMap<(&'static str, Vec<i16>), Odds<Outcome>>,
    tally: &mut Tally,
) -> Result<(), String> {
    let Some((combat, fight)) = game.prospect(act) else {
        return Ok(());
    };
    let Some(numbers) = combat.reckon(game.table(), &fight) else {
        return Ok(());
    };
    let fault = |fault: Fault| format!("the odds cannot be worked out: {fault}");
    let found = odds(&*combat, game.table(), &fight).map_err(fault)?;
    tally.add("fights reckoned", 1);
    let wrong = format!(
        "“{}” reads its dice with {numbers:?}, but a fight with the same numbers had other odds",
        combat.name()
    );
    let same = reckoned
        .entry((combat.name(), numbers))
        .or_insert_with(|| found.clone());
    (*same == found).then_some(()).ok_or(wrong)
}

fn adds_up(preview: &Preview) -> Result<(), String> {
    let sum: u128 = preview.outcomes.iter().map(|(_, weight)| weight).sum();
    if sum != preview.total || sum == 0 {
        let total = preview.total;
        return Err(format!("the odds add up to {sum} of {total}"));
    }
    for (outcome, weight) in &preview.outcomes {
        if outcome.trim().is_empty() {
            return Err("an outcome has no words".to_owned());
        }
        if *weight == 0 {
            return Err(format!("“{outcome}” is shown, but cannot happen"));
        }
    }
    let mut lines = preview.modifiers.0.iter();
    match lines.find(|line| line.rule.0.trim().is_empty() || line.label.trim().is_empty()) {
        None => Ok(()),
        Some(line) => Err(format!("a modifier cites no rule or has no name: {line:?}")),
    }
}

/// Rolls a fight many times, with dice apart from the game's.
fn measure(
    combat: &dyn Combat,
    game: &Game,
    fight: &Fight,
    settings: &Settings,
) -> Result<BTreeMap<String, u32>, Fault> {
    let mut dice = Loose::new(Seed(settings.seed.0 ^ game.hash().0));
    let mut counts = BTreeMap::new();
    for _ in 0..settings.rolls {
        let outcome = combat.resolve(game.table(), fight, &mut dice)?;
        let text = combat.describe(game.table(), &outcome);
        *counts.entry(text).or_insert(0) += 1;
    }
    Ok(counts)
}

/// Chi-squared against what the preview says. Cells that expect fewer than five rolls are pooled.
fn agrees(preview: &Preview, counts: &BTreeMap<String, u32>, rolls: u32) -> Result<(), String> {
    let mut weights: BTreeMap<&str, u128> = BTreeMap::new();
    for (outcome, weight) in &preview.outcomes {
        *weights.entry(outcome).or_insert(0) += weight;
    }
    if let Some(stranger) = counts
        .keys()
        .find(|text| !weights.contains_key(text.as_str()))
    {
        return Err(format!("the dice give “{stranger}”, the odds do not"));
    }
    let (mut cells, mut rest) = (vec![], (0.0, 0.0));
    for (outcome, weight) in weights {
        let expected = weight as f64 / preview.total as f64 * f64::from(rolls);
        let found = f64::from(counts.get(outcome).copied().unwrap_or(0));
        if expected < 5.0 {
            rest = (rest.0 + expected, rest.1 + found);
        } else {
            cells.push((expected, found));
        }
    }
    if rest.0 > 0.0 {
        cells.push(rest);
    }
    let chi: f64 = cells.iter().map(|(e, f)| (f - e) * (f - e) / e).sum();
    let limit = critical(cells.len().saturating_sub(1));
    if chi <= limit {
        Ok(())
    } else {
        Err(format!(
            "the dice do not agree with the odds: chi-squared {chi:.1}, at most {limit:.1}; rolled \
             {counts:?}"
        ))
    }
}

/// What chi-squared passes by chance once in a million (Wilson and Hilferty's approximation). The
/// suite's dice are fixed, so a sound ruleset that passes once passes always.
fn critical(freedom: usize) -> f64 {
    if freedom == 0 {
        return 1e-6;
    }
    if freedom == 1 {
        // The approximation is poor here; this is the square of 4.892 standard deviations.
        return 23.93;
    }
    let spread = 2.0 / (9.0 * freedom as f64);
    freedom as f64 * (1.0 - spread + 4.753 * spread.sqrt()).powi(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The chance that chi-squared with an even number of degrees of freedom passes `x`, exactly.
    fn beyond(x: f64, freedom: usize) -> f64 {
        let (mut term, mut sum) = (1.0, 1.0);
        for k in 1..freedom / 2 {
            term *= x / 2.0 / k as f64;
            sum += term;
        }
        sum * (-x / 2.0).exp()
    }

    #[test]
    fn the_limit_is_passed_by_chance_about_once_in_a_million() {
        for freedom in [2, 4, 6, 10, 20, 40] {
            let chance = beyond(critical(freedom), freedom) * 1e6;
            assert!((0.2..1.5).contains(&chance), "{freedom}: {chance}");
        }
    }

    #[test]
    fn loaded_dice_are_found_and_fair_ones_are_not() {
        let preview = Preview {
            modifiers: cupola_kernel::Modifiers::new(),
            outcomes: vec![("hit".to_owned(), 1), ("miss".to_owned(), 2)],
            total: 3,
        };
        let counts =
            |hit, miss| BTreeMap::from([("hit".to_owned(), hit), ("miss".to_owned(), miss)]);
        assert_eq!(agrees(&preview, &counts(1020, 1980), 3000), Ok(()));
        assert!(agrees(&preview, &counts(1500, 1500), 3000).is_err());
        let stranger = BTreeMap::from([("gone".to_owned(), 3000)]);
        assert!(agrees(&preview, &stranger, 3000).is_err());
    }
}
