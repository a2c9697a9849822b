//! blindswords as the kernel knows it.

use crate::chits::events_of;
use crate::field::rules;
use crate::rules::{Rules, Start};
use crate::state::{Affairs, Chits, Stack, Status, boxes};
use crate::{asking, common_terms, load, measure, position, sight, victory, view};
use cupola_cup::{Chit, Cup, Spot};
use cupola_data::Problems;
use cupola_kernel::{
    About, Arg, Ask, Bounds, Change, Chart, CommandRange, DerivedFile, Deriving, Dice, Env, Fact,
    HexId, Input, LineOfSight, Loaded, Needs, Place, PositionFile, Posting, Prize, Ruleset, Schema,
    Seat, Setup, Side, Spell, Standing, Table, UnitId, Until, View, Walked, Whereabouts,
};

/// The ruleset.
pub struct BlindSwords;

/// What its phases and combat systems read: its own tables and state.
pub(crate) fn needs() -> Needs {
    Needs::nothing()
        .rules::<Rules>()
        .state(|schema| BlindSwords.register(schema))
}

impl Ruleset for BlindSwords {
    fn name(&self) -> &'static str {
        "blindswords"
    }

    fn version(&self) -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    fn sides(&self) -> Option<[&'static str; 2]> {
        Some(["us", "cs"])
    }

    fn register(&self, schema: &mut Schema) {
        schema
            .unit::<Status>()
            .resource::<Chits>()
            .resource::<Affairs>()
            .resource::<Stack>();
    }

    fn load(&self, input: &Input) -> Result<Loaded, Problems> {
        load::load(input)
    }

    fn setup(&self, t: &mut Setup) {
        let starts = rules(t).starts.clone();
        for start in &starts {
            t.spawn(
                if *start == Start::Out {
                    boxes::OUT
                } else {
                    boxes::TRACK
                },
                // Union cavalry begins dismounted (§O).
                Status::default(),
            );
        }
        for (i, start) in starts.iter().enumerate() {
            let unit = UnitId(i as u16);
            match start {
                Start::Hex(hex) => t.place(unit, Place::Hex(*hex)),
                Start::Option(_) => t.place(unit, Place::Box(boxes::OUT)),
                Start::Due(_) | Start::Out => {}
            }
        }
        t.insert(Chits {
            cup: Cup::new(rules(t).chits.len()),
            ..Chits::default()
        });
        let mut affairs = Affairs::default();
        for prize in &rules(t).prizes {
            if prize.holder == Side::Second {
                let bits = prize.hexes.iter();
                affairs.control |= bits.fold(0, |bits, watch| bits | 1 << watch);
            }
        }
        // Everything else is the first side's, but what it would win by taking (§O-c, §O-e).
        if let Some(automatic) = &rules(t).automatic {
            affairs.control |= automatic
                .first
                .0
                .iter()
                .fold(0, |bits, watch| bits | 1 << watch);
        }
        t.insert(affairs);
        t.insert(Stack::default());
    }

    fn position(&self, t: &mut Setup, file: &PositionFile) -> Result<(), Problems> {
        position::apply(t, file)
    }

    fn position_keys(&self) -> Vec<String> {
        cupola_data::shape::<position::State>()
    }

    fn finish(&self, t: &mut Table) {
        victory::finish(t);
    }

    fn view(&self, t: &Table, seat: Seat, out: &mut View) {
        view::fill(t, seat, out);
    }

    fn shuffle_hidden(&self, t: &mut Table, seat: Seat, dice: &mut dyn Dice) -> bool {
        exchange_returned(t, seat, dice);
        for side in Side::BOTH {
            shuffle(t, side, seat.sees(side), dice);
        }
        true
    }

    fn standings(&self, t: &Table, out: &mut Vec<Standing>) {
        out.extend(common_terms::standings(t));
    }

    fn command_range(&self, t: &Table, unit: UnitId) -> Option<CommandRange> {
        measure::command_range(t, unit)
    }

    fn line_of_sight(&self, t: &Table, from: HexId, to: HexId) -> Option<LineOfSight> {
        sight::line_of_sight(t, from, to)
    }

    fn prizes(&self, t: &Table, out: &mut Vec<Prize>) {
        common_terms::prizes(t, out);
    }

    fn drawn(&self, t: &Table) -> u32 {
        t.res::<Chits>().shown.count_ones()
    }

    fn margin(&self, t: &Table) -> i32 {
        common_terms::margin(t)
    }

    fn charts(&self, env: &Env) -> Vec<Chart> {
        let rules = env.rules.downcast_ref::<Rules>();
        rules.map_or(vec![], crate::aids::charts)
    }

    fn ask(&self, t: &Table, what: &str, about: &[Arg]) -> Option<Fact> {
        cupola_kit::about_unit(t, what, about, asking::of_unit)
    }

    fn questions(&self) -> &'static [&'static str] {
        asking::QUESTIONS
    }

    fn walked(&self, table: &Table, ask: Ask) -> Option<Walked> {
        crate::walked::walked(table, ask)
    }

    fn spells(&self) -> Vec<Spell> {
        let marked = |t: &Table| {
            let lasts = |status: &Status| status.cheered || status.frozen || status.yelling;
            let unit = t.units().find(|&unit| lasts(t.get(unit)))?;
            Some(format!("{}: {:?}", t.info(unit).id, t.get::<Status>(unit)))
        };
        let under_way = |t: &Table| {
            let stack = t.res::<Stack>();
            let over = stack.frames.is_empty() && stack.declared.is_empty() && stack.dice.is_none();
            (!over).then(|| format!("{stack:?}"))
        };
        let friction = |t: &Table| {
            let waits = t.res::<Chits>().friction;
            waits.then(|| "friction waits for a chit".to_owned())
        };
        vec![
            Spell::new(
                "cheers, chaos and yells (§F-1, §F-2)",
                Until::TurnEnds,
                marked,
            ),
            Spell::new("what is under way", Until::TurnEnds, under_way),
            Spell::new("friction (§F-3)", Until::TurnEnds, friction),
        ]
    }

    fn derive(&self, from: &Deriving) -> Result<Vec<DerivedFile>, Problems> {
        crate::derive::derive(from)
    }

    fn posting(&self, order: &Posting) -> Vec<Change> {
        // §N The tutorial has starts of its own.
        let setup = order.word("scenario/setup");
        let tutorial = setup.as_deref() == Some("tutorial");
        let entry = if tutorial { "tutorial" } else { "entry" };
        if *order.whereabouts == Whereabouts::Absent {
            // The counter stays in the box: events and tables may still name it.
            let counter = format!("counters/{}", order.unit);
            let paths = [
                format!("{counter}/{entry}/turn"),
                format!("{counter}/enters"),
            ];
            let found = paths.into_iter().find(|path| order.has(path));
            let never = |path| Change::set(path, "\"never\"".to_owned());
            return found.map(never).into_iter().collect();
        }
        order.by_entry(entry, |at| format!("[{at:?}]"))
    }

    fn bounds(&self) -> Bounds {
        Bounds {
            decisions: 20_000,
            options: 700,
        }
    }
}

/// Lets another chit be the one that fortune put back into the cup, of those it could have been.
fn exchange_returned(t: &mut Table, seat: Seat, dice: &mut dyn Dice) {
    let chits = t.res_mut::<Chits>();
    let mut returned = std::mem::take(&mut chits.returned);
    for back in &mut returned {
        let known = Side::BOTH
            .into_iter()
            .any(|side| seat.sees(side) && back.known >> side as u8 & 1 == 1);
        if known || chits.cup.spot(back.chit) != Spot::Cup {
            continue;
        }
        let could = |chit: &Chit| {
            let out = matches!(chits.cup.spot(*chit), Spot::Used | Spot::Excluded);
            *chit == back.chit || (out && back.among >> chit.0 & 1 == 1)
        };
        let all: Vec<Chit> = (0..chits.cup.len() as u8).map(Chit).filter(could).collect();
        let other = all[dice.pick(all.len(), "imagined fortune", About::Game)];
        let spot = chits.cup.spot(other);
        chits.cup.put(back.chit, spot);
        chits.cup.put(other, Spot::Cup);
        back.chit = other;
    }
    chits.returned = returned;
}

/// Deals a side's unseen event chits anew over the places that they could be in. The side itself knows what
/// it chose and what it keeps; the opponent knows neither, only that what is kept can be kept.
fn shuffle(t: &mut Table, side: Side, own: bool, dice: &mut dyn Dice) {
    let chits = t.res::<Chits>();
    let unseen = |chit: &Chit| {
        let known = chits.shown >> chit.0 & 1 == 1 || (own && chits.chosen >> chit.0 & 1 == 1);
        let spots: &[Spot] = if own {
            &[Spot::Cup, Spot::Excluded]
        } else {
            &[Spot::Cup, Spot::Excluded, Spot::Held, Spot::Pool]
        };
        !known && spots.contains(&chits.cup.spot(*chit))
    };
    let mut cards: Vec<Chit> = events_of(t, side).filter(unseen).collect();
    let mut places: Vec<(Spot, bool)> = cards
        .iter()
        .map(|chit| (chits.cup.spot(*chit), chits.chosen >> chit.0 & 1 == 1))
        .collect();
    // What is kept must be a chit that can be kept: those places are dealt first.
    places.sort_by_key(|(spot, _)| *spot != Spot::Held);
    let mut dealt = vec![];
    for place in places {
        let fits = |chit: &&Chit| place.0 != Spot::Held || rules(t).chit(**chit).hold;
        let count = cards.iter().filter(fits).count();
        if count == 0 {
            return;
        }
        let nth = dice.pick(count, "imagined chit", About::Side(side));
        let chit = *cards.iter().filter(fits).nth(nth).unwrap_or(&cards[0]);
        cards.retain(|card| *card != chit);
        dealt.push((chit, place));
    }
    let chits = t.res_mut::<Chits>();
    for (chit, (spot, chosen)) in dealt {
        chits.cup.put(chit, spot);
        chits.chosen = chits.chosen & !(1 << chit.0) | u64::from(chosen) << chit.0;
    }
}
