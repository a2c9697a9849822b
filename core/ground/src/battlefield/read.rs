//! Reading a battlefield's folder, all problems at once.

use std::collections::BTreeMap;
use std::path::Path as FilePath;

use cupola_data::{Problems, Source};
use serde::Deserialize;

use crate::heights::Heights;
use crate::kinds::{CoverKind, Crossing, Edge, Named, PlaceKind, RoadKind, WallKind, WaterKind};
use crate::point::{Bounds, Point};
use crate::projection::Projection;

use super::geojson::{Item, Survey, items};
use super::{Battlefield, Entry, Feature, Place};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BattlefieldFile {
    /// The field's name for other files: the name of its folder.
    name: String,
    /// The field's name for people.
    title: String,
    /// How latitude and longitude become metres: the point that is nought, and the scale there.
    frame: Projection,
    /// The rectangle that the field covers; what lies outside is cut off.
    bounds: FileBounds,
    /// Names of the files beside this one, where they are not the usual ones.
    #[serde(default)]
    files: FileNames,
    /// What the ground was drawn from; features cite these by `short`.
    #[serde(default)]
    sources: Vec<FileSource>,
    /// A line to be shown with every picture of the ground, as the makers of its data ask for. Left out: none.
    #[serde(default)]
    attribution: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileBounds {
    /// Metres east of the frame's origin, of the western edge.
    west: i32,
    /// Metres north of the frame's origin, of the southern edge.
    south: i32,
    /// Metres east of the frame's origin, of the eastern edge.
    east: i32,
    /// Metres north of the frame's origin, of the northern edge.
    north: i32,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileSource {
    /// The word by which features cite it.
    short: String,
    /// What it is, in full.
    text: String,
}

/// Names of the files of a battlefield, next to `battlefield.ron`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FileNames {
    /// Roads, railroads, cuts, bridges and fords.
    pub roads: String,
    /// Watercourses, along their middle.
    pub water: String,
    /// Woods, orchards, fields and houses, as areas.
    pub cover: String,
    /// Walls, fences and works, as lines.
    pub walls: String,
    /// Named places, as points.
    pub places: String,
    /// Where roads leave the field, as points.
    pub entries: String,
    /// Heights on a square grid.
    pub heights: String,
}

impl Default for FileNames {
    fn default() -> FileNames {
        FileNames {
            roads: "roads.geojson".into(),
            water: "water.geojson".into(),
            cover: "cover.geojson".into(),
            walls: "walls.geojson".into(),
            places: "places.geojson".into(),
            entries: "entries.geojson".into(),
            heights: "heights.ron".into(),
        }
    }
}

impl FileNames {
    fn all(&self) -> [&str; 7] {
        [
            &self.roads,
            &self.water,
            &self.cover,
            &self.walls,
            &self.places,
            &self.entries,
            &self.heights,
        ]
    }
}

/// The texts a battlefield is made of, before they are understood.
///
/// They are kept apart from the battlefield because a board from the cache needs only their
/// fingerprint.
#[derive(Debug, Clone)]
pub struct BattlefieldFiles {
    /// `battlefield.ron`.
    pub main: Source,
    /// Roads, water, cover, walls, places, entries, heights, in this order.
    pub parts: [Source; 7],
}

impl BattlefieldFiles {
    /// Reads the folder's files; every missing one is a problem.
    pub fn read(folder: &FilePath) -> Result<BattlefieldFiles, Problems> {
        let main = Source::read(&folder.join("battlefield.ron"))?;
        let file: BattlefieldFile = main.ron()?;
        let mut problems = Problems::new();
        let parts = file.files.all().map(|name| {
            let part = problems.keep(Source::read(&folder.join(name)));
            part.unwrap_or_else(|| Source::new(name, ""))
        });
        problems.check(BattlefieldFiles { main, parts })
    }
}

impl Battlefield {
    /// Reads a battlefield's folder.
    pub fn read(folder: &FilePath) -> Result<Battlefield, Problems> {
        Battlefield::parse(&BattlefieldFiles::read(folder)?)
    }

    /// Understands and checks the texts of a battlefield.
    pub fn parse(files: &BattlefieldFiles) -> Result<Battlefield, Problems> {
        let file: BattlefieldFile = files.main.ron()?;
        let mut problems = Problems::new();
        if !(1..=60).contains(&file.frame.zone) {
            problems.push(
                files
                    .main
                    .problem("frame.zone", "UTM zones go from 1 to 60"),
            );
        }
        let bounds = bounds(&file.bounds);
        if bounds.low.x >= bounds.high.x || bounds.low.y >= bounds.high.y {
            let message = "west must be less than east, south less than north";
            problems.push(files.main.problem("bounds", message));
            return Err(problems);
        }
        let mut field = Battlefield::empty(&file.name, file.frame, bounds);
        field.title = file.title;
        field.attribution = file.attribution;
        field.sources = file
            .sources
            .into_iter()
            .map(|s| (s.short, s.text))
            .collect();
        let [roads, water, cover, walls, places, entries, heights] = &files.parts;
        let survey = Survey::new(&file.frame, &bounds);
        read_roads(roads, &survey, &mut field, &mut problems);
        read_water(water, &survey, &mut field, &mut problems);
        read_cover(cover, &survey, &mut field, &mut problems);
        read_walls(walls, &survey, &mut field, &mut problems);
        read_places(places, &survey, &mut field, &mut problems);
        read_entries(entries, &survey, &mut field, &mut problems);
        survey.finish(&files.main, &mut problems);
        if let Some(heights) = problems.keep_all(Heights::parse(heights, &bounds)) {
            field.heights = heights;
        }
        problems.check(field)
    }
}

fn bounds(file: &FileBounds) -> Bounds {
    let cm = |metres: i32| metres.clamp(-10_000_000, 10_000_000) * 100;
    Bounds {
        low: Point::new(cm(file.west), cm(file.south)),
        high: Point::new(cm(file.east), cm(file.north)),
    }
}

/// Name (required if `needed`) and certificate: what all features share.
fn feature<K>(
    item: &Item<'_>,
    kind: K,
    needed: bool,
    problems: &mut Problems,
) -> Option<Feature<K, ()>> {
    let name = if needed {
        item.required("name", problems)
    } else {
        item.text("name")
    };
    let (sure, source) = item.certificate(problems)?;
    if needed && name.is_none() {
        return None;
    }
    Some(Feature {
        kind,
        name: name.map(str::to_owned),
        sure,
        source,
        shape: (),
    })
}

impl<K: Copy> Feature<K, ()> {
    fn with<S>(&self, shape: S) -> Feature<K, S> {
        Feature {
            kind: self.kind,
            name: self.name.clone(),
            sure: self.sure,
            source: self.source.clone(),
            shape,
        }
    }
}

fn read_roads(
    source: &Source,
    survey: &Survey<'_>,
    field: &mut Battlefield,
    problems: &mut Problems,
) {
    for item in items(source, problems) {
        let kind = item.text("kind").unwrap_or_default();
        if let Some(kind) = Crossing::parse(kind) {
            let feature = feature(&item, kind, false, problems);
            if let (Some(feature), Some(spot)) = (feature, survey.spot(&item, problems)) {
                field.crossings.push(feature.with(spot));
            }
            continue;
        }
        let lines = survey.lines(&item, problems);
        if kind == "railroad_cut" {
            if let Some(feature) = feature(&item, (), false, problems) {
                field
                    .cuts
                    .extend(lines.into_iter().map(|line| feature.with(line)));
            }
            continue;
        }
        let more = ["railroad_cut", "bridge", "ford"];
        let Some(kind) = item.word::<RoadKind>("kind", &more, problems) else {
            continue;
        };
        let needed = matches!(kind, RoadKind::Pike | RoadKind::Railroad);
        if let Some(feature) = feature(&item, kind, needed, problems) {
            field
                .roads
                .extend(lines.into_iter().map(|line| feature.with(line)));
        }
    }
}

fn read_water(
    source: &Source,
    survey: &Survey<'_>,
    field: &mut Battlefield,
    problems: &mut Problems,
) {
    for item in items(source, problems) {
        let lines = survey.lines(&item, problems);
        let Some(kind) = item.word::<WaterKind>("kind", &[], problems) else {
            continue;
        };
        let needed = kind != WaterKind::Brook;
        if let Some(feature) = feature(&item, kind, needed, problems) {
            field
                .water
                .extend(lines.into_iter().map(|line| feature.with(line)));
        }
    }
}

fn read_cover(
    source: &Source,
    survey: &Survey<'_>,
    field: &mut Battlefield,
    problems: &mut Problems,
) {
    for item in items(source, problems) {
        let areas = survey.areas(&item, problems);
        let Some(kind) = item.word::<CoverKind>("kind", &[], problems) else {
            continue;
        };
        if let Some(feature) = feature(&item, kind, false, problems) {
            field
                .cover
                .extend(areas.into_iter().map(|area| feature.with(area)));
        }
    }
}

fn read_walls(
    source: &Source,
    survey: &Survey<'_>,
    field: &mut Battlefield,
    problems: &mut Problems,
) {
    for item in items(source, problems) {
        let lines = survey.lines(&item, problems);
        let Some(kind) = item.word::<WallKind>("kind", &[], problems) else {
            continue;
        };
        if let Some(feature) = feature(&item, kind, false, problems) {
            field
                .walls
                .extend(lines.into_iter().map(|line| feature.with(line)));
        }
    }
}

/// The id of a feature, checked to be unique in its file.
fn unique_id(
    item: &Item<'_>,
    seen: &mut BTreeMap<String, usize>,
    index: usize,
    problems: &mut Problems,
) -> Option<String> {
    let id = item.required("id", problems)?;
    if let Some(first) = seen.get(id) {
        let message = format!("\"{id}\" is already the id of features[{first}]");
        problems.push(item.problem("id", message));
        return None;
    }
    seen.insert(id.to_owned(), index);
    Some(id.to_owned())
}

fn read_places(
    source: &Source,
    survey: &Survey<'_>,
    field: &mut Battlefield,
    problems: &mut Problems,
) {
    let mut seen = BTreeMap::new();
    for (index, item) in items(source, problems).iter().enumerate() {
        let id = unique_id(item, &mut seen, index, problems);
        let point = survey.spot(item, problems);
        let kind = item.word::<PlaceKind>("kind", &[], problems);
        let feature = feature(item, (), true, problems);
        let (Some(id), Some(point), Some(kind), Some(feature)) = (id, point, kind, feature) else {
            continue;
        };
        let name = feature.name.unwrap_or_default();
        let (sure, source) = (feature.sure, feature.source);
        field.places.push(Place {
            id,
            name,
            kind,
            sure,
            source,
            point,
        });
    }
    field.places.sort_by(|a, b| a.id.cmp(&b.id));
}

fn read_entries(
    source: &Source,
    survey: &Survey<'_>,
    field: &mut Battlefield,
    problems: &mut Problems,
) {
    let mut seen = BTreeMap::new();
    for (index, item) in items(source, problems).iter().enumerate() {
        if item.text("kind") != Some("entry") {
            problems.push(item.problem("kind", "expected \"entry\""));
        }
        let id = unique_id(item, &mut seen, index, problems);
        let point = survey.spot(item, problems);
        let edge = item.word::<Edge>("edge", &[], problems);
        let feature = feature(item, (), true, problems);
        let codes = entry_codes(item, problems);
        let (Some(id), Some(point), Some(edge), Some(feature)) = (id, point, edge, feature) else {
            continue;
        };
        let name = feature.name.unwrap_or_default();
        field.entries.push(Entry {
            id,
            name,
            edge,
            codes,
            point,
        });
    }
    field.entries.sort_by(|a, b| a.id.cmp(&b.id));
}

/// `"corps20:CP blindswords:1626"` as pairs.
fn entry_codes(item: &Item<'_>, problems: &mut Problems) -> Vec<(String, String)> {
    let mut codes = Vec::new();
    let text = item.text("codes").unwrap_or_default();
    for word in text.split([' ', ',', ';']).filter(|word| !word.is_empty()) {
        match word.split_once(':') {
            Some((ruleset, code)) => codes.push((ruleset.to_owned(), code.to_owned())),
            None => {
                let message = format!("\"{word}\": expected ruleset:code, such as corps20:CP");
                problems.push(item.problem("codes", message));
            }
        }
    }
    codes
}
