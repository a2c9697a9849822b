//! The small language of derived values.
//!
//! A derived number says how it was found: `derived("men / 600, rounded up, at most 4")`. Such a
//! sentence is worth more if a machine can do the sum again, so it has a grammar: a quantity, an
//! optional divisor, then clauses, each after a comma and applied in order.
//!
//! ```
//! use cupola_army::{Ratio, Rule};
//!
//! let rule: Rule = "men / 600, rounded up, at most 4".parse().unwrap();
//! assert_eq!(rule.value(|name| (name == "men").then_some(Ratio::whole(1814))), Ok(4));
//! ```

use std::str::FromStr;

/// The largest number in a rule, so that no sum can overflow.
const LARGEST: i64 = 1_000_000;

/// A fraction, so that a third of a regiment stays exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ratio {
    /// Above the line.
    pub over: i64,
    /// Below the line, more than zero.
    pub under: i64,
}

impl Ratio {
    /// A whole number.
    pub const fn whole(number: i64) -> Ratio {
        Ratio {
            over: number,
            under: 1,
        }
    }

    /// The sum of two fractions.
    pub const fn plus(self, other: Ratio) -> Ratio {
        let over = self.over * other.under + other.over * self.under;
        let under = self.under * other.under;
        // In lowest terms, or a long sum of odd shares would overflow.
        let (mut a, mut b) = (over.abs(), under);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        Ratio {
            over: over / a,
            under: under / a,
        }
    }

    /// The nearest whole number, halves upwards.
    pub const fn rounded(self) -> i64 {
        (2 * self.over + self.under).div_euclid(2 * self.under)
    }
}

/// A rule that derives a number from quantities with names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    quantity: String,
    divisor: i64,
    clauses: Vec<Clause>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Clause {
    Rounded,
    RoundedUp,
    RoundedDown,
    AtLeast(i64),
    AtMost(i64),
    Plus(i64),
    Minus(i64),
}

impl FromStr for Rule {
    type Err = String;

    fn from_str(text: &str) -> Result<Rule, String> {
        let mut parts = text.split(',').map(str::trim);
        let head = parts.next().unwrap_or_default();
        let (quantity, divisor) = match head.split_once('/') {
            None => (head, Ok(1)),
            Some((quantity, divisor)) => (quantity.trim(), divisor.trim().parse()),
        };
        let divisor = divisor
            .ok()
            .filter(|divisor| (1..=LARGEST).contains(divisor));
        let divisor = divisor.ok_or_else(|| format!("\"{head}\" divides by no number"))?;
        if quantity.is_empty() || quantity.contains(char::is_whitespace) {
            return Err(format!("\"{head}\" is no quantity such as \"men / 600\""));
        }
        Ok(Rule {
            quantity: quantity.to_owned(),
            divisor,
            clauses: parts.map(clause).collect::<Result<_, _>>()?,
        })
    }
}

fn clause(text: &str) -> Result<Clause, String> {
    match text {
        "rounded" => return Ok(Clause::Rounded),
        "rounded up" => return Ok(Clause::RoundedUp),
        "rounded down" => return Ok(Clause::RoundedDown),
        _ => {}
    }
    let (word, number) = text.rsplit_once(' ').unwrap_or((text, ""));
    let clause = match word {
        "at least" => Clause::AtLeast,
        "at most" => Clause::AtMost,
        "plus" => Clause::Plus,
        "minus" => Clause::Minus,
        _ => return Err(format!("\"{text}\" is no clause such as \"rounded up\"")),
    };
    let number = number.parse().ok();
    let number = number.filter(|number| (0..=LARGEST).contains(number));
    let number = number.ok_or_else(|| format!("no number in \"{text}\""))?;
    Ok(clause(number))
}

impl Rule {
    /// The name of what the rule starts from.
    pub fn quantity(&self) -> &str {
        &self.quantity
    }

    /// Does the sum; `amount` tells how much there is of a quantity.
    pub fn value(&self, amount: impl FnOnce(&str) -> Option<Ratio>) -> Result<i64, String> {
        let unknown = || format!("no quantity \"{}\" here", self.quantity);
        let mut now = amount(&self.quantity).ok_or_else(unknown)?;
        now.under *= self.divisor;
        for clause in &self.clauses {
            now = match *clause {
                Clause::Rounded => Ratio::whole(now.rounded()),
                Clause::RoundedUp => Ratio::whole(-(-now.over).div_euclid(now.under)),
                Clause::RoundedDown => Ratio::whole(now.over.div_euclid(now.under)),
                Clause::AtLeast(least) if now.over < least * now.under => Ratio::whole(least),
                Clause::AtMost(most) if now.over > most * now.under => Ratio::whole(most),
                Clause::AtLeast(_) | Clause::AtMost(_) => now,
                Clause::Plus(more) => now.plus(Ratio::whole(more)),
                Clause::Minus(less) => now.plus(Ratio::whole(-less)),
            };
        }
        match now.over % now.under {
            0 => Ok(now.over / now.under),
            _ => Err("the rule does not say how to round".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Ratio, Rule};

    fn check(rule: &str, men: i64, expected: Result<i64, &str>) {
        let value = rule
            .parse::<Rule>()
            .and_then(|rule| rule.value(|name| (name == "men").then_some(Ratio::whole(men))));
        assert_eq!(value, expected.map_err(str::to_owned), "{rule}");
    }

    #[test]
    fn sums_are_done_in_order() {
        check("men", 7, Ok(7));
        check("men / 600, rounded up", 1801, Ok(4));
        check("men / 600, rounded up", 1800, Ok(3));
        check("men / 50, rounded", 125, Ok(3));
        check("men / 50, rounded", 124, Ok(2));
        check("men / 2, rounded down, at least 1", 1, Ok(1));
        check("men / 50, rounded, at most 4", 400, Ok(4));
        check("men / 2, rounded up, plus 1, minus 3", 5, Ok(1));
    }

    #[test]
    fn nonsense_is_refused() {
        check("men / 50", 60, Err("the rule does not say how to round"));
        check("guns", 6, Err("no quantity \"guns\" here"));
        check("men / x", 6, Err("\"men / x\" divides by no number"));
        check("men / 0", 6, Err("\"men / 0\" divides by no number"));
        check(
            "men by hand",
            6,
            Err("\"men by hand\" is no quantity such as \"men / 600\""),
        );
        check(
            "men, twice",
            6,
            Err("\"twice\" is no clause such as \"rounded up\""),
        );
        check("men, at most x", 6, Err("no number in \"at most x\""));
    }
}
