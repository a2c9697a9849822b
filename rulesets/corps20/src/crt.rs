//! The Combat Results Table (§7.4 D, §7.10).

use cupola_data::Origin;
use serde::{Deserialize, Serialize};

/// A combat result (§7.10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum CombatResult {
    /// Attacker Broken.
    Ab,
    /// Attacker Routed.
    Ar,
    /// Attacker Withdraws.
    Aw,
    /// Test of Wills.
    Tw,
    /// Exchange.
    Ex,
    /// Defender Withdraws.
    Dw,
    /// Defender Routed.
    Dr,
    /// Defender Broken.
    Db,
}

impl CombatResult {
    /// All results, worst for the attacker first.
    pub const ALL: [CombatResult; 8] = [
        CombatResult::Ab,
        CombatResult::Ar,
        CombatResult::Aw,
        CombatResult::Tw,
        CombatResult::Ex,
        CombatResult::Dw,
        CombatResult::Dr,
        CombatResult::Db,
    ];

    /// As printed.
    #[must_use]
    pub fn code(self) -> &'static str {
        ["AB", "AR", "AW", "TW", "EX", "DW", "DR", "DB"][self as usize]
    }

    /// In full.
    #[must_use]
    pub fn name(self) -> &'static str {
        [
            "attacker broken",
            "attacker routed",
            "attacker withdraws",
            "test of wills",
            "exchange",
            "defender withdraws",
            "defender routed",
            "defender broken",
        ][self as usize]
    }
}

/// One column: a differential and its six results.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// The differential.
    pub at: i8,
    /// The results of a roll of 1 to 6.
    pub rolls: [CombatResult; 6],
    /// Where they come from.
    pub origin: Origin,
}

/// The table.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Crt(pub Vec<Column>);

impl Crt {
    /// The lowest differential of the table.
    #[must_use]
    pub fn lowest(&self) -> i8 {
        self.0.first().map_or(0, |column| column.at)
    }

    /// The highest differential of the table.
    #[must_use]
    pub fn highest(&self) -> i8 {
        self.0.last().map_or(0, |column| column.at)
    }

    /// The result of a roll; a differential beyond the table counts as its last column (§7.4 C).
    #[must_use]
    pub fn read(&self, differential: i16, roll: u8) -> CombatResult {
        let at = differential.clamp(i16::from(self.lowest()), i16::from(self.highest()));
        let column = (at - i16::from(self.lowest())) as usize;
        self.0[column].rolls[usize::from(roll.clamp(1, 6)) - 1]
    }
}
