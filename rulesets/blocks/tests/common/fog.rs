//! The proof that fog holds: whatever is behind it, a seat gets the same bytes.

use cupola_kernel::view::{Touch, View};
use cupola_kernel::{Act, Arg, Dice, Event, Game, HexId, Loose, Play, Seat, Seed, Side, UnitId};
use std::collections::{BTreeMap, BTreeSet};

/// What was looked at.
#[derive(Debug, Default)]
pub struct Proof {
    /// Positions, each seen by both players.
    pub positions: u64,
    /// Those in which something hidden was indeed dealt anew.
    pub changed: u64,
    /// Odds and refusals compared.
    pub answers: u64,
    /// Steps whose events and views were compared.
    pub steps: u64,
    /// Names of blocks in options and events that the seat knew.
    pub names: u64,
    /// Positions by the question that was open.
    pub questions: BTreeMap<&'static str, u64>,
}

/// Plays random games until so many positions were looked at.
pub fn prove(play: &Play, wanted: u64, seed: Seed) -> Result<Proof, String> {
    let mut proof = Proof::default();
    let mut number = 0;
    while proof.positions < wanted {
        let mut game = play.game(seed.nth(number)).map_err(|f| f.to_string())?;
        let mut dice = Loose::new(seed.nth(number).nth(1));
        let (mut other, mut one) = (game.fork(), game.fork());
        let mut ply = 0;
        while let Some(decision) = game.decision().filter(|_| proof.positions < wanted) {
            let act = eager(&game, decision.options, &mut dice);
            let side = decision.ask.side;
            for seat in Side::BOTH.map(Seat::Player) {
                let at = |why: String| format!("game {number}, ply {ply}, {seat:?}: {why}");
                other.copy_from(&game);
                let deal = seed
                    .nth(number << 20 | ply << 1 | u64::from(seat == Seat::Player(Side::First)));
                other.imagine(seat, deal).map_err(|f| at(f.to_string()))?;
                proof.changed += u64::from(other.hash() != game.hash());
                let probes = probes(&game, &mut dice);
                let (a, b) = (seen(&game, seat, &probes), seen(&other, seat, &probes));
                proof.answers += a.len() as u64;
                same(&a, &b).map_err(at)?;
                one.copy_from(&game);
                proof.steps += u64::from(step(&mut one, &mut other, seat, deal, act).map_err(at)?);
                one.copy_from(&game);
                proof.names += handles(&mut one, seat, act).map_err(at)?;
            }
            *proof.questions.entry(decision.ask.question).or_default() += 1;
            game.apply(side, act).map_err(|e| e.to_string())?;
            proof.positions += 1;
            ply += 1;
        }
        number += 1;
    }
    Ok(proof)
}

/// A random choice that passes less often than it could, so that there is fire and melee to look at.
fn eager(game: &Game, options: &[Act], dice: &mut Loose) -> Act {
    let mut roll = |n: usize| usize::from(dice.roll(n as u16, "act", Side::First.into())) - 1;
    let idle = ["done", "stay", "hold"];
    let busy: Vec<Act> = options
        .iter()
        .copied()
        .filter(|&act| !idle.contains(&game.name(act).split(' ').next().unwrap_or_default()))
        .collect();
    let fights = ["attack", "raid", "fire", "aim", "strike"];
    let fights: Vec<Act> = busy
        .iter()
        .copied()
        .filter(|&act| fights.contains(&game.name(act).split(' ').next().unwrap_or_default()))
        .collect();
    let from = match roll(8) {
        0..4 if !fights.is_empty() => &fights[..],
        0..6 if !busy.is_empty() => &busy[..],
        _ => options,
    };
    from[roll(from.len())]
}

/// Answers that name blocks and hexes at random, for refusals.
fn probes(game: &Game, dice: &mut Loose) -> Vec<Act> {
    let units = game.table().unit_count() as u16;
    let hexes = game.table().board().len() as u16;
    let mut roll = |n: u16| dice.roll(n, "probe", Side::First.into()) - 1;
    (0..10)
        .map(|verb| Act {
            verb,
            args: [
                Arg::Unit(UnitId(roll(units))),
                if roll(2) == 0 {
                    Arg::Hex(HexId(roll(hexes)))
                } else {
                    Arg::None
                },
                if roll(2) == 0 {
                    Arg::Hex(HexId(roll(hexes)))
                } else {
                    Arg::Unit(UnitId(roll(units)))
                },
            ],
        })
        .collect()
}

/// Everything that a seat can ask for now.
fn seen(game: &Game, seat: Seat, probes: &[Act]) -> Vec<String> {
    let mut all = vec![json(&game.view(seat))];
    if let Some(decision) = game.decision().filter(|_| game.is_asked(seat)) {
        let step = decision.options.len().div_ceil(6).max(1);
        for &act in decision.options.iter().step_by(step) {
            all.push(json(&game.preview(act)));
        }
        for &act in probes.iter().filter(|act| !decision.options.contains(act)) {
            all.push(format!("{} {}", game.name(act), game.why_not(act)));
        }
    }
    all
}

/// Takes the same step in both worlds; true if nothing was shown and both told the seat the same.
fn step(
    one: &mut Game,
    other: &mut Game,
    seat: Seat,
    seed: Seed,
    act: Act,
) -> Result<bool, String> {
    let Some(twin) = twin(one, other, seat, act) else {
        return Ok(false);
    };
    let mut told = vec![];
    for (game, act) in [(one, act), (other, twin)] {
        let side = game.decision().map(|decision| decision.ask.side);
        let side = side.ok_or("nothing is asked")?;
        game.reseed(seed);
        game.listen(true);
        let (_, shown) = game.luck();
        game.apply(side, act).map_err(|e| e.to_string())?;
        let (events, _) = game.take_events();
        game.listen(false);
        if game.luck().1 != shown {
            return Ok(false);
        }
        let known: Vec<Event> = events.into_iter().filter(|e| e.known_to(seat)).collect();
        told.push(vec![json(&known), json(&game.view(seat))]);
    }
    same(&told[0], &told[1]).map(|()| true)
}

/// The act in the other world that looks the same to a seat: a block that it does not know is exchanged for
/// one that it does not know either and that stands in its place there.
fn twin(one: &Game, other: &Game, seat: Seat, act: Act) -> Option<Act> {
    let options = other.decision()?.options;
    let known = names(&one.view(seat));
    // What is face up is the same in both worlds: such a block is nobody's twin but its own.
    debug_assert_eq!(known, names(&other.view(seat)));
    let hidden = act.args.iter().position(|arg| match arg {
        Arg::Unit(unit) => !known.contains(&one.table().info(*unit).id),
        _ => false,
    });
    let Some(Arg::Unit(unit)) = hidden.map(|at| act.args[at]) else {
        return options.contains(&act).then_some(act);
    };
    let (place, side) = (
        one.table().stacks().place(unit),
        one.table().info(unit).side,
    );
    let table = other.table();
    let stands = |other: &UnitId| {
        let info = table.info(*other);
        table.stacks().place(*other) == place && info.side == side && !known.contains(&info.id)
    };
    table.units().filter(stands).find_map(|unit| {
        let mut act = act;
        act.args[hidden?] = Arg::Unit(unit);
        options.contains(&act).then_some(act)
    })
}

/// No block that a seat does not know is named to it: not in options, not in what they touch, not in the
/// events of a step, whether something is shown by it or not.
fn handles(game: &mut Game, seat: Seat, act: Act) -> Result<u64, String> {
    let before = game.view(seat);
    let mut known = names(&before);
    let side = game.decision().map(|decision| decision.ask.side);
    let side = side.ok_or("nothing is asked")?;
    let mut count = 0;
    let options = before.decision.iter().flat_map(|d| &d.options);
    for touch in options.flat_map(|option| &option.touches) {
        if let Touch::Unit(id) = touch {
            count += 1;
            known
                .contains(id)
                .then_some(())
                .ok_or(format!("an option names {id}"))?;
        }
    }
    game.listen(true);
    game.apply(side, act).map_err(|error| error.to_string())?;
    let (events, _) = game.take_events();
    known.extend(names(&game.view(seat)));
    for event in events.iter().filter(|event| event.known_to(seat)) {
        for &unit in &event.units {
            let info = game.table().info(unit);
            count += 1;
            // A block that was face up during the step, and shown as such, may be named.
            let shown = shown_meanwhile(&events, unit);
            if !known.contains(&info.id) && !shown {
                return Err(format!("an event names {}: {}", info.id, event.text));
            }
        }
    }
    Ok(count)
}

/// Whether a block did something in a step for which it is face up, and was turned upright again.
fn shown_meanwhile(events: &[Event], unit: UnitId) -> bool {
    let kinds = [
        "fire",
        "strike",
        "activate",
        "muster",
        "withdrawn",
        "withdraw",
        "retreat",
        "regroup",
    ];
    let mut own = events.iter().filter(|event| event.units.contains(&unit));
    own.any(|event| kinds.contains(&event.kind))
}

/// The blocks that a view names.
fn names(view: &View) -> BTreeSet<String> {
    view.units
        .iter()
        .filter_map(|unit| unit.id.clone())
        .collect()
}

fn same(one: &[String], other: &[String]) -> Result<(), String> {
    if one.len() != other.len() {
        return Err("another number of answers".into());
    }
    match one.iter().zip(other).find(|(a, b)| a != b) {
        None => Ok(()),
        Some((a, b)) => {
            let at = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
            let around = |text: &str| -> String {
                text.chars().skip(at.saturating_sub(80)).take(160).collect()
            };
            Err(format!("…{}… or …{}…", around(a), around(b)))
        }
    }
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
