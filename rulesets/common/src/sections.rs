//! The sections by which the common rules are cited.
//!
//! A game that is made of them has a rulebook of its own: its `rules.ron` says under which section each rule
//! stands there. What it does not say is cited as in `classic`.

macro_rules! sections {
    ($($(#[$doc:meta])* $rule:ident = $name:literal, $section:literal;)*) => {
        /// A rule that is cited.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Section { $($(#[$doc])* $rule),* }

        impl Section {
            /// All of them.
            pub const ALL: &'static [Section] = &[$(Section::$rule),*];
            /// Their names in `rules.ron`.
            pub const NAMES: &'static [&'static str] = &[$($name),*];
            /// Where they stand in the rules of `classic`.
            pub const CLASSIC: &'static [&'static str] = &[$($section),*];
        }
    };
}

sections! {
    /// Reinforcements: when they come.
    Arrive = "arrive", "3.1";
    /// Reinforcements: where they come.
    Entry = "entry", "3.2";
    /// Reinforcements: what happens when the way is blocked.
    Blocked = "blocked", "3.3";
    /// Movement: who moves.
    Move = "move", "4.1";
    /// Movement: what a hex costs.
    Cost = "cost", "4.2";
    /// Movement: one hex always.
    OneHex = "one_hex", "4.3";
    /// Movement: the enemy bars the way.
    Enemy = "enemy", "4.4";
    /// Zones of control.
    Zone = "zone", "4.5";
    /// Stacking.
    Stack = "stack", "4.6";
    /// Fire: who fires.
    Fire = "fire", "5.1";
    /// Fire: range and sight.
    Range = "range", "5.2";
    /// Fire: the dice.
    Volley = "volley", "5.3";
    /// Fire: what hits do.
    Hits = "hits", "5.4";
    /// Assault: whom.
    Attack = "attack", "6.1";
    /// Assault: who takes part.
    Join = "join", "6.2";
    /// Assault: the odds.
    Odds = "odds", "6.3";
    /// Assault: the ground.
    Ground = "ground", "6.4";
    /// Assault: the results.
    Results = "results", "6.5";
    /// Retreat.
    Retreat = "retreat", "6.6";
    /// Advance.
    Advance = "advance", "6.7";
    /// Shaken units.
    Shaken = "shaken", "7.1";
    /// Rally.
    Rally = "rally", "7.2";
    /// Victory: places.
    Places = "places", "8.1";
    /// Victory: losses.
    Losses = "losses", "8.2";
    /// Victory: the verdict.
    Verdict = "verdict", "8.3";
    /// Victory before the end.
    Early = "early", "8.4";
    /// Who plays first.
    Initiative = "initiative", "9";
    /// Supply: the line.
    Supply = "supply", "10.1";
    /// Supply: what being cut off does.
    Cut = "cut", "10.2";
}
