//! Numbers that no table can have: they are refused before anything is worked out with them.

use crate::files::Tables;
use crate::load::TABLES;
use cupola_kit::Loader;

/// Notes every number of the tables that is out of its range.
pub fn check(loader: &mut Loader, tables: &Tables) {
    let costs = &tables.costs;
    let costs = [
        ("open", &costs.open),
        ("woods", &costs.woods),
        ("slope", &costs.slope),
        ("steep", &costs.steep),
        ("stream", &costs.stream),
        ("creek", &costs.creek),
        ("road", &costs.road),
        ("pike", &costs.pike),
        ("disengage", &costs.disengage),
        ("exit", &costs.exit),
    ];
    let costs = costs.map(|(key, value)| (format!("costs.{key}[0]"), value.0));
    loader.within(TABLES, 0..=20, costs);
    let points = &tables.allowance;
    let points = [
        ("attack", &points.attack),
        ("attack_mounted", &points.attack_mounted),
        ("maneuver", &points.maneuver),
        ("maneuver_mounted", &points.maneuver_mounted),
        ("redeploy", &points.redeploy),
    ];
    let points = points.map(|(key, value)| (format!("allowance.{key}[0]"), value.0));
    loader.within(TABLES, 0..=24, points);
    let ground = &tables.assault_shifts;
    let ground = [
        ("stream", &ground.stream),
        ("creek", &ground.creek),
        ("slope", &ground.slope),
        ("steep", &ground.steep),
    ];
    let ground = ground.map(|(key, value)| (format!("assault_shifts.{key}[0]"), value.0));
    loader.within(TABLES, -12..=12, ground);
    shifts(loader, tables);
    let stacking = &tables.stacking;
    let stacking = [
        ("open", &stacking.open),
        ("town", &stacking.town),
        ("road", &stacking.road),
        ("breakthrough", &stacking.breakthrough),
    ];
    let stacking = stacking.map(|(key, value)| (format!("stacking.{key}[0]"), value.0));
    loader.within(TABLES, 1..=200, stacking);
    let doubles = tables.doubles.0.iter().enumerate();
    let doubles = doubles.map(|(i, &value)| (format!("doubles[0][{i}]"), value));
    loader.within(TABLES, -12..=12, doubles);
}

/// Columns to the left and to the right (§I-4, §K-6).
fn shifts(loader: &mut Loader, tables: &Tables) {
    let (fire, assault) = (&tables.fire_shifts, &tables.assault_shifts);
    let shifts = [
        ("fire_shifts.woods", fire.woods.0),
        ("fire_shifts.town", fire.town.0),
        ("fire_shifts.over_cover", fire.over_cover.0),
        ("fire_shifts.over_units", fire.over_units.0),
        ("fire_shifts.long", fire.long.0),
        ("fire_shifts.mixed", fire.mixed.0),
        ("fire_shifts.dismounted", fire.dismounted.0),
        ("fire_shifts.mounted", fire.mounted.0),
        ("fire_shifts.defend", fire.defend.0),
        ("fire_shifts.canister", fire.canister.0),
        ("fire_shifts.canister_smooth", fire.canister_smooth.0),
        ("assault_shifts.town", assault.town.0),
        ("assault_shifts.yell", assault.yell.0),
        ("assault_shifts.flank", assault.flank.0),
        ("assault_shifts.guns", assault.guns.0),
        ("assault_shifts.odds", assault.odds.0[0]),
        ("assault_shifts.odds", assault.odds.0[1]),
        ("assault_shifts.odds", assault.odds.0[2]),
    ];
    let shifts = shifts.map(|(key, value)| (format!("{key}[0]"), value));
    loader.within(TABLES, -12..=12, shifts);
}
