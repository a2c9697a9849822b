//! `tables.ron`: the numbers of the series.
#![allow(missing_docs, reason = "named as in the files")]

use super::Terrain;
use cupola_data::Sourced;
use serde::Deserialize;
use std::collections::BTreeMap;

/// `tables.ron`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tables {
    pub fire_table: Sourced<Vec<(i16, ResultName)>>,
    pub ranges: Sourced<BTreeMap<String, Vec<(u8, i8)>>>,
    pub strength: Sourced<Vec<(u8, i8)>>,
    pub frontage: Sourced<u8>,
    pub modifiers: Modifiers,
    pub checks: Checks,
    pub leader_falls: Sourced<u8>,
    pub leader_taken: Sourced<u8>,
    pub retreat: Sourced<u8>,
    pub close_action: Sourced<CloseAction>,
    pub stacking: Sourced<Stacking>,
    pub allowance: Allowance,
    pub command: Ranges,
    pub activations: Sourced<Activations>,
    pub night: NightFile,
    pub reaction: ReactionFile,
    pub approach: Sourced<u8>,
    pub abandon: Sourced<u8>,
    pub carried_off: Sourced<u8>,
    pub recovery: RecoveryFile,
    pub isolated: Sourced<u8>,
    pub wary: Sourced<u8>,
    pub extend_strength: Sourced<u8>,
    pub extended_beside: Sourced<u8>,
    pub refuse_strength: Sourced<u8>,
    pub works: WorksFile,
    pub march: MarchFile,
    pub reserve: ReserveFile,
    pub terrain: Terrain,
    pub arrivals: Sourced<u8>,
    pub march_markers: Sourced<u8>,
    pub sharpshooters_reach: Sourced<u8>,
}

/// Results of the fire table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResultName {
    /// Cohesion checks.
    Check,
    /// Cohesion hits.
    Hit,
    /// Hits and one more loss.
    Shattered,
}

/// Die modifiers of fire (§6.3).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Modifiers {
    pub disordered: Sourced<i16>,
    pub woods: Sourced<i16>,
    pub orchard: Sourced<i16>,
    pub town: Sourced<i16>,
    pub uphill: Sourced<i16>,
    pub downhill: Sourced<i16>,
    pub into_cut: Sourced<i16>,
    pub from_cut: Sourced<i16>,
    pub wall: Sourced<i16>,
    pub works: Sourced<i16>,
    pub captured_works: Sourced<i16>,
    pub flank: Sourced<i16>,
    pub rear: Sourced<i16>,
    pub charge: Sourced<i16>,
    pub twilight: Sourced<i16>,
    pub twilight_from: Sourced<u32>,
    pub night: Sourced<i16>,
    pub high_ground: Sourced<i16>,
    pub mounted_target: Sourced<i16>,
    pub marching_target: Sourced<i16>,
    pub lone_guns: Sourced<i16>,
    pub lone_sharpshooters: Sourced<i16>,
    pub horse_on_front: Sourced<i16>,
    pub horse_on_shaken: Sourced<i16>,
    pub horse_on_obstacle: Sourced<i16>,
    pub refused: Sourced<i16>,
    pub gallop: Sourced<i16>,
}

/// Cohesion checks (§7.1).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checks {
    pub always_fails: Sourced<u8>,
    pub leader: Sourced<i8>,
    pub ineffective: Sourced<i8>,
}

/// Losses of close action (§7.53).
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CloseAction {
    pub units: u8,
    pub few: u8,
    pub many: u8,
    pub small_brigade: u8,
}

/// What a hex holds (§5.21).
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stacking {
    pub sp: u8,
    pub guns: u8,
}

/// Movement allowances (§5.12).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Allowance {
    pub foot: Sourced<u8>,
    pub horse: Sourced<u8>,
    pub guns: Sourced<u8>,
    pub horse_guns: Sourced<u8>,
    pub brigadier: Sourced<u8>,
    pub division: Sourced<u8>,
    pub commander: Sourced<u8>,
}

/// Command ranges (§4.22).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ranges {
    pub brigade: Sourced<u8>,
    pub artillery: Sourced<u8>,
    pub cavalry_brigade: Sourced<u8>,
    pub division: Sourced<u8>,
    pub cavalry_division: Sourced<u8>,
    pub corps: Sourced<u8>,
    pub army: Sourced<u8>,
}

/// How many markers a division may have (§4.44).
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Activations {
    pub least: u8,
    pub most: u8,
}

/// Night (§11.2).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NightFile {
    pub sight: Sourced<u8>,
    pub guns_sight: Sourced<u8>,
}

/// Reactions (§5.5).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReactionFile {
    pub reach: Sourced<u8>,
    pub turn: Sourced<u8>,
}

/// Recovery (§8.2).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecoveryFile {
    pub near: Sourced<u8>,
    pub apart: Sourced<u8>,
}

/// Building breastworks (§10.12).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorksFile {
    pub strength: Sourced<u8>,
    pub strength_round: Sourced<u8>,
    pub enemy_within: Sourced<u8>,
    pub day: Sourced<u8>,
    pub night: Sourced<u8>,
}

/// March orders (§4.32).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarchFile {
    pub apart: Sourced<u8>,
    pub shy: Sourced<u8>,
}

/// Reserve orders (§4.34).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReserveFile {
    pub apart: Sourced<u8>,
    pub seen: Sourced<u8>,
}
