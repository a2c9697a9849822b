//! The cavalry battle beside the map (§10.0): who fights, when, and who stays off the map for it.

use super::files::{BattleLine, CavalryFile, SetupWord, StartWord};
use super::{Files, Loader};
use crate::rules::{Battle, Card, CavalryPlan, Entry, Start, Switches};
use cupola_data::Sourced;
use cupola_kernel::{BySide, UnitId};

const FILE: &str = "cavalry.ron";

impl Loader<'_> {
    /// The plan of the battles.
    pub(super) fn cavalry(&mut self, file: &CavalryFile, entries: &[Entry]) -> CavalryPlan {
        let mut absent = vec![];
        for (i, line) in file.absent.iter().enumerate() {
            if let Some(unit) = self.unit(FILE, &format!("absent[{i}].id"), &line.id) {
                absent.push((unit, line.from.0));
            }
        }
        if file.battles.len() != 2 {
            let message = format!("{} battles, expected 2", file.battles.len());
            self.wrong(FILE, "battles", message);
        }
        let battles = file.battles.iter().enumerate();
        let battles = battles
            .map(|(i, line)| self.battle(&format!("battles[{i}]"), line, entries))
            .collect();
        CavalryPlan {
            muster: self.turn(FILE, "muster", &file.muster.0),
            fight: self.turn(FILE, "fight", &file.fight.0),
            arrive: self.turn(FILE, "arrive", &file.arrive.0),
            battles,
            absent,
            missing: self.block("relief.missing", &file.relief.missing),
            relief: self.block("relief.brigade", &file.relief.brigade),
            relieved: self.block("relief.to", &file.relief.to),
            lent: (
                self.block("lent.brigade", &file.lent.brigade),
                self.block("lent.to", &file.lent.to),
            ),
            leaves: self.block("leaves.hq", &file.leaves.hq),
            leaves_on: self.turn(FILE, "leaves.turn", &file.leaves.turn.0),
        }
    }

    fn block(&mut self, field: &str, id: &str) -> UnitId {
        self.unit(FILE, field, id).unwrap_or(UnitId(0))
    }

    fn battle(&mut self, field: &str, line: &BattleLine, entries: &[Entry]) -> Battle {
        let codes = self.by_side(FILE, &format!("{field}.roads"), &line.roads);
        let roads = codes.map(|codes| {
            BySide::from_fn(|side| {
                let field = format!("{field}.roads.{}", self.input.sides[side as usize].id);
                self.entry(FILE, &field, &codes[side].0, entries)
            })
        });
        let roads = roads.unwrap_or_default();
        let hq = self.block(&format!("{field}.hq"), &line.hq);
        Battle { hq, roads }
    }

    /// Keeps the cavalry off the map for its battle: in the campaign too those who fight it on Day 3, and
    /// with the switch the division that leaves. One brigade rides with another division.
    pub(super) fn keep_off(
        &mut self,
        files: &Files,
        switches: &Switches,
        plan: &CavalryPlan,
        cards: &mut [Card],
        starts: &mut [Start],
    ) {
        // A battle without a cavalry battle has none, whatever players have agreed on.
        if files.cavalry.is_none() {
            return;
        }
        if files.scenario.setup == SetupWord::Campaign {
            self.keep_campaign_off(files, switches, plan, cards, starts);
        }
        let (brigade, to) = plan.lent;
        cards[usize::from(brigade.0)].hq = Some(to);
    }

    fn keep_campaign_off(
        &mut self,
        files: &Files,
        switches: &Switches,
        plan: &CavalryPlan,
        cards: &[Card],
        starts: &mut [Start],
    ) {
        let counters = files.list.counters.iter().map(|block| &block.values.day3);
        let leaders = files.list.leaders.iter().map(|leader| &leader.values.day3);
        for (i, day3) in counters.chain(leaders).enumerate() {
            if matches!(day3, Some(Sourced(StartWord::CavalryBattle, _))) {
                starts[i] = Start::Cavalry;
            }
            let leaves = cards[i].hq == Some(plan.leaves) || UnitId(i as u16) == plan.leaves;
            if leaves && switches.leavers_kept_off && starts[i] != Start::Cavalry {
                starts[i] = Start::Out;
            }
        }
    }
}
