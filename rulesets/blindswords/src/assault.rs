//! §K Assault Combat: declared, met by withdrawal, fought, and what follows it.

use crate::acts::Do;
use crate::declare::{able, each_declaration, may_assault, may_declare, may_support};
use crate::engine::{Answer, Question, pop, push, swap};
use crate::field::{Field, label, name, names, occupy, rules, status_mut};
use crate::hits::{Retreats, shake};
use crate::melee::Storm;
use crate::rules::Kind;
use crate::shown::{fought, roll};
use crate::state::{Assault, Declared, Frame, Stack, Stage};
use crate::tables::{Clash, Effect};
use crate::units::Units;
use cupola_kernel::{
    Check, Event, Fault, Fight, HexId, Options, Refusal, Side, Table, UnitId, forbid, require, rule,
};

/// Cavalry that may still withdraw (§K-3).
fn withdrawing(field: Field, assault: &Assault) -> Units {
    field
        .units(assault.target)
        .minus(assault.stands)
        .filter(|unit| {
            field.card(unit).kind == Kind::Horse
                && !field.status(unit).frozen
                && !Retreats::of(field, unit, assault.from).hexes().is_empty()
        })
}

/// Units that may break through now (§K-9).
fn advancing(field: Field, assault: &Assault) -> Units {
    let there = field.units(assault.target);
    // Vacant but for those who have come already.
    if !there.minus(assault.through).is_empty() {
        return Units::NONE;
    }
    let home = field.units(assault.from).and(assault.main);
    if home.is_empty() && assault.through.is_empty() {
        return Units::NONE;
    }
    let taken = field.strength(assault.through);
    let fits = |unit: UnitId| {
        let limit = if field.mounted(unit) { 2 } else { 1 };
        let alone = assault.through.is_empty();
        field.status(unit).broke_through < limit
            && (alone || taken + field.sp(unit) <= field.rules.charts.stacking.breakthrough)
    };
    let first = home.filter(fits);
    if !first.is_empty() || assault.through.is_empty() {
        return first;
    }
    assault.support.filter(|unit| {
        let near = field
            .t
            .hex(unit)
            .is_some_and(|hex| field.rules.edge(hex, assault.target).is_some());
        near && fits(unit)
    })
}

/// Whether those who broke through may attack a hex next to theirs (§K-9). One assault a hex and phase (§K-1)
/// holds for them too, unless the switch says otherwise.
fn may_go_on(field: Field, assault: &Assault, hex: HexId) -> Check {
    let side = attacker(field.t, assault);
    require(
        field.rules.edge(assault.target, hex).is_some() && field.holder(hex) == Some(side.other()),
        rule!("K-9"),
        "no enemy is there, next to those who broke through",
    )?;
    let stack = field.t.res::<Stack>();
    let once = field.rules.switches.one_assault_per_hex
        && (stack.assaulted.contains(&hex)
            || stack.declared.iter().any(|attack| attack.target == hex));
    forbid(
        once,
        rule!("K-1"),
        "the hex is the target of another assault of this phase",
    )
}

/// Enemy hexes that those who broke through may attack at once.
fn further(field: Field, assault: &Assault) -> Vec<HexId> {
    if assault.through.and(field.units(assault.target)).is_empty() {
        return vec![];
    }
    let mut hexes: Vec<HexId> = field
        .rules
        .around(assault.target)
        .filter(|&hex| may_go_on(field, assault, hex).is_ok())
        .collect();
    hexes.sort_unstable();
    hexes
}

/// Who can still make an assault that was declared: those in the assault hex, and supporters next to the
/// target. None if it lapses: nobody is left to make it, or friends have taken the hex meanwhile.
fn muster(field: Field, attack: &Declared) -> Option<(Units, Units)> {
    let able = |unit: UnitId| may_assault(field, unit).is_ok();
    let main = attack.main.and(field.units(attack.from)).filter(able);
    let near = |hex: HexId| field.rules.edge(hex, attack.target).is_some();
    let support = attack
        .support
        .filter(|unit| field.t.hex(unit).is_some_and(near) && able(unit));
    let side = field.card(main.first()?).side;
    (field.holder(attack.target) != Some(side)).then_some((main, support))
}

/// Declared assaults that can still be made, by their place in the list.
fn open_assaults(t: &Table) -> impl Iterator<Item = usize> + '_ {
    let field = Field::new(t);
    let declared = t.res::<Stack>().declared.iter().enumerate();
    declared
        .filter(move |(_, attack)| muster(field, attack).is_some())
        .map(|(i, _)| i)
}

fn attacker(t: &Table, assault: &Assault) -> Side {
    assault
        .main
        .first()
        .map_or(Side::First, |unit| rules(t).card(unit).side)
}

/// What the frames of assaults ask.
pub fn ask(t: &Table, frame: &Frame) -> Question {
    let field = Field::new(t);
    match frame {
        Frame::Declare(side, active) => {
            let mut any = false;
            each_declaration(t, *active, |_| any = true);
            any.then_some((*side, "assault", "K-1"))
        }
        Frame::Resolve(side) => (open_assaults(t).count() > 1).then_some((*side, "resolve", "K")),
        Frame::Assault(assault) => {
            let side = attacker(t, assault);
            match assault.stage {
                Stage::Withdraw => (!withdrawing(field, assault).is_empty()).then_some((
                    side.other(),
                    "withdraw",
                    "K-3",
                )),
                Stage::Roll => None,
                Stage::Through => {
                    (!advancing(field, assault).is_empty()).then_some((side, "breakthrough", "K-9"))
                }
                Stage::Again => {
                    (!further(field, assault).is_empty()).then_some((side, "again", "K-9"))
                }
            }
        }
        _ => None,
    }
}

/// Goes on where nothing is asked.
pub fn go(t: &mut Table, frame: Frame) -> Result<(), Fault> {
    match frame {
        Frame::Declare(side, _) => swap(t, Frame::Resolve(side)),
        Frame::Resolve(_) => {
            let next = open_assaults(t).next();
            match next {
                Some(at) => begin(t, at),
                None => pop(t),
            }
        }
        Frame::Assault(assault) => return go_on(t, assault),
        Frame::Close(unit, modifier, cr, by) => close_fight(t, unit, modifier, cr, by),
        _ => pop(t),
    }
    Ok(())
}

/// Begins the assault at this place in the list of those declared.
fn begin(t: &mut Table, at: usize) {
    let attack = t.res_mut::<Stack>().declared.remove(at);
    if let Some((main, support)) = muster(Field::new(t), &attack) {
        launch(t, attack.from, attack.target, main, support);
    }
}

/// An assault by an event: whoever makes it may break through anew (§K-9).
pub fn launch_alone(t: &mut Table, from: HexId, target: HexId, units: Units) {
    units
        .into_iter()
        .for_each(|unit| status_mut(t, unit).broke_through = 0);
    t.res_mut::<Stack>().assaulted.clear();
    launch(t, from, target, units, Units::NONE);
}

/// Puts an assault on the stack.
fn launch(t: &mut Table, from: HexId, target: HexId, main: Units, support: Units) {
    t.res_mut::<Stack>().assaulted.push(target);
    push(
        t,
        Frame::Assault(Assault {
            from,
            target,
            main,
            support,
            stands: Units::NONE,
            stage: Stage::Withdraw,
            through: Units::NONE,
        }),
    );
}

fn go_on(t: &mut Table, assault: Assault) -> Result<(), Fault> {
    let stage = |stage| Frame::Assault(Assault { stage, ..assault });
    match assault.stage {
        Stage::Withdraw => swap(t, stage(Stage::Roll)),
        Stage::Roll => return clash(t, assault),
        Stage::Through if assault.through.is_empty() => pop(t),
        Stage::Through => are_through(t, assault),
        Stage::Again => pop(t),
    }
    Ok(())
}

/// The breakthrough is over: the Rebel Yell carries nobody farther.
fn are_through(t: &mut Table, assault: Assault) {
    let units = assault.through.into_iter();
    units.for_each(|unit| status_mut(t, unit).yelling = false);
    let stage = Stage::Again;
    swap(t, Frame::Assault(Assault { stage, ..assault }));
}

/// The dice and what they do (§K-7, §K-8).
fn clash(t: &mut Table, assault: Assault) -> Result<(), Fault> {
    let field = Field::new(t);
    let main = assault.main.and(field.units(assault.from));
    let defenders = field.units(assault.target);
    let through = Frame::Assault(Assault {
        stage: Stage::Through,
        ..assault
    });
    if main.is_empty() || defenders.is_empty() {
        swap(t, through);
        return Ok(());
    }
    let storm = Storm::new(field, main, assault.support, assault.from, assault.target);
    let fight = storm.fight(field);
    let Some((code, doubles)) = fought(t, "assault", &fight, 2)? else {
        return Ok(());
    };
    swap(t, through);
    let result = rules(t).charts.matrix[usize::from(code / 6) % 6][usize::from(code % 6)];
    t.say(|t| {
        let text = format!(
            "{} assault {}: {result}",
            names(t, main.or(assault.support)),
            label(t, assault.target)
        );
        Event::new("assault", rule!("K-8"), text)
            .units(main)
            .hexes([assault.from, assault.target])
    });
    push(t, Frame::Aftermath(assault.target, assault.from, false));
    push(t, Frame::Aftermath(assault.from, assault.target, false));
    match result {
        Clash::Attacker(effect) => suffer(t, main, effect, assault.target),
        Clash::Defender(effect) => suffer(t, defenders, effect, assault.from),
        Clash::Close => {
            let by = |i: usize| doubles.get(i).copied().unwrap_or(0) as i8;
            // A double works on the other side's dice.
            let theirs = (defenders, by(0), assault.from);
            close(t, theirs, (main.or(assault.support), by(1), assault.target));
        }
    }
    Ok(())
}

fn suffer(t: &mut Table, units: Units, effect: Effect, by: HexId) {
    let all: Vec<UnitId> = units.collect();
    all.into_iter()
        .rev()
        .for_each(|unit| push(t, Frame::Suffer(unit, effect, by, units)));
}

/// A close fight: each unit rolls for itself, the defenders first. Both sides roll at once (§K-7), so all are
/// rated before anybody's result is applied, unless the switch says otherwise.
fn close(t: &mut Table, defenders: (Units, i8, HexId), attackers: (Units, i8, HexId)) {
    let field = Field::new(t);
    let at_once = field.rules.switches.close_fight_at_once;
    let mut frames = vec![];
    for (units, modifier, enemy) in [defenders, attackers] {
        for unit in units {
            let rated = at_once.then(|| field.cr(unit));
            frames.push(Frame::Close(unit, modifier, rated, enemy));
        }
    }
    frames.into_iter().rev().for_each(|frame| push(t, frame));
}

/// One unit in a close fight (§K-8).
fn close_fight(t: &mut Table, unit: UnitId, modifier: i8, rated: Option<i8>, by: HexId) {
    if t.hex(unit).is_none() {
        return pop(t);
    }
    let Some([die, ..]) = roll(t, 1, "close fight", unit) else {
        return;
    };
    let cr = rated.unwrap_or_else(|| Field::new(t).cr(unit));
    let total = die as i8 + modifier;
    t.say(|t| {
        let text = format!("close fight of {}: {total} against {cr}", name(t, unit));
        Event::new("close-fight", rule!("K-8"), text)
            .unit(unit)
            .number(total)
    });
    pop(t);
    match total.cmp(&cr) {
        // Confident: whoever holds is no longer shaken.
        std::cmp::Ordering::Less => status_mut(t, unit).shaken = false,
        std::cmp::Ordering::Equal => shake(t, unit, by),
        std::cmp::Ordering::Greater => {
            push(t, Frame::Suffer(unit, Effect::SHAKEN_RUN, by, Units::NONE))
        }
    }
}

/// Lists the answers.
pub fn options(t: &Table, frame: &Frame, out: &mut Options) {
    let field = Field::new(t);
    match frame {
        Frame::Declare(_, active) => {
            each_declaration(t, *active, |answer| out.push(answer));
            out.push(Do::Done);
        }
        Frame::Resolve(_) => {
            let declared = &t.res::<Stack>().declared;
            open_assaults(t).for_each(|at| out.push(Do::At(declared[at].target)));
        }
        Frame::Assault(assault) => match assault.stage {
            Stage::Withdraw => {
                withdrawing(field, assault).for_each(|unit| out.push(Do::Withdraw(unit)));
                out.push(Do::Done);
            }
            Stage::Roll => {}
            Stage::Through => {
                advancing(field, assault).for_each(|unit| out.push(Do::Advance(unit)));
                out.push(Do::Done);
            }
            Stage::Again => {
                further(field, assault)
                    .into_iter()
                    .for_each(|hex| out.push(Do::At(hex)));
                out.push(Do::Done);
            }
        },
        _ => {}
    }
}

/// Carries out an answer.
pub fn take(t: &mut Table, frame: Frame, answer: Do) -> Answer {
    match (frame, answer) {
        (Frame::Declare(_, active), Do::Assault(from, target)) => {
            let main = able(Field::new(t), active, from);
            let support = Units::NONE;
            t.res_mut::<Stack>().declared.push(Declared {
                from,
                target,
                main,
                support,
            });
        }
        (Frame::Declare(_, active), Do::Support(from, target)) => {
            let units = able(Field::new(t), active, from);
            let declared = &mut t.res_mut::<Stack>().declared;
            if let Some(attack) = declared.iter_mut().find(|attack| attack.target == target) {
                attack.support = attack.support.or(units);
            }
        }
        (Frame::Declare(side, _), Do::Done) => swap(t, Frame::Resolve(side)),
        (Frame::Resolve(_), Do::At(target)) => {
            let mut declared = t.res::<Stack>().declared.iter();
            let at = declared
                .position(|attack| attack.target == target)
                .ok_or_else(crate::engine::not_asked)?;
            begin(t, at);
        }
        (Frame::Assault(assault), answer) => return take_assault(t, assault, answer),
        _ => return Err(crate::engine::not_asked()),
    }
    Ok(())
}

/// An answer in the course of an assault.
fn take_assault(t: &mut Table, assault: Assault, answer: Do) -> Answer {
    match answer {
        Do::Withdraw(unit) => {
            swap(
                t,
                Frame::Assault(Assault {
                    stands: assault.stands.with(unit),
                    ..assault
                }),
            );
            let hexes = if Field::new(t).mounted(unit) { 3 } else { 2 };
            push(t, Frame::Withdraw(unit, hexes, assault.from));
        }
        Do::Advance(unit) => {
            swap(
                t,
                Frame::Assault(Assault {
                    through: assault.through.with(unit),
                    ..assault
                }),
            );
            status_mut(t, unit).broke_through += 1;
            occupy(t, unit, assault.target);
            t.say(|t| {
                Event::new(
                    "breakthrough",
                    rule!("K-9"),
                    format!("{} breaks through", name(t, unit)),
                )
                .unit(unit)
                .hex(assault.target)
            });
        }
        Do::At(target) => {
            let (from, main) = (assault.target, assault.through);
            pop(t);
            launch(t, from, target, main, Units::NONE);
        }
        Do::Done => match assault.stage {
            Stage::Withdraw => swap(
                t,
                Frame::Assault(Assault {
                    stage: Stage::Roll,
                    ..assault
                }),
            ),
            Stage::Through if !assault.through.is_empty() => are_through(t, assault),
            _ => pop(t),
        },
        _ => return Err(crate::engine::not_asked()),
    }
    Ok(())
}

/// Why an answer is not on the list.
pub fn why_not(t: &Table, frame: &Frame, answer: Do) -> Option<Refusal> {
    let (field, declared) = (Field::new(t), &t.res::<Stack>().declared);
    match (frame, answer) {
        (Frame::Declare(_, active), Do::Assault(from, target)) => {
            may_declare(field, *active, declared, from, target).err()
        }
        (Frame::Declare(_, active), Do::Support(from, target)) => {
            may_support(field, *active, declared, from, target).err()
        }
        (Frame::Assault(assault), Do::At(hex)) if assault.stage == Stage::Again => {
            may_go_on(field, assault, hex).err()
        }
        (Frame::Resolve(_), Do::At(_)) => Some(Refusal::new(
            rule!("K"),
            "no assault on that hex was declared, or nobody is left to make it, or friends hold it",
        )),
        _ => None,
    }
}

/// The fight that an answer leads to.
#[must_use]
pub fn leads_to(t: &Table, frame: &Frame, answer: Do) -> Option<Fight> {
    let field = Field::new(t);
    let declared = |target: HexId| {
        let mut all = t.res::<Stack>().declared.iter();
        all.find(|attack| attack.target == target)
    };
    let (main, support, from, target) = match (frame, answer) {
        (Frame::Declare(_, active), Do::Assault(from, target)) => {
            (able(field, *active, from), Units::NONE, from, target)
        }
        (Frame::Declare(_, active), Do::Support(from, target)) => {
            let attack = declared(target)?;
            let support = attack.support.or(able(field, *active, from));
            (attack.main, support, attack.from, target)
        }
        (Frame::Resolve(_), Do::At(target)) => {
            let attack = declared(target)?;
            let (main, support) = muster(field, attack)?;
            (main, support, attack.from, target)
        }
        (Frame::Assault(assault), Do::At(hex)) => {
            (assault.through, Units::NONE, assault.target, hex)
        }
        (Frame::Assault(assault), Do::Done) if assault.stage == Stage::Withdraw => (
            assault.main.and(field.units(assault.from)),
            assault.support,
            assault.from,
            assault.target,
        ),
        _ => return None,
    };
    let storm = Storm::new(field, main, support, from, target);
    (!main.is_empty() && !storm.defenders.is_empty()).then(|| storm.fight(field))
}

/// A question in words.
#[must_use]
pub fn prompt(t: &Table, frame: &Frame) -> String {
    match frame {
        Frame::Declare(..) => "Who assaults what?".into(),
        Frame::Resolve(_) => "Which assault is fought first?".into(),
        Frame::Assault(assault) => match assault.stage {
            Stage::Withdraw => format!(
                "{} is assaulted: does the cavalry withdraw?",
                label(t, assault.target)
            ),
            Stage::Roll => "The assault is rolled".into(),
            Stage::Through => format!("Who breaks through to {}?", label(t, assault.target)),
            Stage::Again => "Do they attack again?".into(),
        },
        _ => "?".into(),
    }
}
