//! The tables of this game as players read them.

use crate::files::Weapon;
use crate::rules::Rules;
use cupola_kernel::Chart;

fn signed(value: i16) -> String {
    if value > 0 {
        format!("+{value}")
    } else {
        value.to_string()
    }
}

/// Fire table, ranges, strength, modifiers.
#[must_use]
pub fn charts(rules: &Rules) -> Vec<Chart> {
    vec![
        fire_table(rules),
        ranges(rules),
        strength(rules),
        modifiers(rules),
    ]
}

fn fire_table(rules: &Rules) -> Chart {
    let mut chart = Chart::new("Fire table", "6.15", ["modified die from", "result"]);
    for &(from, code) in &rules.fire_table {
        let result = match code {
            1 => "each unit checks its cohesion",
            2 => "each unit is hit",
            _ => "each unit is hit, and one more strength point is lost",
        };
        chart = chart.row([from.to_string(), result.to_owned()]);
    }
    chart.note("Below the first line nothing happens. The die shows 0 to 9.")
}

fn ranges(rules: &Rules) -> Chart {
    let bands = [1, 2, 3, 4, 5, 6, 8, 9, 12, 13, 16, 17, 20, 24];
    let head = std::iter::once("weapon".to_owned()).chain(bands.iter().map(u32::to_string));
    let mut chart = Chart::new("Range effects", "6.31", head);
    for weapon in Weapon::ALL {
        let cells = bands.iter().map(|&range| {
            rules
                .range(weapon, range)
                .map_or_else(|| "–".to_owned(), signed)
        });
        chart = chart.row(std::iter::once(weapon.name().to_owned()).chain(cells));
    }
    chart.note("Die modifiers by range in hexes.")
}

fn strength(rules: &Rules) -> Chart {
    let mut chart = Chart::new("Strength", "6.32", ["strength points from", "modifier"]);
    for &(from, modifier) in &rules.strength {
        chart = chart.row([from.to_string(), signed(modifier.into())]);
    }
    chart
}

fn modifiers(rules: &Rules) -> Chart {
    let d = &rules.drms;
    let lines = [
        ("a firer is disordered", d.disordered),
        ("target in woods", d.woods),
        ("through an orchard", d.orchard),
        ("firer or target in town", d.town),
        ("up a steep slope next to the target", d.uphill),
        ("down a steep slope at the next hex", d.downhill),
        ("into a railroad cut", d.into_cut),
        ("out of a railroad cut", d.from_cut),
        ("small arms at an owned wall", d.wall),
        ("through breastworks", d.works),
        ("flank", d.flank),
        ("rear", d.rear),
        ("charge", d.charge),
        ("dawn and dusk, from three hexes on", d.twilight),
        ("night", d.night),
        ("guns from higher ground, from four hexes on", d.high_ground),
        ("target all mounted", d.mounted_target),
        ("target in column", d.marching_target),
        ("guns alone, from four hexes on", d.lone_guns),
        ("horse against the front of a steady line", d.horse_on_front),
        ("horse against the disordered or mounted", d.horse_on_shaken),
    ];
    let mut chart = Chart::new("Fire modifiers", "6.3", ["case", "modifier"]);
    for (case, value) in lines {
        chart = chart.row([case.to_owned(), signed(value)]);
    }
    chart
}
