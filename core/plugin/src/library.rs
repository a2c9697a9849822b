//! The library's side of the door: what `export!` puts into a shared library.
//!
//! A shared library holds a copy of this crate of its own, so what is `static` here belongs to it alone.

use crate::fingerprint::{EPOCH, HEAD, MARK, TEXT};
use crate::guard::{GuardedCombat, GuardedPhase, GuardedRuleset, caught, listen_to_panics};
use cupola_kernel::{Code, Combat, Contribution, Phase, Ruleset};
use std::ffi::c_void;
use std::sync::{Arc, OnceLock};

/// The fingerprint as it stands in a library.
pub type Record = [u8; HEAD + TEXT.len()];

/// The fingerprint of this build.
pub const RECORD: Record = record();

const fn record() -> Record {
    let mut out = [0; HEAD + TEXT.len()];
    let length = (TEXT.len() as u32).to_le_bytes();
    let mut i = 0;
    while i < out.len() {
        out[i] = if i < MARK.len() {
            MARK[i]
        } else if i < HEAD {
            length[i - MARK.len()]
        } else {
            TEXT.as_bytes()[i - HEAD]
        };
        i += 1;
    }
    out
}

/// Bytes that live as long as the library.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Bytes {
    pub(crate) start: *const u8,
    pub(crate) length: usize,
}

impl Bytes {
    fn of(bytes: &'static [u8]) -> Bytes {
        Bytes {
            start: bytes.as_ptr(),
            length: bytes.len(),
        }
    }
}

/// What the entry point returns: no Rust type yet, so that it can be read whatever the library is.
#[repr(C)]
pub struct Entry {
    pub(crate) epoch: u32,
    pub(crate) record: Bytes,
    pub(crate) types: extern "C" fn() -> Bytes,
    pub(crate) contribute: extern "C" fn() -> *mut c_void,
}

impl Entry {
    /// What a library with this record answers.
    #[must_use]
    pub fn new(record: &'static Record, contribute: extern "C" fn() -> *mut c_void) -> Entry {
        Entry {
            epoch: EPOCH,
            record: Bytes::of(record),
            types,
            contribute,
        }
    }
}

extern "C" fn types() -> Bytes {
    static TOLD: OnceLock<String> = OnceLock::new();
    Bytes::of(TOLD.get_or_init(crate::boundary::types).as_bytes())
}

/// What crosses once the types are known to be equal, or what the author's code panicked with.
pub(crate) type Handover = Result<Contribution, String>;

/// What the author's crate brings, made once and wrapped.
struct Made {
    rulesets: Vec<Arc<dyn Ruleset>>,
    phases: Vec<Arc<dyn Phase>>,
    combats: Vec<Arc<dyn Combat>>,
    code: Code,
}
static MADE: OnceLock<Made> = OnceLock::new();

/// Makes all that the author's crate brings and hands it over in a box, a [`Handover`].
pub fn contribute(contribution: fn() -> Contribution) -> *mut c_void {
    listen_to_panics();
    let handover: Handover = caught("the library", || make(&contribution()))
        .map(|(space, made)| {
            let made = MADE.get_or_init(|| made);
            Contribution {
                space,
                code: made.code,
                rulesets: || MADE.get().map_or(vec![], |made| made.rulesets.clone()),
                phases: || MADE.get().map_or(vec![], |made| made.phases.clone()),
                combats: || MADE.get().map_or(vec![], |made| made.combats.clone()),
            }
        })
        .map_err(|fault| fault.to_string());
    Box::into_raw(Box::new(handover)).cast()
}

fn make(contribution: &Contribution) -> (&'static str, Made) {
    let space = contribution.space;
    let made = Made {
        rulesets: (contribution.rulesets)()
            .into_iter()
            .map(|ruleset| Arc::new(GuardedRuleset::new(ruleset)) as Arc<dyn Ruleset>)
            .collect(),
        phases: (contribution.phases)()
            .into_iter()
            .map(|phase| Arc::new(GuardedPhase::new(space, phase)) as Arc<dyn Phase>)
            .collect(),
        code: contribution.code,
        combats: (contribution.combats)()
            .into_iter()
            .map(|combat| Arc::new(GuardedCombat::new(space, combat)) as Arc<dyn Combat>)
            .collect(),
    };
    (space, made)
}
