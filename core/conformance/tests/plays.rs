//! A play: what it starts, what it is called by, and what a position makes of it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod toy;

use cupola_data::Source;
use cupola_kernel::{
    ApplyError, Contribution, Fault, Game, Journal, Phase, Play, PositionFile, Seat, Seed, Session,
    Step, Table, UnitId, dice,
};
use rehearsal::Service;
use std::sync::Arc;
use toy::ruleset::{Block, Focus};
use toy::{Parts, compose, compose_text, text_of};

/// The hash after the first option of every decision, so many times.
fn played(mut game: Game, plies: usize) -> String {
    for _ in 0..plies {
        let Some(decision) = game.decision() else {
            break;
        };
        let (side, act) = (decision.ask.side, decision.options[0]);
        game.apply(side, act).unwrap();
    }
    game.hash().to_string()
}

fn at(play: &Play, header: &str) -> Result<Play, String> {
    let text = format!(
        r#"(ruleset: "toy", scenario: "skirmish", turn: "2", phase: "toy.march", side: "blue", {header})"#
    );
    let file = PositionFile {
        source: Source::new("position.ron", text),
        in_case: false,
    };
    play.at(&file).map_err(|problems| problems.to_string())
}

#[test]
fn a_seed_is_a_game_and_games_share_nothing() {
    let play = toy::toy();
    let (first, second) = (play.game(Seed(1)).unwrap(), play.game(Seed(1)).unwrap());
    assert_eq!(first.hash(), second.hash());
    assert_eq!(played(first, 60), played(second, 60));
    assert_ne!(
        played(play.game(Seed(1)).unwrap(), 60),
        played(play.game(Seed(2)).unwrap(), 60)
    );
    // What was played has not touched what others start from.
    let fresh = toy::toy().game(Seed(1)).unwrap();
    assert_eq!(play.game(Seed(1)).unwrap().hash(), fresh.hash());
}

#[test]
fn phases_stand_in_order_once_for_each_player() {
    let phases: Vec<String> = toy::toy().phases().map(str::to_owned).collect();
    assert_eq!(
        phases,
        ["toy.march", "toy.fire", "toy.march", "toy.fire", "toy.rest"]
    );
}

#[test]
fn a_ruleset_that_nobody_registered_is_told() {
    let told = compose_text(&text_of(&Parts::sound()), "toi", &[]);
    let told = told.err().unwrap().to_string();
    assert!(told.contains("no ruleset “toi” is registered"), "{told}");
}

#[test]
fn whatever_is_composed_is_part_of_what_rules_are() {
    let sound = compose(&Parts::sound(), &[]);
    let gusts = Parts {
        gusts: true,
        ..Parts::sound()
    };
    assert_ne!(sound.resolved(), compose(&gusts, &[]).resolved());
    // The layout of the file is none of it, nor is what lies in the registry unused.
    let spaced = text_of(&Parts::sound()).replace(", ", ",   ");
    let spaced = compose_text(&spaced, "toy", &[]).unwrap();
    assert_eq!(sound.resolved(), spaced.resolved());
    assert_eq!(sound.resolved(), toy::toy().resolved());
}

#[test]
fn another_composition_is_another_play_of_the_same_scenario() {
    let play = toy::toy();
    assert_eq!(
        play.recomposed(play.composition()).unwrap().resolved(),
        play.resolved()
    );
    let mut other = play.composition().clone();
    other.sequence.truncate(1);
    let other = play.recomposed(&other).unwrap();
    assert_eq!(other.phases().count(), 4);
    assert_eq!(other.scenario(), "skirmish");
    let mut none = play.composition().clone();
    none.combat.clear();
    let told = play.recomposed(&none).err().unwrap().to_string();
    assert!(told.contains("a combat system for “fire”"), "{told}");
}

#[test]
fn a_position_starts_where_it_says_and_changes_what_it_says() {
    let play = toy::toy();
    let there = at(&play, "").unwrap();
    assert_eq!(there.resolved(), play.resolved());
    let game = there.game(Seed(1)).unwrap();
    assert_eq!(
        (game.table().turn(), game.decision().unwrap().ask.question),
        (1, "march")
    );
    let windy = at(&play, r#"switches: {"gusts": true}"#).unwrap();
    let woods = at(&play, r#"ground: [(hex: "0303", set: cover(woods))]"#).unwrap();
    for changed in [&windy, &woods] {
        assert_ne!(changed.resolved(), play.resolved());
    }
    let hex = woods.env().board.hex("0303").unwrap();
    assert_eq!(woods.env().board.cover(hex).to_string(), "woods");
    assert_eq!(play.env().board.cover(hex).to_string(), "clear");
    for (header, words) in [
        (r#"switches: {"gust": true}"#, "did you mean \"gusts\"?"),
        (
            r#"ground: [(hex: "0909", set: cover(woods))]"#,
            "ground[0].hex: no hex \"0909\"",
        ),
        (
            r#"values: {"scenario": {"last_tur": "2"}}"#,
            "did you mean \"last_turn\"?",
        ),
    ] {
        let told = at(&play, header).err().unwrap();
        assert!(told.contains(words), "{told}");
    }
}

/// A whole game with dice as they fell on a table, one by one as they are asked for: the journal has them, and leads to
/// the same end; without them it leads elsewhere, or nowhere.
#[test]
fn typed_dice_are_asked_for_one_by_one_and_stand_in_the_journal() {
    let play = toy::toy();
    let mut session = Session::begin(&play, Seed(1)).unwrap();
    let mut fell = 0u16;
    while let Some(decision) = session.game().decision() {
        let (side, act) = (decision.ask.side, decision.options[0]);
        let (before, mut dice) = (session.game().hash(), vec![]);
        loop {
            match session.apply_typed(side, act, &dice) {
                Ok(_) => break,
                Err(ApplyError::Fault(Fault::Wanted { sides, .. })) => {
                    assert_eq!(session.game().hash(), before, "it has not happened yet");
                    fell += 1;
                    dice.push(1 + fell * 5 % sides);
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
    let journal = session.journal();
    assert!(journal.steps.iter().any(|step| !step.dice.is_empty()));
    let read = Journal::read(&Source::new("typed.cupola", journal.write())).unwrap();
    assert_eq!(&read, journal);
    let again = Session::replay(&play, &read, "typed.cupola").unwrap();
    assert_eq!(again.game().hash(), session.game().hash());
    let mut without = read.clone();
    without.steps.iter_mut().for_each(|step| step.dice.clear());
    assert!(Session::replay(&play, &without, "typed.cupola").is_err());
    let more = read.steps.iter().position(|step| step.dice.is_empty());
    let mut too_many = read.clone();
    too_many.steps[more.unwrap()].dice = vec![1];
    let told = Session::replay(&play, &too_many, "typed.cupola")
        .err()
        .unwrap();
    assert!(
        told.to_string()
            .contains("1 dice were typed in, and 0 are rolled"),
        "{told}"
    );
}

/// A game of so many random choices.
fn random_session(play: &Play, seed: u128, most: usize) -> Session {
    let mut session = Session::begin(play, Seed(seed)).unwrap();
    for n in 0..most {
        let Some(decision) = session.game().decision() else {
            break;
        };
        let at = (n * 7 + seed as usize) % decision.options.len();
        let (side, act) = (decision.ask.side, decision.options[at]);
        session.apply(side, act).unwrap();
    }
    session
}

/// What can be taken back, one choice after another: the states on the way.
fn states_back(session: &mut Session) -> Vec<String> {
    let mut states = vec![session.game().hash().to_string()];
    loop {
        let steps = &session.journal().steps;
        let side = steps
            .last()
            .and_then(|step| session.game().table().env().side(&step.side));
        match side.map(|side| session.undo(side)) {
            Some(Ok(())) => states.push(session.game().hash().to_string()),
            _ => return states,
        }
    }
}

#[test]
fn a_game_that_is_taken_up_is_the_game_that_is_replayed() {
    let play = toy::toy();
    let mut back = 0;
    for seed in 0..40 {
        let journal = random_session(&play, seed, 3 + seed as usize)
            .journal()
            .clone();
        let mut replayed = Session::replay(&play, &journal, "game").unwrap();
        let mut resumed = Session::resume(&play, &journal, "game").unwrap();
        assert_eq!(resumed.journal(), replayed.journal());
        let events = |session: &Session| -> Vec<String> {
            let all = session.events(Seat::Umpire, 0);
            all.map(|(step, event)| format!("{step} {event:?}"))
                .collect()
        };
        assert_eq!(events(&resumed), events(&replayed));
        assert_eq!(resumed.rolls().count(), replayed.rolls().count());
        let states = states_back(&mut resumed);
        back += states.len() - 1;
        assert_eq!(states, states_back(&mut replayed));
    }
    assert!(back > 20, "hardly anything was taken back: {back}");
    // What does not lead where it says is told as ever.
    let mut wrong = random_session(&play, 7, 30).journal().clone();
    wrong.steps.last_mut().unwrap().hash = wrong.start;
    let told = Session::resume(&play, &wrong, "game")
        .err()
        .unwrap()
        .to_string();
    assert!(told.contains("leads to"), "{told}");
}

/// A state that was kept on the way saves the steps before it, and is never believed against the journal.
#[test]
fn a_game_goes_on_from_a_state_that_was_kept() {
    let play = toy::toy();
    let mut saved = 0;
    for seed in 0..40 {
        let mut session = random_session(&play, seed, 5 + seed as usize / 2);
        let (step, game) = session.settled();
        let state = game.snapshot().unwrap();
        for _ in 0..seed % 9 {
            if let Some(decision) = session.game().decision() {
                let (side, act) = (decision.ask.side, decision.options[0]);
                session.apply(side, act).unwrap();
            }
        }
        let journal = session.journal().clone();
        let whole = Session::resume(&play, &journal, "game").unwrap();
        let Some(mut from) = Session::resume_from(&play, &journal, (step, &state)) else {
            assert_eq!(step, 0, "a state of step {step} is no help");
            continue;
        };
        saved += step;
        assert_eq!(from.taken_for_granted(), step);
        assert_eq!(from.journal(), whole.journal());
        assert_eq!(from.game().hash(), whole.game().hash());
        assert_eq!(
            from.game().decision().map(|d| d.options.to_vec()),
            whole.game().decision().map(|d| d.options.to_vec())
        );
        let events = |session: &Session| -> Vec<String> {
            let all = session.events(Seat::Umpire, step + 1);
            all.map(|(step, event)| format!("{step} {event:?}"))
                .collect()
        };
        assert_eq!(events(&from), events(&whole));
        // A bit of it is another, or it stands at another step: the journal is right.
        for at in [0, state.len() / 2, state.len() - 1] {
            let mut other = state.clone();
            other[at] ^= 1;
            assert!(Session::resume_from(&play, &journal, (step, &other)).is_none());
        }
        for wrong in [0, step - 1, journal.steps.len() + 1] {
            assert!(Session::resume_from(&play, &journal, (wrong, &state)).is_none());
        }
        let mut whole = whole;
        assert_eq!(states_back(&mut from), states_back(&mut whole));
    }
    assert!(saved > 100, "hardly a step was saved: {saved}");
}

#[test]
fn scripted_dice_are_rolled_in_their_order_and_then_missed() {
    let source = dice::Shaker::Scripted {
        values: vec![],
        used: 0,
    };
    let mut game = toy::toy().game_with(source).unwrap();
    let mut told = None;
    for _ in 0..400 {
        let Some(decision) = game.decision() else {
            break;
        };
        let (side, act) = (decision.ask.side, decision.options[0]);
        if let Err(error) = game.apply(side, act) {
            told = Some(error.to_string());
            break;
        }
    }
    let told = told.unwrap_or_default();
    assert!(told.contains("the script has 0 dice"), "“{told}”");
}

/// A plugin's phase that changes units in every way there is, and looks at their edition each time.
struct Meddler;

impl Phase for Meddler {
    fn name(&self) -> &'static str {
        "meddler"
    }

    fn next(&self, t: &mut Table) -> Result<Step, Fault> {
        let unit = UnitId(0);
        let mut was = t.edition();
        let mut changed = |t: &Table, how: &str| {
            let is = t.edition();
            assert_ne!(is, was, "{how}");
            assert_eq!(is, t.edition(), "it is the same until the next change");
            was = is;
        };
        t.get_mut::<Block>(unit).hits += 1;
        changed(t, "a component of the ruleset");
        t.get_mut::<Service>(unit).marched += 1;
        changed(t, "a component of another plugin");
        t.change_all(|block: &mut Block| block.hits = 0);
        changed(t, "a component of all units");
        let place = t.stacks().place(unit);
        t.place(unit, cupola_kernel::Place::Box(0));
        changed(t, "off the map");
        t.place(unit, place);
        changed(t, "back where it was");
        // What is no unit's is no part of it, nor what is only looked at.
        t.res_mut::<Focus>().0 = None;
        let _ = (t.column::<Block>().len(), t.get::<Block>(unit).hits);
        assert_eq!(t.edition(), was);
        Ok(Step::Done)
    }
}

/// Whoever keeps what follows from the units goes by their edition: nothing changes a unit and leaves it.
#[test]
fn whatever_changes_a_unit_makes_another_edition() {
    let meddling = Contribution {
        space: "stranger",
        rulesets: Vec::new,
        phases: || vec![Arc::new(Meddler)],
        combats: Vec::new,
        code: &[],
    };
    let parts = Parts {
        rest: r#"toy.rest"), once("rehearsal.tally"), once("stranger.meddler"#.to_owned(),
        ..Parts::sound()
    };
    let play = compose(&parts, &[rehearsal::contribution(), meddling]);
    played(play.game(Seed(3)).unwrap(), 60);

    let mut game = play.game(Seed(3)).unwrap();
    let (start, snapshot) = (game.table().edition(), game.snapshot().unwrap());
    let mut pooled = play.game(Seed(4)).unwrap();
    assert_ne!(pooled.table().edition(), start, "another game");
    assert!(pooled.copy_from(&game));
    assert_eq!(pooled.table().edition(), start, "a copy");
    game.restore(&snapshot).unwrap();
    assert_ne!(game.table().edition(), start, "read from a file");
    assert_ne!(game.fork().table().edition(), game.table().edition());
}
