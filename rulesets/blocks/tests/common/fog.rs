//! The proof that fog holds: whatever is behind it, a seat gets the same bytes.
//!
//! Every position is compared with another world, in which hidden blocks have changed places and strengths:
//! view, options and their texts, odds, refusals. Then the same step is taken in both worlds, and what the
//! seat gets of it is compared: events in their order, dice, view, and whether it can be taken back. What the
//! step shows must show; so the blocks that it shows are held when the other world is dealt.

#[path = "bent.rs"]
pub mod bent;

use bent::{holding, spot};
use cupola_blocks::state::Wounds;
use cupola_kernel::view::{Touch, View};
use cupola_kernel::{Act, Arg, Dice, Event, Game, HexId, Loose, Play, Seat, Seed, Side, UnitId};
use std::collections::{BTreeMap, BTreeSet};

/// Everybody who may look on without knowing all.
const SEATS: [Seat; 3] = [
    Seat::Player(Side::First),
    Seat::Player(Side::Second),
    Seat::Observer,
];

/// What was looked at.
#[derive(Debug, Default)]
pub struct Proof {
    /// Positions, each seen by both players and by an observer.
    pub positions: u64,
    /// Pairs of worlds that were compared.
    pub worlds: u64,
    /// Those in which something hidden was indeed dealt anew.
    pub changed: u64,
    /// Views, odds and refusals compared.
    pub answers: u64,
    /// Steps whose events, dice and views were compared.
    pub steps: u64,
    /// Steps that showed something, compared or not.
    pub shown: u64,
    /// Steps that showed something else in the other world, or could not be taken there.
    pub apart: u64,
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
        let mut worlds = [game.fork(), game.fork()];
        let mut ply = 0;
        while let Some(decision) = game.decision().filter(|_| proof.positions < wanted) {
            let act = eager(&game, decision.options, &mut dice);
            let side = decision.ask.side;
            let probes = probes(&game, &mut dice);
            for (i, seat) in SEATS.into_iter().enumerate() {
                let deal = seed.nth(number << 22 | ply << 2 | i as u64);
                compare(&game, &mut worlds, (seat, deal), &probes, act, &mut proof)
                    .map_err(|why| format!("game {number}, ply {ply}, {seat:?}: {why}"))?;
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

/// Compares a position and a step from it with what they could be as well for a seat.
fn compare(
    game: &Game,
    [one, other]: &mut [Game; 2],
    (seat, deal): (Seat, Seed),
    probes: &[Act],
    act: Act,
    proof: &mut Proof,
) -> Result<(), String> {
    other.copy_from(game);
    other.imagine(seat, deal).map_err(|f| f.to_string())?;
    proof.worlds += 1;
    proof.changed += u64::from(other.hash() != game.hash());
    let (a, b) = (seen(game, seat, probes), seen(other, seat, probes));
    proof.answers += a.len() as u64;
    same(&a, &b)?;
    one.copy_from(game);
    let taken = take(one, seat, deal, act)?;
    proof.names += handles(game, one, seat, &taken)?;
    let mut held = taken.shown.clone();
    let mut twin = None;
    // If nobody there could do it in the other world, whoever does it is held as well.
    for _ in 0..2 {
        other.copy_from(game);
        holding(&held, || other.imagine(seat, deal)).map_err(|f| f.to_string())?;
        same(&a[..1], &[json(&other.view(seat))])?;
        twin = twin_of(game, other, seat, act);
        if twin.is_some() {
            break;
        }
        held.extend(act.args.iter().filter_map(|arg| match arg {
            Arg::Unit(unit) => Some(*unit),
            _ => None,
        }));
    }
    let Some(twin) = twin else {
        proof.apart += 1;
        return Ok(());
    };
    match taken.like(&take(other, seat, deal, twin)?)? {
        true => proof.steps += 1,
        false => proof.apart += 1,
    }
    proof.shown += u64::from(!taken.shown.is_empty());
    Ok(())
}

/// What a seat gets of a step.
struct Taken {
    /// What is told: events in their order, the dice, the view afterwards.
    told: Vec<String>,
    /// The events, for those who may know all.
    events: Vec<Event>,
    /// Blocks that the step shows, or of which it shows the strength.
    shown: Vec<UnitId>,
    /// Whether anything was shown as far as the undo limit goes, and whether dice were rolled.
    luck: (bool, bool),
}

impl Taken {
    /// Whether the same was told in both worlds, and had to be: what is shown differs where blocks differ.
    fn like(&self, other: &Taken) -> Result<bool, String> {
        if self.told == other.told {
            let undo = "what can be taken back differs, and nothing else does";
            return (self.luck == other.luck).then_some(true).ok_or(undo.into());
        }
        // Something was shown, and it was something else there.
        let otherwise = self.shown != other.shown;
        // Whoever is rebuilt or withdrawn shows where others stood, without naming them (§4.61, §10.0).
        let placed = |taken: &Taken| {
            let kinds = ["rebuilt", "withdrawn"];
            taken.events.iter().any(|event| kinds.contains(&event.kind))
        };
        if (self.luck.0 || other.luck.0) && (otherwise || placed(self) || placed(other)) {
            return Ok(false);
        }
        same(&self.told, &other.told).map(|()| true)
    }
}

/// Takes a step and tells what a seat gets of it.
fn take(game: &mut Game, seat: Seat, seed: Seed, act: Act) -> Result<Taken, String> {
    let side = game.decision().map(|decision| decision.ask.side);
    let side = side.ok_or("nothing is asked")?;
    let before = names(&game.view(seat));
    game.reseed(seed);
    game.listen(true);
    let (rolled, shown) = game.luck();
    game.apply(side, act).map_err(|e| e.to_string())?;
    let (events, rolls) = game.take_events();
    game.listen(false);
    let luck = (game.luck().1 != shown, game.luck().0 != rolled);
    let known: Vec<&Event> = events.iter().filter(|e| e.known_to(seat)).collect();
    let view = game.view(seat);
    let told = vec![json(&known), json(&rolls), json(&view)];
    let mut named: BTreeSet<UnitId> = known.iter().flat_map(|e| e.units.clone()).collect();
    let table = game.table();
    named.extend(names(&view).iter().filter_map(|id| table.env().unit(id)));
    // Who falls back has lost its last step, and that is plain to see (§5.32).
    named.extend(table.res::<Wounds>().repulsed);
    named.retain(|&unit| !before.contains(&table.info(unit).id));
    Ok(Taken {
        told,
        events,
        shown: named.into_iter().collect(),
        luck,
    })
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

/// Answers for refusals: blocks and hexes at random for every verb, and options with something changed.
fn probes(game: &Game, dice: &mut Loose) -> Vec<Act> {
    let units = game.table().unit_count();
    let hexes = game.table().board().len();
    let options = game.decision().map_or(&[][..], |decision| decision.options);
    let mut roll = |n: usize| usize::from(dice.roll(n as u16, "probe", Side::First.into())) - 1;
    let mut found = vec![];
    for verb in 0..10 {
        let mut any = || match roll(3) {
            0 => Arg::None,
            1 => Arg::Hex(HexId(roll(hexes) as u16)),
            _ => Arg::Unit(UnitId(roll(units) as u16)),
        };
        let (second, third) = (any(), any());
        let unit = Arg::Unit(UnitId(roll(units) as u16));
        found.push(Act {
            verb,
            args: [unit, second, third],
        });
    }
    for _ in 0..6 {
        let mut act = options[roll(options.len())];
        let slot = roll(3);
        act.args[slot] = match act.args[slot] {
            Arg::Unit(_) => Arg::Unit(UnitId(roll(units) as u16)),
            Arg::Hex(_) => Arg::Hex(HexId(roll(hexes) as u16)),
            other => other,
        };
        found.push(act);
    }
    found
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

/// The act in the other world that looks the same to a seat: a block that it does not know is exchanged for
/// one that it does not know either and that stands in its place there.
fn twin_of(one: &Game, other: &Game, seat: Seat, act: Act) -> Option<Act> {
    let options = other.decision()?.options;
    let known = names(&one.view(seat));
    let hidden = |unit: UnitId| !known.contains(&one.table().info(unit).id);
    let mut found = vec![act];
    for slot in 0..act.args.len() {
        let Arg::Unit(unit) = act.args[slot] else {
            continue;
        };
        if !hidden(unit) {
            continue;
        }
        let (table, place) = (other.table(), spot(one.table(), unit));
        let side = table.info(unit).side;
        let stands = |other: &UnitId| {
            hidden(*other) && table.info(*other).side == side && spot(table, *other) == place
        };
        let there: Vec<UnitId> = table.units().filter(stands).collect();
        let with = |act: Act| {
            there.iter().map(move |&unit| {
                let mut act = act;
                act.args[slot] = Arg::Unit(unit);
                act
            })
        };
        found = found.into_iter().flat_map(with).collect();
    }
    // The very same block first: it is the one if the step shows it.
    found.sort_by_key(|twin| *twin != act);
    found.into_iter().find(|act| options.contains(act))
}

/// No block that a seat does not know is named to it: not in options, not in what they touch, not in the
/// events of a step unless the step shows it.
fn handles(before: &Game, after: &Game, seat: Seat, taken: &Taken) -> Result<u64, String> {
    let view = before.view(seat);
    let mut known = names(&view);
    let mut count = 0;
    let options = view.decision.iter().flat_map(|d| &d.options);
    for touch in options.flat_map(|option| &option.touches) {
        if let Touch::Unit(id) = touch {
            count += 1;
            if !known.contains(id) {
                return Err(format!("an option names {id}"));
            }
        }
    }
    known.extend(names(&after.view(seat)));
    let told = taken.events.iter().filter(|event| event.known_to(seat));
    for event in told {
        for &unit in &event.units {
            let id = &after.table().info(unit).id;
            count += 1;
            // What a block does face up names it; it may be upright again when the step is over.
            if SHOWING.contains(&event.kind) {
                known.insert(id.clone());
            }
            if !known.contains(id) {
                return Err(format!("an event names {id}: {}", event.text));
            }
        }
    }
    Ok(count)
}

/// What a block can only do face up, or not without being known: it fires, strikes, is activated, is lost (and
/// perhaps rebuilt at once), rides to the cavalry battle or away from the map by the rules' own timetable.
const SHOWING: [&str; 6] = [
    "fire",
    "strike",
    "activate",
    "shattered",
    "muster",
    "withdrawn",
];

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
