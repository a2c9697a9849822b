//! The kernel: what every ruleset plays on.
//!
//! Start reading at [`Game`]: `decision()` says who must choose and lists every legal option,
//! `apply()` is the only way the state changes. A ruleset is a set of [`Phase`]s and [`Combat`] systems
//! put together by a [`Composition`]; what it remembers is registered in a [`Schema`], from which
//! forks, snapshots and hashes follow.
//!
//! Invariants:
//! * **The kernel reads no file, no clock and no global randomness.**
//! * **The kernel knows no ruleset.** Rulesets register themselves; see [`Registry`].
//! * **Nothing but `apply` changes a game**, and a refused choice changes nothing.
//! * **The state holds no floating-point number** and nothing whose order depends on memory.
#![forbid(unsafe_code)]

pub mod act;
mod adapt;
mod at;
pub mod cases;
mod combat;
mod compose;
mod derive;
pub mod dice;
mod env;
mod event;
mod fit;
mod game;
mod hash;
mod identity;
mod ids;
mod journal;
mod look;
mod measure;
mod names;
mod needs;
mod odds;
mod options;
mod outlook;
mod overlay;
mod phase;
mod play;
pub mod pledge;
mod posting;
mod reference;
mod registry;
mod rule;
mod ruleset;
mod schema;
mod scripting;
mod session;
mod setup;
mod slots;
mod spell;
mod stacks;
mod table;
mod terms;
mod variant;
pub mod view;
mod walked;
mod watch;
mod word;

pub use act::{Act, Acts, Arg, ArgValue};
pub use combat::{Combat, Fight, Fought, Modifier, Modifiers, Outcome, Preview, odds};
pub use compose::{Composition, SideSpec, Stretch};
pub use cupola_stamp::stamp;
pub use derive::{DerivedFile, Deriving};
pub use dice::{About, Dice, Loose, RollRecord, Seed};
pub use env::{Env, SideInfo, UnitInfo};
pub use event::{Audience, Event};
pub use game::{ApplyError, Decision, Game};
pub use hash::{StateHash, digest, hash_bytes};
pub use identity::{CODE, Code, Difference, Identity, Weight};
pub use ids::{BySide, HexId, Seat, Side, TokenId, UnitId};
pub use inventory;
pub use journal::{Entry, Journal};
pub use measure::{CommandRange, Height, LineOfSight};
pub use names::UnknownName;
pub use needs::Needs;
pub use odds::{Odds, enumerate};
pub use options::Options;
pub use outlook::{Cost, Outlook, Points};
pub use overlay::{Overlay, Shelf, Spot, Touch, Volume};
pub use phase::{Ask, Fault, Phase, Step};
pub use play::{Play, PlayParts};
pub use posting::{Comes, Posting, Whereabouts};
pub use reference::{Chart, Reference, Term};
pub use registry::{Contribution, Registry};
pub use rule::{Check, Cite, Refusal, forbid, require};
pub use ruleset::{Bounds, Case, CaseStep, Input, Loaded, Position, PositionFile, Ruleset};
pub use schema::{GameState, Schema, SnapshotError, UnitState};
pub use scripting::{Fact, Language, Rider, SCRIPT, Scripting, Scripts};
pub use session::{Applied, Session};
pub use setup::Setup;
pub use spell::{Spell, Until};
pub use stacks::{Place, Stacks};
pub use table::{Edition, Fights, Table, Verdict};
pub use terms::{Lead, Moment, Presence, Prize, Promise, Reckoned, Stakes, Standing, Toll};
pub use variant::{Change, Variant};
pub use view::View;
pub use walked::{Reached, Walked};
pub use watch::{Seam, Watch};
pub use word::word;
