//! Markers of the cup: who draws efficiency, who is activated by what.

use super::Names;
use crate::files::{FormationFile, Level, ScenarioFile};
use crate::rules::{Brigade, Card, Draw, Formation, Kind, NONE};
use crate::state::Wear;
use cupola_kernel::{BySide, Side, TokenId};

/// Commands that draw efficiency.
pub fn draws(scenario: &ScenarioFile, names: &mut Names, cards: &[Card]) -> Vec<Draw> {
    let draws = scenario.draws.iter().enumerate();
    draws
        .map(|(i, draw)| {
            let field = format!("draws[{i}]");
            let commander = draw
                .commander
                .as_ref()
                .map(|leader| names.unit(&format!("{field}.commander"), leader));
            let own = commander.and_then(|leader| cards.get(usize::from(leader.0)));
            // A chief of artillery counts only while he is there (§4.41 with §4.43).
            let own = own.filter(|card| card.kind != Kind::Leader(Level::Chief));
            let own = own.map_or(0, |card| card.rating[0]);
            Draw {
                name: draw.name.clone(),
                side: names.side(&format!("{field}.side"), &draw.side),
                rating: draw.rating.as_ref().map_or(own, |rating| rating.0),
                commander,
            }
        })
        .collect()
}

/// Activation markers, and whom each activates.
pub fn formations(
    scenario: &ScenarioFile,
    names: &mut Names,
    brigades: &mut [Brigade],
) -> Vec<Formation> {
    let mut found = vec![];
    for (i, file) in scenario.formations.iter().enumerate() {
        let formation = formation(scenario, names, file, i);
        for &brigade in &formation.brigades {
            if let Some(brigade) = brigades.get_mut(usize::from(brigade)) {
                brigade.formation = i as u16;
            }
        }
        found.push(formation);
    }
    for (i, brigade) in brigades.iter().enumerate() {
        let idle = brigade.formation == NONE;
        if idle {
            let message = format!("no marker activates brigade {} ({i})", brigade.name);
            names.problem("formations", message);
        }
    }
    found
}

fn formation(
    scenario: &ScenarioFile,
    names: &mut Names,
    file: &FormationFile,
    number: usize,
) -> Formation {
    let field = format!("formations[{number}]");
    let brigades = file
        .brigades
        .iter()
        .map(|brigade| names.brigade(&format!("{field}.brigades"), brigade))
        .collect();
    let draws = file.draws.as_ref().map(|draw| {
        let all = scenario.draws.iter().map(|draw| draw.name.as_str());
        names.choose(&format!("{field}.draws"), "command that draws", draw, all) as u8
    });
    let mut own = vec![];
    for (brigade, turns) in &file.own {
        let number = names.brigade(&format!("{field}.own"), brigade);
        for (turn, markers) in turns {
            let turn = names.turn(&format!("{field}.own"), turn);
            own.push((number, turn, *markers));
        }
    }
    let fixed = file
        .fixed
        .iter()
        .map(|(turn, markers)| (names.turn(&format!("{field}.fixed"), turn), *markers))
        .collect();
    let leader = file.leader.as_ref();
    let from = file.from.as_ref();
    Formation {
        name: file.am.clone(),
        side: names.side(&format!("{field}.side"), &file.side),
        brigades,
        march: file.march,
        steadfast: file.steadfast,
        arrivals: file.arrivals,
        leader: leader.map(|leader| names.unit(&format!("{field}.leader"), leader)),
        draws,
        rating: file.rating.as_ref().map(|rating| rating.0),
        fixed,
        from: from.map_or(0, |turn| names.turn(&format!("{field}.from"), turn)),
        own,
        traces: file.traces,
        token: TokenId(number as u16),
    }
}

/// Who else a marker may activate: guns that can be attached (§9.22), and brigades that march (§4.14).
pub fn guests(
    scenario: &ScenarioFile,
    names: &mut Names,
    formations: &mut [Formation],
    brigades: &mut [Brigade],
    worn: &mut [Wear],
) {
    for (name, file) in &scenario.brigades {
        let field = format!("brigades.{name}");
        let number = names.brigade(&field, name);
        let mut find = |key: &str, to: &String| {
            let (field, all) = (format!("{field}.{key}"), names.formations.clone());
            let found = names.choose(&field, "marker", to, all.iter().map(String::as_str));
            found as u16
        };
        let mut attach: Vec<u16> = file.attach.iter().map(|to| find("attach", to)).collect();
        let with = file.attached.as_ref().map(|to| find("attached", to));
        attach.extend(with.filter(|with| !attach.contains(with)));
        for &to in &attach {
            if let Some(formation) = formations.get_mut(usize::from(to))
                && !formation.brigades.contains(&number)
            {
                formation.brigades.push(number);
            }
        }
        if let Some(brigade) = brigades.get_mut(usize::from(number)) {
            // Who is attached without a choice stays so.
            let choice = !file.attach.is_empty();
            brigade.attach = if choice { attach } else { vec![] };
            worn[usize::from(number)].with = with;
            if let Some(hosts) = &file.hosts {
                brigade.hosts = names.brigades(&format!("{field}.hosts.brigades"), &hosts.brigades);
                (brigade.most, brigade.bound) = (hosts.most, hosts.bound);
            }
        }
    }
    for (file, formation) in scenario.formations.iter().zip(formations.iter_mut()) {
        for guest in &file.guests {
            let number = names.brigade("formations.guests", guest);
            if !formation.brigades.contains(&number) {
                formation.brigades.push(number);
            }
        }
    }
    for formation in formations.iter_mut().filter(|formation| formation.march) {
        let all = (0u16..).zip(brigades.iter());
        let ours = all.filter(|(_, brigade)| brigade.side == formation.side);
        formation.brigades = ours.map(|(number, _)| number).collect();
    }
    // What has acted is a bit each.
    for formation in formations
        .iter()
        .filter(|formation| formation.brigades.len() > 128)
    {
        let message = format!("{} has more than 128 brigades", formation.name);
        names.problem("formations", message);
    }
}

/// The March marker of each side, if it has one.
pub fn march(formations: &[Formation]) -> BySide<Option<u16>> {
    let of = |side: Side| {
        let found = formations.iter().position(|f| f.march && f.side == side);
        found.map(|found| found as u16)
    };
    BySide {
        first: of(Side::First),
        second: of(Side::Second),
    }
}

/// Efficiency pools, the earliest first.
pub fn pools(scenario: &ScenarioFile, names: &mut Names) -> Vec<(Side, u16, [u8; 3])> {
    let pools = scenario.pools.iter().enumerate();
    let mut found: Vec<(Side, u16, [u8; 3])> = pools
        .map(|(i, pool)| {
            let field = format!("pools[{i}]");
            (
                names.side(&format!("{field}.side"), &pool.side),
                names.turn(&format!("{field}.from"), &pool.from),
                [pool.three, pool.two, pool.one],
            )
        })
        .collect();
    found.sort_by_key(|(_, from, _)| *from);
    found
}

/// Turns on which a side has the initiative outright.
pub fn initiative(scenario: &ScenarioFile, names: &mut Names) -> Vec<(u16, Side)> {
    let fixed = scenario.initiative.iter();
    fixed
        .map(|(turn, side)| {
            (
                names.turn("initiative", turn),
                names.side("initiative", side),
            )
        })
        .collect()
}
