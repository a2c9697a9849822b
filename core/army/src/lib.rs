//! Who fought, when, and what a counter stands for.
//!
//! A [`Battle`] holds one order of battle for both sides, an [`Army`] of nodes from armies down to
//! regiments and batteries; a [`Moment`] is a minute of real time and [`Turns`] map a ruleset's
//! turns to it; [`Counters`] say which nodes each counter of a ruleset stands for, and are refused
//! if they leave a gap or count anybody twice; a [`Scenario`] cuts the same hours and forces out
//! of any ruleset; a [`History`] knows what really happened.
//!
//! ```
//! use cupola_army::{Army, Filter, Kind};
//! use cupola_data::Source;
//!
//! let list = Source::new("list.ron", r#"(nodes: [
//!     (id: "us", kind: army, name: "Army of the Potomac", commander: "Maj. Gen. Meade",
//!      arrival: (at: "1863-07-01T10:00", by: "Emmitsburg Road", sure: likely, source: "x"),
//!      source: "x", sure: certain),
//!     (id: "us-19in", of: "us", kind: infantry, name: "19th Indiana", state: "IN",
//!      commander: "Col. Williams", men: 308, losses: (killed: 33), source: "x", sure: likely),
//! ])"#);
//! let army = Army::read(&[list], &[]).unwrap();
//! let indiana = army.find("indiana").unwrap();
//! assert_eq!((army.men(indiana), army.losses(indiana).total()), (308, 33));
//! assert_eq!(army.arrival(indiana).unwrap().at.to_string(), "1863-07-01T10:00");
//!
//! let infantry = Filter { kind: Some(Kind::Infantry), ..Filter::default() };
//! assert_eq!(army.roster(&infantry).unwrap()[0].name, "19th Indiana");
//! ```

mod battle;
mod check;
mod clock;
mod counters;
mod coverage;
mod history;
mod node;
mod roster;
mod rule;
mod scenario;
mod table;
mod tree;
mod turns;
mod word;

pub use battle::{Battle, Reference, Sun};
pub use clock::{Hour, Moment, Span};
pub use counters::{Arm, Counter, Counters, Leader, LeftOut, Part};
pub use history::{Held, History, Omitted, Stand, Toll};
pub use node::{Arrival, Fate, Guns, Kind, Losses, Node, Successor, Sure};
pub use roster::{Filter, Row, UnknownName};
pub use rule::{Ratio, Rule};
pub use scenario::{Cut, Known, Scenario, Side};
pub use tree::{Army, NodeId};
pub use turns::{Light, Turn, Turns};
