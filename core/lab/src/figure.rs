//! A number as people read it.

use std::fmt;

/// A number with about three digits that matter; `{:+}` has its sign. What rounds to nothing is nothing.
///
/// ```
/// use cupola_lab::Figure;
/// assert_eq!(Figure(1234.4).to_string(), "1234");
/// assert_eq!(format!("{:+}", Figure(2.4567)), "+2.46");
/// assert_eq!(format!("{:+}", Figure(-0.0001)), "0");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Figure(pub f64);

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = match self.0.abs() {
            x if x < 0.0005 => return f.pad("0"),
            x if x >= 100.0 => 0,
            x if x >= 10.0 => 1,
            x if x >= 1.0 => 2,
            _ => 3,
        };
        let text = if f.sign_plus() {
            format!("{:+.digits$}", self.0)
        } else {
            format!("{:.digits$}", self.0)
        };
        f.pad(&text)
    }
}
