//! Blocks and headquarters: their labels, their chain of command, their names.

use super::files::{BlockValues, HqValues, LevelWord, MovesWord, ScenarioFile, Tables};
use super::{List, Loader, side_of};
use crate::rules::{Card, Kind, Level};
use cupola_army::{Arm, Counter};
use cupola_kernel::{BySide, Input, Side, UnitId, UnitInfo};
use cupola_kit::SCENARIO;

impl Loader<'_> {
    /// The labels, blocks before headquarters, as the scenario attaches them.
    pub(super) fn cards(
        &mut self,
        list: &List,
        tables: &Tables,
        scenario: &ScenarioFile,
    ) -> Vec<Card> {
        let moves = |word: MovesWord| {
            let line = tables.moves.iter().find(|line| line.kind == word);
            line.map_or(0, |line| line.points.0)
        };
        let mut cards = vec![];
        for (i, counter) in list.counters.iter().enumerate() {
            let field = format!("counters[{i}].values.hq");
            let hq = self.unit("counters.ron", &field, &counter.values.hq);
            let side = self.side(
                "counters.ron",
                &format!("counters[{i}].side"),
                &counter.side,
            );
            cards.push(block_card(counter, side, hq, moves));
        }
        for (i, leader) in list.leaders.iter().enumerate() {
            let values = &leader.values;
            let field = format!("leaders[{i}].values.of");
            let of = values.of.as_deref();
            let of = of.and_then(|of| self.unit("counters.ron", &field, of));
            let side = self.side("counters.ron", &format!("leaders[{i}].side"), &leader.side);
            cards.push(hq_card(side, values, of, moves));
        }
        for (i, line) in scenario.attach.iter().enumerate() {
            let unit = self.unit(SCENARIO, &format!("attach[{i}].id"), &line.id);
            let to = self.unit(SCENARIO, &format!("attach[{i}].to"), &line.to);
            if let (Some(unit), Some(to)) = (unit, to) {
                cards[usize::from(unit.0)].hq = Some(to);
            }
        }
        link_corps(&mut cards, moves(MovesWord::CavalryHq));
        cards
    }

    /// Corps headquarters by seniority (§4.6).
    pub(super) fn seniority(&mut self, list: &List) -> BySide<Vec<UnitId>> {
        let (first, input) = (list.counters.len(), self.input);
        BySide::from_fn(|side| {
            let mut found: Vec<(u8, UnitId)> = list
                .leaders
                .iter()
                .enumerate()
                .filter(|(_, leader)| side_of(input, &leader.side) == side)
                .filter_map(|(i, leader)| {
                    let rank = leader.values.seniority.as_ref()?.0;
                    Some((rank, UnitId((first + i) as u16)))
                })
                .collect();
            found.sort_unstable();
            found.into_iter().map(|(_, unit)| unit).collect()
        })
    }

    /// Who follows a fallen corps commander (§4.61): the senior division first, then the others.
    pub(super) fn successors(&mut self, list: &List, cards: &[Card]) -> Vec<(UnitId, Vec<UnitId>)> {
        let mut found = vec![];
        for (i, card) in cards.iter().enumerate() {
            if matches!(card.kind, Kind::Hq(Level::Corps | Level::Cavalry)) {
                let chief = UnitId(i as u16);
                let divisions = (0..cards.len() as u16).map(UnitId).filter(|&unit| {
                    let card = &cards[usize::from(unit.0)];
                    card.kind == Kind::Hq(Level::Division) && card.corps == Some(chief)
                });
                found.push((chief, divisions.collect::<Vec<_>>()));
            }
        }
        for (i, leader) in list.leaders.iter().enumerate() {
            let Some(second) = &leader.values.second else {
                continue;
            };
            let field = format!("leaders[{i}].values.second");
            let second = self.unit("counters.ron", &field, &second.0);
            let chief = self.unit("counters.ron", &field, &leader.id);
            let (Some(chief), Some(second)) = (chief, second) else {
                continue;
            };
            if let Some((_, line)) = found.iter_mut().find(|(unit, _)| *unit == chief) {
                line.retain(|unit| *unit != second);
                line.insert(0, second);
            }
        }
        found
    }
}

fn block_card(
    counter: &Counter<BlockValues>,
    side: Side,
    hq: Option<UnitId>,
    moves: impl Fn(MovesWord) -> u8,
) -> Card {
    let values = &counter.values;
    let (kind, word) = match counter.kind {
        Arm::Cavalry => (Kind::Cavalry, MovesWord::Cavalry),
        Arm::Artillery => (Kind::Artillery, MovesWord::Artillery),
        Arm::HorseArtillery => (Kind::HorseArtillery, MovesWord::HorseArtillery),
        _ => (Kind::Infantry, MovesWord::Infantry),
    };
    let fire = values.rating.0.fire;
    Card {
        kind,
        side,
        max: values.max.0,
        letter: values.rating.0.letter as u8,
        fire,
        long: values.long.as_ref().map_or(0, |long| long.0),
        melee: values.melee.as_ref().map_or(fire, |melee| melee.0),
        moves: moves(word),
        range: 0,
        hq,
        corps: None,
        asset: values.asset,
        free: values.independent.as_ref().is_some_and(|free| free.0),
    }
}

fn hq_card(
    side: Side,
    values: &HqValues,
    of: Option<UnitId>,
    moves: impl Fn(MovesWord) -> u8,
) -> Card {
    let level = match values.level {
        LevelWord::Army => Level::Army,
        LevelWord::Corps => Level::Corps,
        LevelWord::Division => Level::Division,
        LevelWord::Artillery => Level::Artillery,
        LevelWord::Cavalry => Level::Cavalry,
    };
    Card {
        kind: Kind::Hq(level),
        side,
        max: values.max.0,
        letter: values.rating.0.letter as u8,
        fire: values.rating.0.fire,
        long: 0,
        melee: values.rating.0.fire,
        moves: moves(MovesWord::Hq),
        range: values.range.0,
        hq: of,
        corps: None,
        asset: false,
        free: false,
    }
}

/// Finds the corps of every block by its chain of command, and who rides with the cavalry (§3.21).
fn link_corps(cards: &mut [Card], mounted: u8) {
    for i in 0..cards.len() {
        let mut at = Some(UnitId(i as u16));
        for _ in 0..3 {
            let Some(unit) = at else { break };
            let card = cards[usize::from(unit.0)];
            if matches!(card.kind, Kind::Hq(Level::Corps | Level::Cavalry)) {
                cards[i].corps = Some(unit);
                break;
            }
            at = card.hq;
        }
        let rides = cards[i]
            .corps
            .is_some_and(|unit| cards[usize::from(unit.0)].kind == Kind::Hq(Level::Cavalry));
        if cards[i].is_hq() && rides {
            cards[i].moves = mounted;
        }
    }
}

/// The numbers of the blocks that fit, by side.
pub(super) fn select(cards: &[Card], fits: impl Fn(&Card) -> bool) -> BySide<Vec<UnitId>> {
    BySide::from_fn(|side: Side| {
        let all = cards.iter().enumerate();
        all.filter(|(_, card)| card.side == side && fits(card))
            .map(|(i, _)| UnitId(i as u16))
            .collect()
    })
}

/// The numbers of the guns of both sides.
pub(super) fn guns(cards: &[Card]) -> Vec<UnitId> {
    let all = cards.iter().enumerate();
    all.filter(|(_, card)| card.is_guns())
        .map(|(i, _)| UnitId(i as u16))
        .collect()
}

/// Names for people: headquarters in capitals, and no two alike.
pub(super) fn infos(list: &List, input: &Input) -> Vec<UnitInfo> {
    let army = input.army;
    let counters = list.counters.iter().map(|counter| {
        let twins = list
            .counters
            .iter()
            .filter(|other| other.side == counter.side && other.name == counter.name);
        let name = if twins.count() > 1 && counter.kind != Arm::Infantry {
            format!("{} ({})", counter.name, counter.kind)
        } else {
            counter.name.clone()
        };
        let nodes = || counter.nodes.iter().filter_map(|node| army.get(node));
        UnitInfo {
            id: counter.id.clone(),
            name,
            side: side_of(input, &counter.side),
            kind: counter.kind.to_string(),
            nodes: counter.nodes.clone(),
            men: nodes().map(|node| army.men(node)).sum(),
            guns: nodes().map(|node| army.guns(node).total()).sum(),
        }
    });
    let leaders = list.leaders.iter().map(|leader| UnitInfo {
        id: leader.id.clone(),
        name: leader.name.to_uppercase(),
        side: side_of(input, &leader.side),
        kind: "headquarters".into(),
        nodes: vec![],
        men: 0,
        guns: 0,
    });
    counters.chain(leaders).collect()
}
