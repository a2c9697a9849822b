//! `tables.ron`: the numbers of the series.

use super::Terrain;
use cupola_data::Sourced;
use serde::Deserialize;
use std::collections::BTreeMap;

/// `tables.ron`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tables {
    /// What a modified die comes to: from this total on, this result; below the first line nothing happens (§6.15).
    pub fire_table: Sourced<Vec<(i16, ResultName)>>,
    /// By weapon, bands of range: the last hex of the band and its die modifier; beyond the last band it does not
    /// reach (§6.31).
    pub ranges: Sourced<BTreeMap<String, Vec<(u8, i8)>>>,
    /// Die modifiers by strength: from so many points on, this modifier (§6.32).
    pub strength: Sourced<Vec<(u8, i8)>>,
    /// Strength points of small arms that one hex can use in a phase (§6.14).
    pub frontage: Sourced<u8>,
    /// Die modifiers of fire: above nought they help whoever fires (§6.3).
    pub modifiers: Modifiers,
    /// Cohesion checks (§7.1).
    pub checks: Checks,
    /// The roll, 0 to 9, on which a leader in a hex that fire has struck falls (§7.71).
    pub leader_falls: Sourced<u8>,
    /// The highest roll, 0 to 9, on which a leader upon whom enemies come is taken (§7.72).
    pub leader_taken: Sourced<u8>,
    /// Hexes of a retreat (§7.2).
    pub retreat: Sourced<u8>,
    /// What a charge costs both sides (§7.53).
    pub close_action: Sourced<CloseAction>,
    /// How much a hex holds (§5.21).
    pub stacking: Sourced<Stacking>,
    /// Movement points; an attack or a withdrawal has half of them (§5.12).
    pub allowance: Allowance,
    /// How far leaders command, in movement points of a leader; half as far at night (§4.22).
    pub command: Ranges,
    /// How many markers a division may have in the cup (§4.44).
    pub activations: Sourced<Activations>,
    /// How far one sees at night (§11.2).
    pub night: NightFile,
    /// Who may react to a move, and how (§5.5).
    pub reaction: ReactionFile,
    /// Hexes within which guns fire at an enemy who has closed in (canister).
    pub approach: Sourced<u8>,
    /// An enemy within so many hexes makes the crews of a battery that is hit check, or run (§9.31).
    pub abandon: Sourced<u8>,
    /// The highest roll, 0 to 9, on which abandoned guns that the enemy holds are carried off at the end of a turn
    /// (§9.34).
    pub carried_off: Sourced<u8>,
    /// Abandoned guns with no enemy within so many hexes are manned again when a turn ends (§9.34).
    pub recrewed: Sourced<u8>,
    /// Where routed units come back (§8.2).
    pub recovery: RecoveryFile,
    /// An enemy within so many hexes makes a unit that is cut off in a town check for surrender (§5.18).
    pub isolated: Sourced<u8>,
    /// Hexes: a unit out of command does not come nearer to an enemy who is closer than this (§4.25).
    pub wary: Sourced<u8>,
    /// The least strength of a unit that may stand in an extended line (§12.2).
    pub extend_strength: Sourced<u8>,
    /// The least strength of a unit that cannot stand in a hex with part of an extended line (§12.2).
    pub extended_beside: Sourced<u8>,
    /// The least strength of a unit that may refuse a flank (§12.1).
    pub refuse_strength: Sourced<u8>,
    /// Building breastworks (§10.12).
    pub works: WorksFile,
    /// March Orders (§4.32).
    pub march: MarchFile,
    /// Reserve Orders (§4.34).
    pub reserve: ReserveFile,
    /// The terrain chart: what each ground costs, whom it bars and whom it disorders (§5.17).
    pub terrain: Terrain,
    /// Activations of reinforcements on the turn they come (§5.47).
    pub arrivals: Sourced<u8>,
    /// March markers of a side in the cup while any brigade of it marches (§4.14).
    pub march_markers: Sourced<u8>,
    /// Hexes to anybody of their corps within which sharpshooters are in command (§9.4).
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
    /// By disordered units (§6.33).
    pub disordered: Sourced<i16>,
    /// At a target in woods (§5.18).
    pub woods: Sourced<i16>,
    /// At a target in an orchard, or through one (§5.18).
    pub orchard: Sourced<i16>,
    /// At a target in a town (§5.18).
    pub town: Sourced<i16>,
    /// Up a steep slope; not by guns at four hexes and more (§5.18).
    pub uphill: Sourced<i16>,
    /// Down a steep slope at one hex (§5.18).
    pub downhill: Sourced<i16>,
    /// At one hex into a railroad cut (§5.18).
    pub into_cut: Sourced<i16>,
    /// Out of a railroad cut (§5.18).
    pub from_cut: Sourced<i16>,
    /// By small arms at a target behind a wall that it holds (§5.18).
    pub wall: Sourced<i16>,
    /// At a target behind breastworks of its own side (§10.2).
    pub works: Sourced<i16>,
    /// At a target behind breastworks that the enemy built (§10.2).
    pub captured_works: Sourced<i16>,
    /// Into the target's flank (§6.35).
    pub flank: Sourced<i16>,
    /// Into the target's rear (§6.35).
    pub rear: Sourced<i16>,
    /// In a charge, for both sides (§7.5).
    pub charge: Sourced<i16>,
    /// At dawn and dusk, from so many hexes on (§6.37).
    pub twilight: Sourced<i16>,
    /// The range in hexes from which twilight counts.
    pub twilight_from: Sourced<u32>,
    /// At night (§6.37).
    pub night: Sourced<i16>,
    /// By guns from higher ground, from four hexes on (§6.38).
    pub high_ground: Sourced<i16>,
    /// At a target all of which is in the saddle (§6.39).
    pub mounted_target: Sourced<i16>,
    /// At a column (§6.39).
    pub marching_target: Sourced<i16>,
    /// At guns without infantry, from four hexes on (§6.39).
    pub lone_guns: Sourced<i16>,
    /// At sharpshooters alone, nearer than four hexes (§9.4).
    pub lone_sharpshooters: Sourced<i16>,
    /// By charging horsemen, against the front of a steady line (§9.13).
    pub horse_on_front: Sourced<i16>,
    /// By charging horsemen, against the disordered or the mounted (§9.13).
    pub horse_on_shaken: Sourced<i16>,
    /// By charging horsemen, over a wall or into an orchard (§5.18).
    pub horse_on_obstacle: Sourced<i16>,
    /// By a unit that refuses a flank (§12.1).
    pub refused: Sourced<i16>,
    /// By horsemen who charge at the gallop (§12.51).
    pub gallop: Sourced<i16>,
}

/// Cohesion checks (§7.1).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checks {
    /// The natural roll, 0 to 9, that fails whatever the rating.
    pub always_fails: Sourced<u8>,
    /// What a leader with the unit adds to the roll; less than nothing helps.
    pub leader: Sourced<i8>,
    /// What the men of an ineffective brigade add to the roll, in surrender and recovery (§5.18, §8.2).
    pub ineffective: Sourced<i8>,
}

/// Losses of close action (§7.53).
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CloseAction {
    /// Up to so many units of a brigade lose `few`, more lose `many`.
    pub units: u8,
    /// Losses of a brigade with few units in it.
    pub few: u8,
    /// Losses of a brigade with many.
    pub many: u8,
    /// A brigade of so many strength points or fewer loses one at most.
    pub small_brigade: u8,
}

/// What a hex holds (§5.21).
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stacking {
    /// Strength points of infantry and cavalry.
    pub sp: u8,
    /// Guns.
    pub guns: u8,
}

/// Movement allowances (§5.12).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Allowance {
    /// Infantry, and cavalry on foot.
    pub foot: Sourced<u8>,
    /// Mounted cavalry.
    pub horse: Sourced<u8>,
    /// Foot artillery.
    pub guns: Sourced<u8>,
    /// Horse artillery.
    pub horse_guns: Sourced<u8>,
    /// Leaders of brigades.
    pub brigadier: Sourced<u8>,
    /// Leaders of divisions.
    pub division: Sourced<u8>,
    /// Leaders of corps and armies.
    pub commander: Sourced<u8>,
}

/// Command ranges (§4.22).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ranges {
    /// Of a brigade.
    pub brigade: Sourced<u8>,
    /// Of a brigade of artillery.
    pub artillery: Sourced<u8>,
    /// Of a brigade of cavalry.
    pub cavalry_brigade: Sourced<u8>,
    /// Of a division.
    pub division: Sourced<u8>,
    /// Of a division of cavalry.
    pub cavalry_division: Sourced<u8>,
    /// Of a corps or wing.
    pub corps: Sourced<u8>,
    /// Of an army.
    pub army: Sourced<u8>,
}

/// How many markers a division may have (§4.44).
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Activations {
    /// Never fewer.
    pub least: u8,
    /// Never more.
    pub most: u8,
}

/// Night (§11.2).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NightFile {
    /// Hexes to which infantry and cavalry see.
    pub sight: Sourced<u8>,
    /// Hexes to which artillery sees.
    pub guns_sight: Sourced<u8>,
}

/// Reactions (§5.5).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReactionFile {
    /// Hexes within which a unit that sees the mover may react (§5.51).
    pub reach: Sourced<u8>,
    /// Corners of the hex by which it may turn.
    pub turn: Sourced<u8>,
}

/// Recovery (§8.2).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecoveryFile {
    /// Hexes to the brigadier within which they come back.
    pub near: Sourced<u8>,
    /// Hexes that the enemy must be away.
    pub apart: Sourced<u8>,
}

/// Building breastworks (§10.12).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorksFile {
    /// The least strength points in a hex that can dig there.
    pub strength: Sourced<u8>,
    /// The least strength points in a hex that can dig on three sides, with the switch `three_sided_works`.
    pub strength_round: Sourced<u8>,
    /// An enemy on foot must be within so many hexes for anybody to dig.
    pub enemy_within: Sourced<u8>,
    /// Turns that it takes by day.
    pub day: Sourced<u8>,
    /// Turns that it takes by night.
    pub night: Sourced<u8>,
}

/// March orders (§4.32).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarchFile {
    /// Hexes that the enemy must be away when the order is given.
    pub apart: Sourced<u8>,
    /// Hexes that a column keeps away from the enemy.
    pub shy: Sourced<u8>,
}

/// Reserve orders (§4.34).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReserveFile {
    /// Hexes that the enemy must be away when the order is given.
    pub apart: Sourced<u8>,
    /// Hexes within which no enemy may see the brigade when the order is given.
    pub seen: Sourced<u8>,
}
