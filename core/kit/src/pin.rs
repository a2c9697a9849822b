//! Which tables are at hand.

use std::sync::Arc;

/// What tells a ruleset's tables from all others, for whoever keeps what follows from them: put one among them. A copy of
/// the tables, which may be amended, has a pin of its own.
///
/// ```
/// use cupola_kit::Pin;
/// let tables = Pin::default();
/// let kept = tables.held();
/// assert!(kept.is(&tables));
/// assert!(!kept.is(&tables.clone()), "these may have been amended");
/// ```
#[derive(Debug, Default)]
pub struct Pin(Arc<()>);

impl Pin {
    /// The same pin, to be held beside what is kept: no other gets its place in memory meanwhile.
    #[must_use]
    pub fn held(&self) -> Pin {
        Pin(Arc::clone(&self.0))
    }

    /// Whether it is the same pin.
    #[must_use]
    #[inline]
    pub fn is(&self, other: &Pin) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Clone for Pin {
    fn clone(&self) -> Pin {
        Pin::default()
    }
}
