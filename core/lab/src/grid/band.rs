//! What a loss by the rules may stand for in men: house figures with a band.

use cupola_data::{Problems, Source};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// What one loss by the rules may stand for, in thousandths of what the ruleset's own translation says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Band {
    /// The least that it may be, in thousandths of what the ruleset's translation says: 1 to 1000.
    pub low: u32,
    /// The most that it may be, in the same thousandths: 1000 to 5000.
    pub high: u32,
    /// Why these.
    pub why: String,
}

impl Band {
    /// Low, middle and high, as factors.
    #[must_use]
    pub fn factors(&self) -> [f64; 3] {
        [
            f64::from(self.low) / 1000.0,
            1.0,
            f64::from(self.high) / 1000.0,
        ]
    }
}

/// The bands of a battle's rulesets, by ruleset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bands(BTreeMap<String, Band>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BandsFile {
    /// By ruleset, how far its losses in men may be off: the lab says nothing that one end of the band turns round.
    scales: BTreeMap<String, Band>,
}

impl Bands {
    /// Reads `scales.ron` in the folder of a battle's record; without one there are no bands.
    ///
    /// # Errors
    /// Everything that is wrong with the file.
    pub fn read(folder: &Path) -> Result<Bands, Problems> {
        let path = folder.join("scales.ron");
        if !path.is_file() {
            return Ok(Bands::default());
        }
        let source = Source::read(&path)?;
        let file: BandsFile = source.ron()?;
        let mut problems = Problems::new();
        for (ruleset, band) in &file.scales {
            if !(1..=1000).contains(&band.low) || !(1000..=5000).contains(&band.high) {
                let message = "low is 1 to 1000 and high 1000 to 5000: the middle is 1000";
                problems.push(source.problem(&format!("scales.{ruleset}"), message));
            }
        }
        problems.check(Bands(file.scales))
    }

    /// The band of a ruleset; a wide one of the house for one that has none.
    #[must_use]
    pub fn of(&self, ruleset: &str) -> Band {
        let known = self.0.get(ruleset).cloned();
        known.unwrap_or_else(|| Band {
            low: 500,
            high: 1500,
            why: "no band is given for this ruleset: half and half again".into(),
        })
    }
}
