//! The words of the ground: what kinds of roads, streams, woods and places there are.
//!
//! These are facts of the battlefield, wider than what any one board shows; a board's recipe says
//! which of them count and as what.

use serde::{Deserialize, Serialize};

/// An enumeration whose values have names in data files.
pub trait Named: Copy + Sized + 'static {
    /// What such a value is called in messages, such as `kind of road`.
    const WHAT: &'static str;
    /// All values, in the order of their declaration.
    const ALL: &'static [Self];
    /// The name in data files.
    fn name(self) -> &'static str;

    /// The value of a name.
    fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|value| value.name() == name)
    }
}

macro_rules! named {
    ($(#[$doc:meta])* $what:literal $type:ident { $($(#[$vdoc:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum $type {
            $($(#[$vdoc])* #[serde(rename = $name)] $variant,)*
        }

        impl Named for $type {
            const WHAT: &'static str = $what;
            const ALL: &'static [$type] = &[$($type::$variant,)*];
            fn name(self) -> &'static str {
                match self { $($type::$variant => $name,)* }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(Named::name(*self))
            }
        }
    };
}
pub(crate) use named;

named! {
    /// How sure a feature of the ground is.
    "word of certainty" Sure {
        /// Read in a survey or seen today.
        Certain = "certain",
        /// One fair source, or a strong inference.
        Likely = "likely",
        /// Our own.
        House = "house",
    }
}

named! {
    /// Kinds of roads, from the best down.
    "kind of road" RoadKind {
        /// A metalled turnpike.
        Pike = "pike",
        /// A country road.
        Road = "road",
        /// A farm lane.
        Lane = "lane",
        /// A track.
        Trail = "trail",
        /// A railroad in use.
        Railroad = "railroad",
        /// A graded bed without rails.
        UnfinishedRailroad = "unfinished_railroad",
    }
}

named! {
    /// Kinds of running water, from the smallest up.
    "kind of water" WaterKind {
        /// Small or dry.
        Brook = "brook",
        /// A run that flows all the year.
        Run = "run",
        /// A creek that needs a bridge or a ford.
        Creek = "creek",
    }
}

named! {
    /// How a way gets over water.
    "kind of crossing" Crossing {
        /// A bridge.
        Bridge = "bridge",
        /// A ford.
        Ford = "ford",
    }
}

named! {
    /// What covers the ground.
    "kind of cover" CoverKind {
        /// Woods.
        Woods = "woods",
        /// An orchard.
        Orchard = "orchard",
        /// Marsh.
        Marsh = "marsh",
        /// Boulders.
        Rocks = "rocks",
        /// Houses wall to wall.
        Town = "town",
        /// Fields of note.
        Fields = "fields",
        /// A cemetery.
        Cemetery = "cemetery",
    }
}

named! {
    /// Kinds of walls.
    "kind of wall" WallKind {
        /// A stone wall.
        StoneWall = "stone_wall",
        /// A post-and-rail or worm fence.
        Fence = "fence",
        /// Breastworks built before or during the battle.
        Breastworks = "breastworks",
    }
}

named! {
    /// Kinds of named places.
    "kind of place" PlaceKind {
        /// A hill.
        Hill = "hill",
        /// A ridge.
        Ridge = "ridge",
        /// A knoll.
        Knoll = "knoll",
        /// A farm.
        Farm = "farm",
        /// A town.
        Town = "town",
        /// A village.
        Village = "village",
        /// A building of note.
        Building = "building",
        /// A church.
        Church = "church",
        /// A school.
        School = "school",
        /// A tavern.
        Tavern = "tavern",
        /// A mill.
        Mill = "mill",
        /// A bridge.
        Bridge = "bridge",
        /// A ford.
        Ford = "ford",
        /// Woods with a name.
        Woods = "woods",
        /// An orchard with a name.
        Orchard = "orchard",
        /// A field with a name.
        Field = "field",
        /// Rocks with a name.
        Rocks = "rocks",
        /// A hollow or gorge.
        Hollow = "hollow",
        /// A spot on a stream.
        Stream = "stream",
        /// A spring.
        Spring = "spring",
        /// A crossroads.
        Crossroads = "crossroads",
        /// A cemetery.
        Cemetery = "cemetery",
        /// A spot on the railroad.
        Railroad = "railroad",
        /// Anything else with a name.
        Landmark = "landmark",
    }
}

named! {
    /// Edges and corners of the map.
    "edge" Edge {
        /// North.
        North = "N",
        /// North-east.
        NorthEast = "NE",
        /// East.
        East = "E",
        /// South-east.
        SouthEast = "SE",
        /// South.
        South = "S",
        /// South-west.
        SouthWest = "SW",
        /// West.
        West = "W",
        /// North-west.
        NorthWest = "NW",
    }
}

#[cfg(test)]
mod tests {
    use super::{Named, RoadKind, WallKind};

    #[test]
    fn names_parse_back() {
        for kind in RoadKind::ALL {
            assert_eq!(RoadKind::parse(kind.name()), Some(*kind));
        }
        assert_eq!(WallKind::parse("stone_wall"), Some(WallKind::StoneWall));
        assert_eq!(WallKind::parse("Stone_wall"), None);
    }
}
