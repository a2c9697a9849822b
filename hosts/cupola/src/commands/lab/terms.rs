//! What an answer of `cupola lab test` rests on besides the rules: who played, by which plans, and what a loss stands for in men.

use cupola_lab::grid::Band;
use cupola_lab::{Contest, PairTest, Pairs, Setting};
use serde::Serialize;
use std::fmt;

/// What an answer rests on besides the rules.
#[derive(Debug, Serialize)]
pub struct Terms {
    /// Who plays the scenario's sides.
    players: [String; 2],
    /// What their plans are called.
    plans: Vec<String>,
    /// What a loss may stand for by each of two rulesets, where the metric is counted in what is lost.
    scales: Option<[Scale; 2]>,
    /// Whether that alone may turn the difference round.
    scale_turns_it: bool,
}

/// What a loss by a ruleset may stand for, as shares of what is counted.
#[derive(Debug, PartialEq, Serialize)]
struct Scale {
    ruleset: String,
    low: f64,
    high: f64,
}

impl Terms {
    /// Those of an answer.
    pub fn of(report: &PairTest, pairs: &Pairs, setting: &Setting) -> Terms {
        let (base, variant) = pairs.half(0);
        let scale = |contest: &Contest| Scale::of(contest, &setting.bands.of(&contest.ruleset));
        // A ruleset is held against itself by one scale, whatever that is.
        let lost = ["men-lost-", "guns-lost-"];
        let moved = base.ruleset != variant.ruleset
            && lost.iter().any(|name| report.metric.starts_with(name));
        let scales = moved.then(|| [scale(base), scale(variant)]);
        let turns = |[base, variant]: &[Scale; 2]| {
            let least = report.variant_mean * variant.low - report.base_mean * base.high;
            let most = report.variant_mean * variant.high - report.base_mean * base.low;
            least < 0.0 && most > 0.0
        };
        Terms {
            players: base.skills.map(|skill| skill.to_string()),
            plans: setting.plan_pair("own").titles,
            scale_turns_it: scales.as_ref().is_some_and(turns),
            scales,
        }
    }
}

impl Scale {
    fn of(contest: &Contest, band: &Band) -> Scale {
        let [low, _, high] = band.factors();
        Scale {
            ruleset: contest.ruleset.clone(),
            low,
            high,
        }
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [low, high] = [self.low, self.high].map(|share| (share * 100.0).round());
        write!(f, "{low} to {high} % by {}", self.ruleset)
    }
}

impl fmt::Display for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plans: Vec<String> = self
            .plans
            .iter()
            .map(|plan| format!("\"{plan}\""))
            .collect();
        let players = match &self.players {
            [one, other] if one == other => format!("{one} on both sides"),
            [one, other] => format!("{one} against {other}, and with the sides exchanged"),
        };
        writeln!(f, "  by          {players}; plans {}", plans.join(" and "))?;
        let Some([base, variant]) = &self.scales else {
            return Ok(());
        };
        writeln!(
            f,
            "  losses      are counted by two rulesets, and may stand for {base} and {variant}: {}",
            if self.scale_turns_it {
                "that alone may turn it round"
            } else {
                "that does not turn it round"
            }
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_in_men_tells_what_a_loss_may_stand_for() {
        let scale = |ruleset: &str, low, high| Scale {
            ruleset: ruleset.into(),
            low,
            high,
        };
        let terms = |scale_turns_it| Terms {
            players: ["steady".into(), "steady".into()],
            plans: vec!["hold".into(), "take".into()],
            scales: Some([scale("corps20", 0.45, 1.55), scale("blocks", 0.5, 1.0)]),
            scale_turns_it,
        };
        let said = terms(true).to_string();
        assert!(
            said.starts_with("  by          steady on both sides; plans \"hold\" and \"take\"\n")
        );
        assert!(said.contains("45 to 155 % by corps20 and 50 to 100 % by blocks"));
        assert!(said.ends_with("that alone may turn it round\n"), "{said}");
        assert!(terms(false).to_string().contains("does not turn it round"));
    }
}
