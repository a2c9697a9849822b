//! The scenario: where blocks begin, and how its end is judged.

use super::files::{CampaignLine, ScenarioFile, SetupWord, StartWord};
use super::{Files, Loader};
use crate::rules::{Card, Entry, Scale, Start};
use cupola_data::Sourced;
use cupola_ground::HexId;
use cupola_kernel::Side;
use cupola_kit::SCENARIO;
use std::collections::BTreeMap;

impl Loader<'_> {
    /// Where every block begins.
    pub(super) fn starts(
        &mut self,
        files: &Files,
        entries: &[Entry],
        cards: &[Card],
    ) -> Vec<Start> {
        let scenario = &files.scenario;
        let mut starts = vec![Start::Out; cards.len()];
        let mut lines: Vec<(&str, String, &CampaignLine)> = vec![];
        if scenario.setup == SetupWord::Campaign {
            let all = files.campaign.starts.iter().enumerate();
            lines.extend(all.map(|(i, line)| ("campaign.ron", format!("starts[{i}]"), line)));
        } else {
            self.printed_starts(files, entries, cards, &mut starts);
        }
        if self.input.switch("starts_of_004") {
            let all = scenario.in_004.iter().enumerate();
            lines.extend(all.map(|(i, line)| (SCENARIO, format!("in_004[{i}]"), line)));
        }
        for (file, field, line) in lines {
            if let Some(unit) = self.unit(file, &format!("{field}.id"), &line.id) {
                let card = &cards[usize::from(unit.0)];
                starts[usize::from(unit.0)] =
                    self.start(file, &format!("{field}.start"), &line.start, entries, card);
            }
        }
        starts
    }

    /// The set-ups of Days 2 and 3, which stand beside the blocks' values.
    fn printed_starts(
        &mut self,
        files: &Files,
        entries: &[Entry],
        cards: &[Card],
        starts: &mut [Start],
    ) {
        let counters = files.list.counters.iter().enumerate().map(|(i, counter)| {
            let values = &counter.values;
            (format!("counters[{i}].values"), &values.day2, &values.day3)
        });
        let leaders = files.list.leaders.iter().enumerate().map(|(i, leader)| {
            let values = &leader.values;
            (format!("leaders[{i}].values"), &values.day2, &values.day3)
        });
        for (i, (field, day2, day3)) in counters.chain(leaders).enumerate() {
            let (key, word) = match files.scenario.setup {
                SetupWord::Day2 => ("day2", day2),
                _ => ("day3", day3),
            };
            if let Some(Sourced(word, _)) = word {
                let field = format!("{field}.{key}");
                starts[i] = self.start("counters.ron", &field, word, entries, &cards[i]);
            }
        }
    }

    fn start(
        &mut self,
        file: &str,
        field: &str,
        word: &StartWord,
        entries: &[Entry],
        card: &Card,
    ) -> Start {
        match word {
            StartWord::At(label, steps) => {
                if *steps > card.max {
                    let message = format!("{steps} steps; the block has {}", card.max);
                    self.wrong(file, field, message);
                }
                Start::At(self.hex(file, field, label), *steps)
            }
            StartWord::Arrives(code, turn) => {
                let entry = self.entry(file, field, code, entries);
                let turn = self.turn(file, field, turn);
                Start::Due(turn, entry)
            }
            StartWord::Shattered => Start::Shattered,
            StartWord::CavalryBattle => Start::Cavalry,
            StartWord::Off => Start::Out,
        }
    }

    /// §6.2 A printed set-up may not be overstacked, and no hex holds both sides. On the first day who has no
    /// room begins beside his hex (§9.2).
    pub(super) fn check_stacks(
        &mut self,
        setup: SetupWord,
        starts: &[Start],
        cards: &[Card],
        limit: &[u8],
    ) {
        let mut held: BTreeMap<HexId, Vec<Side>> = BTreeMap::new();
        for (start, card) in starts.iter().zip(cards) {
            if let Start::At(hex, _) = start {
                held.entry(*hex).or_default().push(card.side);
            }
        }
        for (hex, sides) in held {
            let label = self.input.board.label(hex);
            let most = usize::from(limit[usize::from(hex.0)]);
            let message = if sides.len() > most && setup != SetupWord::Campaign {
                format!(
                    "{label} begins with {} blocks and holds {most}",
                    sides.len()
                )
            } else if sides.iter().any(|side| *side != sides[0]) {
                format!("{label} begins with blocks of both sides")
            } else {
                continue;
            };
            self.wrong(SCENARIO, "setup", message);
        }
    }

    /// How points become a verdict (§9.1).
    pub(super) fn scale(&mut self, files: &Files) -> Scale {
        let scenario = &files.scenario;
        let mut scales = files.map.scales.iter().chain(&files.tables.scales);
        let known = scales.clone().map(|(name, _)| name.as_str());
        let Some((_, line)) = scales.find(|(name, _)| **name == scenario.scale) else {
            self.unknown(SCENARIO, "scale", ("scale", &scenario.scale), known);
            return Scale {
                first_wins: 10,
                second_wins: 0,
            };
        };
        Scale {
            first_wins: line.wins.0,
            second_wins: line.loses_below.0,
        }
    }

    /// The last hours of the days that are judged on the way (§9.5).
    pub(super) fn judged(&mut self, scenario: &ScenarioFile) -> Vec<u16> {
        let lines = scenario.judged.iter().enumerate();
        lines
            .map(|(i, turn)| self.turn(SCENARIO, &format!("judged[{i}]"), turn))
            .collect()
    }
}
