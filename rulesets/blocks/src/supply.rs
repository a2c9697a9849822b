//! §8 The supply phase, by day from headquarters and at night from the pikes; fallen division
//! headquarters are rebuilt (§4.61).

use crate::chain;
use crate::command::{activate, posts, why_not_post};
use crate::field::{frontline, label, name, put, room, rules, stand_upright, tell};
use crate::promise;
use crate::rules::{Kind, Level};
use crate::state::{Block, Chosen, Hexes, Supplies, army, boxes, flag};
use cupola_kernel::{
    Act, Acts, Ask, Check, Event, Fault, HexId, Needs, Options, Outlook, Phase, Place, Promise,
    Refusal, Step, Table, UnitId, acts, forbid, require, rule,
};

acts! {
    /// Answers in the supply phase.
    pub enum Do {
        /// Activate this headquarters for supply.
        Pick(hq: UnitId) = "hq",
        /// It is activated here.
        At(hq: UnitId, hex: HexId) = "at",
        /// Add a step to this block.
        Supply(unit: UnitId) = "supply",
        /// Nothing more from this headquarters, or from any.
        Done = "done",
    }
}

/// Whether a headquarters may be activated for supply (§8.1).
fn may_activate(t: &Table, unit: UnitId, block: &Block) -> Check {
    let card = rules(t).card(unit);
    require(card.side == t.active(), rule!("8.1"), "is not yours")?;
    let gives = card.is_hq() || chain::range(t, unit) > 0;
    require(gives, rule!("8.1"), "is no headquarters")?;
    require(t.hex(unit).is_some(), rule!("8.1"), "is not on the map")?;
    forbid(block.has(flag::SUPPLYING), rule!("8.1"), "has given supply")?;
    forbid(
        block.has(flag::SUPPLIED),
        rule!("8.3"),
        "got supply in this phase",
    )?;
    // A brigade does not give its last step away.
    let least = u8::from(!card.is_hq());
    require(block.steps > least, rule!("4.3"), "has no step left")
}

/// Every headquarters that may be activated, in order: [`may_activate`] without the words.
fn givers(t: &Table) -> impl Iterator<Item = UnitId> {
    let (rules, army, stacks) = (rules(t), army(t), t.stacks());
    let all = match rules.switches.brigades_supply {
        true => &rules.own,
        false => &rules.headquarters,
    };
    all[t.active()].iter().copied().filter(move |&unit| {
        let (block, hq) = (army.of(unit), rules.card(unit).is_hq());
        let idle = !block.has(flag::SUPPLYING | flag::SUPPLIED) && stacks.hex(unit).is_some();
        let gives = idle && block.steps > u8::from(!hq) && (hq || chain::range(t, unit) > 0);
        debug_assert_eq!(gives, may_activate(t, unit, block).is_ok());
        gives
    })
}

/// What a step costs where a block stands (§8.3).
pub fn cost(t: &Table, unit: UnitId) -> u8 {
    let side = rules(t).card(unit).side;
    1 + u8::from(t.hex(unit).is_some_and(|hex| frontline(t, side, hex)))
}

/// Whether a block may get a step, by day or night, as far as range and line go (§8.3, §8.4).
fn may_receive(t: &Table, unit: UnitId, block: &Block, reached: bool) -> Check {
    let (card, supplies) = (rules(t).card(unit), t.res::<Supplies>());
    require(card.side == t.active(), rule!("8.2"), "is not yours")?;
    require(t.hex(unit).is_some(), rule!("8.3"), "is not on the map")?;
    if let Some(hq) = supplies.hq {
        require(
            chain::supplies(t, hq, unit),
            rule!("8.2"),
            "is not supplied by that headquarters",
        )?;
        forbid(
            block.has(flag::SUPPLYING),
            rule!("8.3"),
            "gives supply itself",
        )?;
        forbid(block.has(flag::SUPPLIED), rule!("8.3"), "has got its step")?;
        require(reached, rule!("8.3"), "is out of command range")?;
    } else {
        require(t.is_night(), rule!("8.1"), "no headquarters gives supply")?;
        require(reached, rule!("8.4"), "has no supply line")?;
    }
    require(block.steps < card.max, rule!("8.3"), "is at full strength")?;
    require(
        cost(t, unit) <= supplies.points,
        rule!("8.3"),
        "costs more points than are left",
    )
}

/// Where a headquarters that gives supply stands: none is off the map.
fn seat(t: &Table, hq: UnitId) -> HexId {
    t.hex(hq).unwrap_or(HexId(0))
}

/// Calls `then` with the hexes that supply reaches: a range from a headquarters, or any distance from the
/// pike at night (§8.3, §8.4).
fn reached<R>(t: &Table, then: impl FnOnce(&[u8]) -> R) -> R {
    let side = t.active();
    match t.res::<Supplies>().hq {
        Some(hq) => chain::within(t, side, seat(t, hq), chain::range(t, hq), then),
        None => {
            let source = rules(t).source[side];
            let cut = crate::field::hostile(t, side, source);
            chain::within(t, side, source, if cut { 0 } else { u8::MAX - 1 }, |far| {
                if cut {
                    then(&vec![u8::MAX; far.len()])
                } else {
                    then(far)
                }
            })
        }
    }
}

/// Those of the side whom supply would help if it reached them, and where: [`may_receive`] without the words. Most
/// are at full strength, have got their step, or stand too far away however the line goes.
fn needy(t: &Table) -> Vec<(UnitId, HexId)> {
    let (rules, army, stacks) = (rules(t), army(t), t.stacks());
    let (side, Supplies { hq, points, .. }) = (t.active(), *t.res::<Supplies>());
    // Every step costs something.
    if points == 0 {
        return vec![];
    }
    let near = &t.res::<Hexes>().near[side.other() as usize];
    let giver = hq.map(|hq| (hq, seat(t, hq), u32::from(chain::range(t, hq))));
    let barred = match hq {
        Some(_) => flag::SUPPLYING | flag::SUPPLIED,
        None => 0,
    };
    let mut found = vec![];
    for &unit in &rules.own[side] {
        let block = army.of(unit);
        if block.steps >= rules.card(unit).max || block.has(barred) {
            continue;
        }
        let Some(hex) = stacks.hex(unit) else {
            continue;
        };
        let price = 1 + u8::from(near[hex.index()] > 0);
        let given = giver.is_none_or(|(hq, from, range)| {
            t.board().distance(from, hex) <= range && chain::supplies(t, hq, unit)
        });
        if price <= points && given {
            found.push((unit, hex));
        }
    }
    found
}

fn receivers(t: &Table, mut found: impl FnMut(UnitId)) {
    let needy = needy(t);
    if needy.is_empty() {
        return;
    }
    reached(t, |far| {
        for (unit, hex) in needy {
            let near = far[hex.index()] != u8::MAX;
            debug_assert_eq!(near, may_receive(t, unit, t.get(unit), near).is_ok());
            if near {
                found(unit);
            }
        }
    });
}

fn supply(t: &mut Table, unit: UnitId) {
    let price = cost(t, unit);
    t.res_mut::<Supplies>().points -= price;
    let night = t.res::<Supplies>().hq.is_none();
    let block = t.get_mut::<Block>(unit);
    block.steps += 1;
    if !night {
        block.flags |= flag::SUPPLIED;
    }
    let side = rules(t).card(unit).side;
    t.say(|t| {
        Event::new(
            "supply",
            rule!("8.3"),
            format!("{} gains a step", name(t, unit)),
        )
        .unit(unit)
        .only(side)
    });
}

/// The headquarters that gives supply has given enough: it pays its step (§8.1).
fn close(t: &mut Table, hq: UnitId) {
    let block = t.get_mut::<Block>(hq);
    block.steps = block.steps.saturating_sub(1);
    *t.res_mut::<Supplies>() = Supplies::default();
}

/// §4.61 Fallen division headquarters come back where their corps, or else the army, is led from.
fn rebuild(t: &mut Table) {
    let side = t.active();
    let fallen: Vec<UnitId> = t
        .stacks()
        .boxed(boxes::FALLEN)
        .filter(|&unit| rules(t).card(unit).side == side)
        .collect();
    for unit in fallen {
        debug_assert_eq!(rules(t).card(unit).kind, Kind::Hq(Level::Division));
        let chief = rules(t)
            .card(unit)
            .corps
            .and_then(|chief| chain::corps_hq(t, chief));
        let place = chief
            .or_else(|| chain::army_hq(t, side))
            .and_then(|hq| t.hex(hq));
        if let Some(hex) = place.filter(|&hex| room(t, side, hex)) {
            put(t, unit, Place::Hex(hex));
            t.reveal();
            tell(
                t,
                "rebuilt",
                rule!("4.61"),
                unit,
                None,
                Some(hex),
                "is rebuilt at",
            );
        }
    }
}

/// The supply phase.
pub struct SupplyPhase;

impl Phase for SupplyPhase {
    fn name(&self) -> &'static str {
        "supply"
    }

    fn verbs(&self) -> &'static [&'static str] {
        Do::VERBS
    }

    fn needs(&self) -> Needs {
        crate::ruleset::needs().player_turn()
    }

    fn enter(&self, t: &mut Table) -> Result<(), Fault> {
        stand_upright(t);
        rebuild(t);
        let (side, night) = (t.active(), t.is_night());
        let points = if night {
            rules(t).night.points[side]
        } else {
            0
        };
        *t.res_mut::<Supplies>() = Supplies {
            hq: None,
            points,
            night,
        };
        *t.res_mut::<Chosen>() = Chosen::default();
        Ok(())
    }

    fn next(&self, t: &mut Table) -> Result<Step, Fault> {
        let (chosen, supplies) = (t.res::<Chosen>(), t.res::<Supplies>());
        if chosen.closing {
            // Headquarters that gave supply stand upright again when the player turn ends.
            stand_upright(t);
            return Ok(Step::Done);
        }
        let question = if chosen.unit.is_some() {
            "deploy"
        } else if supplies.hq.is_some() || supplies.night {
            "supply"
        } else {
            "activate"
        };
        Ok(Step::ask(t.active(), question, "8.1"))
    }

    fn options(&self, t: &Table, _: Ask, out: &mut Options) -> Result<(), Fault> {
        let supplies = t.res::<Supplies>();
        if let Some(hq) = t.res::<Chosen>().unit {
            posts(t, hq, |hex| out.push(Do::At(hq, hex)));
            return Ok(());
        }
        if supplies.hq.is_some() || supplies.night {
            receivers(t, |unit| out.push(Do::Supply(unit)));
        } else {
            out.push_each(Do::Pick(UnitId(0)).act(), 0, givers(t));
        }
        out.push(Do::Done);
        Ok(())
    }

    fn take(&self, t: &mut Table, _: Ask, act: Act) -> Result<(), Fault> {
        match Do::from_act(act) {
            Some(Do::Pick(hq)) => t.res_mut::<Chosen>().unit = Some(hq),
            Some(Do::At(hq, hex)) => {
                activate(t, hq, hex, flag::SUPPLYING);
                let points = chain::range(t, hq);
                *t.res_mut::<Supplies>() = Supplies {
                    hq: Some(hq),
                    points,
                    night: false,
                };
            }
            Some(Do::Supply(unit)) => supply(t, unit),
            Some(Do::Done) => match t.res::<Supplies>().hq {
                Some(hq) => close(t, hq),
                None => t.res_mut::<Chosen>().closing = true,
            },
            None => return Err(Fault::Broken("not an answer of the supply phase".into())),
        }
        Ok(())
    }

    fn why_not(&self, t: &Table, _: Ask, act: Act) -> Refusal {
        let other = || Refusal::new(rule!("8.1"), "is not asked now");
        match Do::from_act(act) {
            Some(Do::Pick(hq)) => may_activate(t, hq, t.get(hq)).err().unwrap_or_else(other),
            Some(Do::At(hq, hex)) => why_not_post(t, hq, hex),
            Some(Do::Supply(unit)) => {
                let near = reached(t, |far| {
                    let hex = t.hex(unit);
                    hex.is_some_and(|hex| far[usize::from(hex.0)] != u8::MAX)
                });
                may_receive(t, unit, t.get(unit), near)
                    .err()
                    .unwrap_or_else(other)
            }
            _ => other(),
        }
    }

    fn text(&self, t: &Table, _: Ask, act: Act) -> String {
        match Do::from_act(act) {
            Some(Do::Pick(hq)) => format!("activate {} for supply", name(t, hq)),
            Some(Do::At(hq, hex)) => format!("{} supplies from {}", name(t, hq), label(t, hex)),
            Some(Do::Supply(unit)) => format!("a step for {}", name(t, unit)),
            Some(Do::Done) => "no more supply".into(),
            None => "?".into(),
        }
    }

    fn outlook(&self, t: &Table, _: Ask, act: Act) -> Outlook {
        let left = t.res::<Supplies>().points;
        match Do::from_act(act) {
            Some(Do::Supply(unit)) if may_receive(t, unit, t.get(unit), true).is_ok() => {
                let cost = cost(t, unit);
                Outlook::of(cost.into(), (left - cost).into(), vec![])
            }
            _ => Outlook::default(),
        }
    }

    fn promise(&self, t: &Table, _: Ask, act: Act) -> Option<Promise> {
        match Do::from_act(act)? {
            Do::Pick(hq) => promise::best(t, hq, promise::supply),
            Do::At(hq, hex) => Some(promise::supply(t, hq, hex)),
            Do::Supply(_) | Do::Done => None,
        }
    }

    fn prompt(&self, t: &Table, ask: Ask) -> String {
        let points = t.res::<Supplies>().points;
        match (ask.question, t.res::<Chosen>().unit) {
            ("deploy", Some(hq)) => format!("From where does {} supply?", name(t, hq)),
            ("supply", _) => format!("Who gets a step? {points} points are left"),
            _ => "Which headquarters gives supply?".into(),
        }
    }
}
