//! The tables in the form in which rules read them.

use crate::files::{ResultName, Tables};
use crate::rules::{Allowances, Drms, Numbers, Reaches};

/// The fire table, in ascending order.
pub fn fire_table(tables: &Tables) -> Vec<(i16, u16)> {
    let mut lines: Vec<(i16, u16)> = tables
        .fire_table
        .0
        .iter()
        .map(|&(from, result)| {
            let code = match result {
                ResultName::Check => 1,
                ResultName::Hit => 2,
                ResultName::Shattered => 3,
            };
            (from, code)
        })
        .collect();
    lines.sort_unstable();
    lines
}

/// Single numbers.
pub fn numbers(tables: &Tables) -> Numbers {
    Numbers {
        frontage: tables.frontage.0,
        always_fails: tables.checks.always_fails.0,
        leader: tables.checks.leader.0,
        ineffective: tables.checks.ineffective.0,
        leader_falls: tables.leader_falls.0,
        leader_taken: tables.leader_taken.0,
        retreat: tables.retreat.0,
        close_action: tables.close_action.0,
        stack_sp: tables.stacking.0.sp,
        stack_guns: tables.stacking.0.guns,
        activations: tables.activations.0,
        night_sight: tables.night.sight.0.into(),
        night_guns: tables.night.guns_sight.0.into(),
        react_reach: tables.reaction.reach.0.into(),
        react_turn: tables.reaction.turn.0,
        approach: tables.approach.0.into(),
        abandon: tables.abandon.0.into(),
        carried_off: tables.carried_off.0,
        recrewed: tables.recrewed.0.into(),
        recover_near: tables.recovery.near.0.into(),
        recover_apart: u32::from(tables.recovery.apart.0).max(1),
        isolated: tables.isolated.0.into(),
        wary: tables.wary.0.into(),
        works_sp: tables.works.strength.0,
        works_round_sp: tables.works.strength_round.0,
        refuse_sp: tables.refuse_strength.0,
        extended_beside: tables.extended_beside.0,
        works_within: tables.works.enemy_within.0.into(),
        works_day: tables.works.day.0,
        works_night: tables.works.night.0,
        march_apart: tables.march.apart.0.into(),
        march_shy: tables.march.shy.0.into(),
        reserve_apart: tables.reserve.apart.0.into(),
        reserve_seen: tables.reserve.seen.0.into(),
        arrivals: tables.arrivals.0,
        march_markers: tables.march_markers.0,
        sharpshooters_reach: tables.sharpshooters_reach.0.into(),
    }
}

/// Allowances in half points.
pub fn allowances(tables: &Tables) -> Allowances {
    let file = &tables.allowance;
    Allowances {
        foot: 2 * file.foot.0,
        horse: 2 * file.horse.0,
        guns: 2 * file.guns.0,
        horse_guns: 2 * file.horse_guns.0,
        brigadier: 2 * file.brigadier.0,
        division: 2 * file.division.0,
        commander: 2 * file.commander.0,
    }
}

/// Command ranges in half points.
pub fn reaches(tables: &Tables) -> Reaches {
    let file = &tables.command;
    Reaches {
        brigade: 2 * file.brigade.0,
        artillery: 2 * file.artillery.0,
        cavalry_brigade: 2 * file.cavalry_brigade.0,
        division: 2 * file.division.0,
        cavalry_division: 2 * file.cavalry_division.0,
        corps: 2 * file.corps.0,
        army: 2 * file.army.0,
    }
}

/// Modifiers of fire.
pub fn drms(tables: &Tables) -> Drms {
    let file = &tables.modifiers;
    Drms {
        disordered: file.disordered.0,
        woods: file.woods.0,
        orchard: file.orchard.0,
        town: file.town.0,
        uphill: file.uphill.0,
        downhill: file.downhill.0,
        into_cut: file.into_cut.0,
        from_cut: file.from_cut.0,
        wall: file.wall.0,
        works: file.works.0,
        captured_works: file.captured_works.0,
        flank: file.flank.0,
        rear: file.rear.0,
        charge: file.charge.0,
        twilight: file.twilight.0,
        twilight_from: file.twilight_from.0,
        night: file.night.0,
        high_ground: file.high_ground.0,
        mounted_target: file.mounted_target.0,
        marching_target: file.marching_target.0,
        lone_guns: file.lone_guns.0,
        lone_sharpshooters: file.lone_sharpshooters.0,
        horse_on_front: file.horse_on_front.0,
        horse_on_shaken: file.horse_on_shaken.0,
        horse_on_obstacle: file.horse_on_obstacle.0,
        refused: file.refused.0,
        gallop: file.gallop.0,
    }
}
