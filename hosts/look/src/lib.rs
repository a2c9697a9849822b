//! How a ruleset looks, as its data declares it.
//!
//! ```
//! use cupola_data::Source;
//! use cupola_kernel::view::{At, UnitView};
//! use cupola_look::Faces;
//!
//! let file = Source::new("faces.ron", r#"(
//!     sides: {"us": (colour: blue, corners: square)},
//!     faces: [(
//!         kinds: ["infantry"], symbol: infantry,
//!         slots: [(at: bottom, text: "{ratings}")],
//!         badges: [(when: ("routed", "yes"), sign: "R", means: "routed", tone: bad)],
//!     )],
//! )"#);
//! let faces = Faces::read(&file).unwrap();
//! let unit = UnitView {
//!     id: Some("heth".into()),
//!     name: "Heth".into(),
//!     side: "us".into(),
//!     kind: "infantry".into(),
//!     at: At::Hex("19.04".into()),
//!     ratings: "2-3-4".into(),
//!     state: vec![("routed", "yes".into())],
//! };
//! let counter = faces.counter(&unit);
//! assert_eq!(counter.slots[0].text, "2-3-4");
//! assert_eq!(counter.badges[0].sign, "R");
//! ```
//!
//! Invariants:
//! * **What a counter shows follows from the unit's view alone**, so a seat sees on a counter what it may know.
//! * **A ruleset without `faces.ron` still has a look**: the plain one, with the ratings as the view has them.
#![forbid(unsafe_code)]

mod counter;
mod faces;
mod line;
mod look;
mod template;

pub use counter::{BadgeSign, Counter, Pips, SlotText};
pub use faces::{
    Badge, BoardWords, Colour, Corners, Face, Faces, HoldingWords, Livery, MarkWords, Outline,
    Slot, Spot, Symbol, Tone, TrackWords,
};
pub use line::{OnLine, SightLine, in_sight, trace};
pub use look::{Look, Scene, SceneName, SceneZoom};
