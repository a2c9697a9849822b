//! GeoJSON, as far as a battlefield needs it.
//!
//! A file is a FeatureCollection in WGS84 longitude and latitude. Every feature has the
//! properties `kind`, `sure` (`certain`, `likely`, `house`) and `source`; `name`, `id` and `note`
//! where they apply; entries also `edge` and `codes` (`"corps20:CP blindswords:1626"`, flat text
//! because the tables of map editors are flat). Other properties are errors, null ones are as if
//! they were not there. `Multi…` geometries are taken apart, third coordinates ignored: that is
//! what editors write.
//!
//! ```json
//! {"type": "FeatureCollection", "features": [
//!   {"type": "Feature",
//!    "properties": {"kind": "hill", "id": "little-round-top", "name": "Little Round Top",
//!                   "sure": "certain", "source": "survey"},
//!    "geometry": {"type": "Point", "coordinates": [-77.2363, 39.792]}}
//! ]}
//! ```
//!
//! The kinds of each file are the names in [`crate::kinds`]; `roads` also holds the lines
//! `railroad_cut` and the points `bridge` and `ford`.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use cupola_data::{Problem, Problems, Source};
use serde::Deserialize;
use serde_json::Value;

use crate::kinds::{Named, Sure};
use crate::point::{Bounds, Point, self_crossing};
use crate::projection::Projection;

use super::Area;

const PROPERTIES: [&str; 8] = [
    "kind", "name", "id", "sure", "source", "note", "edge", "codes",
];

#[derive(Debug, Deserialize)]
struct Collection {
    features: Vec<RawFeature>,
}

#[derive(Debug, Deserialize)]
struct RawFeature {
    #[serde(default)]
    properties: Option<BTreeMap<String, Value>>,
    #[serde(default)]
    geometry: Option<RawGeometry>,
}

#[derive(Debug, Deserialize)]
struct RawGeometry {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    coordinates: Value,
}

/// A feature as it stands in the file, its position known for messages.
pub(super) struct Item<'a> {
    source: &'a Source,
    index: usize,
    properties: BTreeMap<String, Value>,
    geometry: RawGeometry,
}

/// Reads a collection and checks what is common to all features.
pub(super) fn items<'a>(source: &'a Source, problems: &mut Problems) -> Vec<Item<'a>> {
    let Some(collection) = problems.keep(source.json::<Collection>()) else {
        return Vec::new();
    };
    let mut items = Vec::with_capacity(collection.features.len());
    for (index, feature) in collection.features.into_iter().enumerate() {
        let field = format!("features[{index}]");
        let (Some(properties), Some(geometry)) = (feature.properties, feature.geometry) else {
            problems.push(source.problem(&field, "a feature needs properties and a geometry"));
            continue;
        };
        for name in properties
            .keys()
            .filter(|name| !PROPERTIES.contains(&name.as_str()))
        {
            let field = format!("{field}.properties.{name}");
            let message = format!("unknown property \"{name}\"");
            problems.push(
                source
                    .problem(&field, message)
                    .with_nearest(name, PROPERTIES),
            );
        }
        items.push(Item {
            source,
            index,
            properties,
            geometry,
        });
    }
    items
}

impl Item<'_> {
    /// A problem at one of the feature's properties.
    pub(super) fn problem(&self, property: &str, message: impl Into<String>) -> Problem {
        let there = self.properties.contains_key(property);
        let name = if there {
            format!(".{property}")
        } else {
            String::new()
        };
        let field = format!("features[{}].properties{name}", self.index);
        self.source.problem(&field, message)
    }

    /// A text property; null, empty and absent are the same.
    pub(super) fn text(&self, property: &str) -> Option<&str> {
        match self.properties.get(property) {
            Some(Value::String(text)) if !text.trim().is_empty() => Some(text),
            _ => None,
        }
    }

    /// A text property that must be there.
    pub(super) fn required(&self, property: &str, problems: &mut Problems) -> Option<&str> {
        let found = self.text(property);
        if found.is_none() {
            problems.push(self.problem(property, format!("property \"{property}\" is missing")));
        }
        found
    }

    /// A property that must be one of the names of a type; `more` are names handled elsewhere.
    pub(super) fn word<T: Named>(
        &self,
        property: &str,
        more: &[&str],
        problems: &mut Problems,
    ) -> Option<T> {
        let text = self.required(property, problems)?;
        let found = T::parse(text);
        if found.is_none() {
            let names: Vec<&str> = T::ALL
                .iter()
                .map(|value| value.name())
                .chain(more.iter().copied())
                .collect();
            let message = format!(
                "unknown {} \"{text}\", expected one of {}",
                T::WHAT,
                names.join(", ")
            );
            problems.push(self.problem(property, message).with_nearest(text, names));
        }
        found
    }

    /// How sure the feature is, and its source; both must be there.
    pub(super) fn certificate(&self, problems: &mut Problems) -> Option<(Sure, String)> {
        let sure = self.word::<Sure>("sure", &[], problems);
        let source = self.required("source", problems).map(str::to_owned);
        Some((sure?, source?))
    }

    fn coordinates_problem(&self, at: &str, message: impl Into<String>) -> Problem {
        self.source.problem(
            &format!("features[{}].geometry.coordinates{at}", self.index),
            message,
        )
    }

    fn shape_problem(&self, expected: &str) -> Problem {
        let field = format!("features[{}].geometry.type", self.index);
        let message = format!(
            "a {}, expected a {expected} for this kind",
            self.geometry.kind
        );
        self.source.problem(&field, message)
    }
}

/// Turns coordinates into points, checking that they lie on the battlefield.
pub(super) struct Survey<'a> {
    frame: &'a Projection,
    bounds: &'a Bounds,
    /// Whether any point lies on the battlefield.
    met: Cell<bool>,
    /// The points that do not; of each line the first, and how many more.
    off: RefCell<Vec<(Problem, usize)>>,
}

impl<'a> Survey<'a> {
    pub(super) fn new(frame: &'a Projection, bounds: &'a Bounds) -> Survey<'a> {
        Survey {
            frame,
            bounds,
            met: Cell::new(false),
            off: RefCell::default(),
        }
    }

    /// What lies off the battlefield; if that is everything, one problem of the frame, which is to blame.
    pub(super) fn finish(self, main: &Source, problems: &mut Problems) {
        let off = self.off.into_inner();
        match off.first() {
            Some((first, _)) if !self.met.get() && off.len() > 1 => {
                let message = format!("nothing lies where it should: {}", first.message);
                let mut problem = main.problem("frame", message);
                problem.hint.clone_from(&first.hint);
                problems.push(problem);
            }
            _ => problems.extend(off.into_iter().map(|(mut problem, more)| {
                if more > 0 {
                    problem.message += &format!(", and so do {more} more points of this line");
                }
                problem
            })),
        }
    }

    fn point(
        &self,
        item: &Item<'_>,
        value: &Value,
        at: &str,
        problems: &mut Problems,
    ) -> Option<Point> {
        let number = |index: usize| value.get(index).and_then(Value::as_f64);
        let (Some(lon), Some(lat)) = (number(0), number(1)) else {
            problems.push(item.coordinates_problem(at, "expected [longitude, latitude]"));
            return None;
        };
        // Far from the zone the projection has no meaning; most such slips are swapped numbers.
        if !(-180.0..=180.0).contains(&lon) || !(-80.0..=84.0).contains(&lat) {
            let message = format!("[{lon}, {lat}] is no longitude and latitude");
            problems.push(item.coordinates_problem(at, message));
            return None;
        }
        let point = self.frame.project(lat, lon);
        if !self.bounds.contains(point) {
            let message = format!(
                "[{lon}, {lat}] lies off the battlefield (local metres {}, {})",
                point.x / 100,
                point.y / 100
            );
            let swapped = lon.abs() <= 80.0 && self.bounds.contains(self.frame.project(lon, lat));
            let (low, high) = (self.bounds.low, self.bounds.high);
            let hint = if swapped {
                "longitude comes first".to_owned()
            } else {
                let (x, y) = ((low.x / 100, high.x / 100), (low.y / 100, high.y / 100));
                format!("expected x {} to {}, y {} to {}", x.0, x.1, y.0, y.1)
            };
            let problem = item.coordinates_problem(at, message).with_hint(hint);
            self.off.borrow_mut().push((problem, 0));
            return None;
        }
        self.met.set(true);
        Some(point)
    }

    fn path(
        &self,
        item: &Item<'_>,
        value: &Value,
        at: &str,
        problems: &mut Problems,
    ) -> Option<Vec<Point>> {
        let Some(values) = value.as_array() else {
            problems.push(item.coordinates_problem(at, "expected a list of points"));
            return None;
        };
        let mut points: Vec<Point> = Vec::with_capacity(values.len());
        let before = self.off.borrow().len();
        let mut lost = 0;
        for (index, value) in values.iter().enumerate() {
            let point = self.point(item, value, &format!("{at}[{index}]"), problems);
            lost += usize::from(point.is_none());
            points.extend(point.filter(|p| points.last() != Some(p)));
        }
        let mut off = self.off.borrow_mut();
        let more = off.len().saturating_sub(before + 1);
        off.truncate(before + 1);
        if let Some((_, others)) = off.get_mut(before) {
            *others = more;
        }
        (lost == 0).then_some(points)
    }

    /// The single point of a feature.
    pub(super) fn spot(&self, item: &Item<'_>, problems: &mut Problems) -> Option<Point> {
        if item.geometry.kind != "Point" {
            problems.push(item.shape_problem("Point"));
            return None;
        }
        self.point(item, &item.geometry.coordinates, "", problems)
    }

    /// The lines of a feature: one, or several of a MultiLineString.
    pub(super) fn lines(&self, item: &Item<'_>, problems: &mut Problems) -> Vec<Vec<Point>> {
        let parts = parts(item, "LineString", problems);
        let mut lines = Vec::new();
        for (at, value) in parts {
            let Some(points) = self.path(item, value, &at, problems) else {
                continue;
            };
            if points.len() < 2 {
                problems.push(item.coordinates_problem(&at, "a line needs two different points"));
            } else {
                lines.push(points);
            }
        }
        lines
    }

    /// The areas of a feature: one, or several of a MultiPolygon.
    pub(super) fn areas(&self, item: &Item<'_>, problems: &mut Problems) -> Vec<Area> {
        let parts = parts(item, "Polygon", problems);
        let mut areas = Vec::new();
        for (at, value) in parts {
            let values = value.as_array().map(Vec::as_slice).unwrap_or_default();
            let mut rings = Vec::new();
            for (index, ring) in values.iter().enumerate() {
                rings.extend(self.ring(item, ring, &format!("{at}[{index}]"), problems));
            }
            if let Some(bounds) = Bounds::around(rings.iter().flatten().copied()) {
                areas.push(Area { rings, bounds });
            }
        }
        areas
    }

    fn ring(
        &self,
        item: &Item<'_>,
        value: &Value,
        at: &str,
        problems: &mut Problems,
    ) -> Option<Vec<Point>> {
        let mut points = self.path(item, value, at, problems)?;
        if points.len() > 1 && points.first() == points.last() {
            points.pop();
        } else {
            let message = "the ring is not closed: its last point must repeat the first";
            problems.push(item.coordinates_problem(at, message));
            return None;
        }
        if points.len() < 3 {
            problems.push(item.coordinates_problem(at, "an area needs three different points"));
            return None;
        }
        if let Some((first, second)) = self_crossing(&points) {
            let message = format!(
                "the ring crosses itself: the edge from point {first} and the edge from point {second}"
            );
            problems.push(item.coordinates_problem(&format!("{at}[{second}]"), message));
            return None;
        }
        Some(points)
    }
}

/// The coordinates of a geometry, or those of each part of its `Multi` form.
fn parts<'a>(
    item: &'a Item<'_>,
    single: &str,
    problems: &mut Problems,
) -> Vec<(String, &'a Value)> {
    let coordinates = &item.geometry.coordinates;
    if item.geometry.kind == single {
        return vec![(String::new(), coordinates)];
    }
    if item.geometry.kind.strip_prefix("Multi") != Some(single) {
        problems.push(item.shape_problem(single));
        return Vec::new();
    }
    let values = coordinates
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    values
        .iter()
        .enumerate()
        .map(|(index, value)| (format!("[{index}]"), value))
        .collect()
}
