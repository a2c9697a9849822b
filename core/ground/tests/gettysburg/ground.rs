//! The battlefield itself.

use std::collections::BTreeSet;

use cupola_ground::kinds::{RoadKind, Sure, WaterKind};
use cupola_ground::point::Point;

use crate::FIELD;

#[test]
fn there_are_eighty_places_and_more() {
    assert!(FIELD.places.len() >= 80, "{}", FIELD.places.len());
    let names: BTreeSet<&str> = FIELD.places.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names.len(), FIELD.places.len(), "two places of one name");
}

#[test]
fn roads_radiate_from_the_diamond() {
    let diamond = FIELD.place("the-diamond").expect("the Diamond").point;
    let town = 80_000; // 800 m: the roads that begin in the streets next to it count too
    for name in [
        "Chambersburg Pike",
        "York Pike",
        "Baltimore Pike",
        "Hanover Road",
        "Mummasburg Road",
        "Carlisle Road",
        "Harrisburg Road",
        "Fairfield Road",
        "Emmitsburg Road",
    ] {
        let near = FIELD
            .roads
            .iter()
            .filter(|road| road.name.as_deref() == Some(name))
            .flat_map(|road| &road.shape)
            .any(|point| point.distance(diamond) <= town);
        assert!(near, "{name} does not come near the Diamond");
    }
}

#[test]
fn road_ends_meet_a_road_or_the_edge_or_a_farm() {
    let mut loose = Vec::new();
    for road in &FIELD.roads {
        for end in [road.shape.first(), road.shape.last()]
            .into_iter()
            .flatten()
        {
            let joins = FIELD
                .roads
                .iter()
                .filter(|other| !std::ptr::eq(*other, road))
                .any(|other| other.shape.iter().any(|p| p.distance(*end) <= 150));
            let place = FIELD
                .places
                .iter()
                .any(|p| p.point.distance(*end) <= 15_000);
            if !joins && !place && !at_the_edge(*end) && road.kind <= RoadKind::Road {
                loose.push((road.name.clone(), *end));
            }
        }
    }
    assert!(loose.is_empty(), "{loose:?}");
}

fn at_the_edge(point: Point) -> bool {
    let bounds = &FIELD.bounds;
    let near = 10_000;
    point.x - bounds.low.x <= near
        || bounds.high.x - point.x <= near
        || point.y - bounds.low.y <= near
        || bounds.high.y - point.y <= near
}

#[test]
fn streams_run_downhill() {
    // From mapped head to mouth; the elevation model is rough in its beds, so only the ends count.
    for water in &FIELD.water {
        let (Some(head), Some(mouth)) = (water.shape.first(), water.shape.last()) else {
            continue;
        };
        let (from, to) = (FIELD.heights.height(*head), FIELD.heights.height(*mouth));
        assert!(from > to, "{:?} rises from {from} to {to} cm", water.name);
    }
}

#[test]
fn the_great_streams_are_there() {
    for (name, kind) in [
        ("Rock Creek", WaterKind::Creek),
        ("Marsh Creek", WaterKind::Creek),
        ("Willoughby Run", WaterKind::Run),
        ("Plum Run", WaterKind::Run),
        ("Pitzer's Run", WaterKind::Run),
        ("Stevens' Run", WaterKind::Run),
        ("Winebrenner Run", WaterKind::Run),
        ("White Run", WaterKind::Run),
        ("Cress's Run", WaterKind::Run),
        ("Little's Run", WaterKind::Run),
        ("Rose Run", WaterKind::Brook),
    ] {
        let found = FIELD
            .water
            .iter()
            .any(|w| w.name.as_deref() == Some(name) && w.kind == kind);
        assert!(found, "{name}");
    }
}

#[test]
fn summits_stand_above_their_neighbourhood() {
    for (id, least) in [
        ("big-round-top", 22_500),
        ("little-round-top", 18_500),
        ("culps-hill", 18_500),
        ("cemetery-hill", 18_500),
        ("oak-hill", 18_500),
        ("wolf-hill", 19_500),
        ("benners-hill", 16_500),
        ("herrs-ridge", 17_000),
    ] {
        let point = FIELD.place(id).expect("a place").point;
        let height = FIELD.heights.height(point);
        assert!(height >= least, "{id} is {height} cm high");
        let around = [(1, 0), (-1, 0), (0, 1), (0, -1)].map(|(x, y)| {
            FIELD.heights.height(Point {
                x: point.x + 50_000 * x,
                y: point.y + 50_000 * y,
            })
        });
        let lower = around.iter().filter(|h| **h < height).count();
        assert!(lower >= 2, "{id}: {height} among {around:?}");
    }
}

#[test]
fn invented_ground_says_so() {
    let house = FIELD
        .places
        .iter()
        .filter(|p| p.sure == Sure::House)
        .count();
    assert!(house > 0 && house * 4 < FIELD.places.len(), "{house}");
    let cavalry_field = FIELD.place("rummel-farm").expect("a place").point;
    let angle = FIELD.place("the-angle").expect("a place").point;
    assert!(FIELD.heights.is_house(cavalry_field));
    assert!(!FIELD.heights.is_house(angle));
}

#[test]
fn bridges_and_fords_join_road_and_water() {
    let near = |line: &[Point], point: Point| line.iter().any(|p| p.distance(point) <= 15_000);
    for name in [
        "Rock Creek bridge, Hanover Road",
        "Rock Creek bridge, York Pike",
        "Rock Creek bridge, Harrisburg Road",
        "Rock Creek bridge, Baltimore Pike",
        "Willoughby Run bridge, Chambersburg Pike",
        "Willoughby Run bridge, Fairfield Road",
        "Marsh Creek bridge, Emmitsburg Road",
        "Sachs bridge",
    ] {
        let known = FIELD
            .crossings
            .iter()
            .any(|crossing| crossing.name.as_deref() == Some(name));
        assert!(known, "{name}");
    }
    for crossing in &FIELD.crossings {
        let point = crossing.shape;
        let road = FIELD.roads.iter().any(|road| near(&road.shape, point));
        let water = FIELD.water.iter().any(|water| near(&water.shape, point));
        let cut = FIELD.cuts.iter().any(|cut| near(&cut.shape, point));
        assert!(road && (water || cut), "{:?}", crossing.name);
    }
}
