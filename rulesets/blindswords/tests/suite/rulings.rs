//! Both readings of every switch, fights that must not be, and what a position refuses.

use crate::common;
use crate::games::random_game;
use cupola_blindswords::state::Chits;
use cupola_cup::{Chit, Spot};
use cupola_data::Source;
use cupola_kernel::{Game, Play, PositionFile, Seat, Seed, Side, cases};

/// A case's text under a switch.
fn holds(switch: (&str, bool), text: &str) -> Result<(), String> {
    let play = common::switched(&[switch]);
    let source = Source::new("test", text);
    cases::run(&play, &source)
        .map(|_| ())
        .map_err(|problems| problems.to_string())
}

fn case(units: &str, doing: &str, script: &str) -> String {
    format!(
        "(proves: [\"K\"], about: \"\", position: (ruleset: \"blindswords\", scenario: \"main\", turn: \"1100\", \
         phase: \"chits\", state: (clear: true, units: {{{units}}}, doing: {doing}, \
         chits: {{\"fog-of-war\": used}})), script: [{script}])"
    )
}

/// Where a hex may be assaulted again by those who break through, an assault that was declared on it lapses
/// once friends are there.
#[test]
fn an_assault_on_friends_is_not_fought() {
    let text = case(
        r#""gamble-1": (at: "1816", mounted: true), "gamble-2": (at: "1813", mounted: true), "davis-1": (at: "1815", worn: true), "davis-2": (at: "1814", worn: true)"#,
        r#"assault(formation: "brigade-gamble")"#,
        r#"choose(side: "us", act: "assault 1816 1815"),
           choose(side: "us", act: "assault 1813 1814"),
           choose(side: "us", act: "at 1815", dice: [6, 6, 1, 1]),
           choose(side: "us", act: "advance gamble-1"),
           choose(side: "us", act: "at 1814", dice: [6, 6, 1, 1]),
           choose(side: "us", act: "advance gamble-1"),
           at(unit: "gamble-1", place: "1814"),
           asks(side: "us", question: "choose-chit"),
           at(unit: "gamble-2", place: "1813")"#,
    );
    assert_eq!(holds(("one_assault_per_hex", false), &text), Ok(()));
    let once = holds(("one_assault_per_hex", true), &text);
    assert!(once.is_err(), "by default it is not attacked a second time");
}

/// Rated one by one, a unit whose brigade has just broken stands alone.
#[test]
fn a_close_fight_one_by_one() {
    let with = |shaken: &str| {
        case(
            r#""davis-1": (at: "1816"), "meredith-1": (at: "1815", worn: true, shaken: true), "meredith-3": (at: "1815")"#,
            r#"assault(formation: "brigade-davis")"#,
            &format!(
                r#"choose(side: "cs", act: "assault 1816 1815", dice: [2, 6, 1, 2, 6, 6, 4, 1, 1]),
                   state(unit: "meredith-3", is: {{"shaken": "{shaken}"}})"#
            ),
        )
    };
    assert_eq!(holds(("close_fight_at_once", false), &with("yes")), Ok(()));
    assert_eq!(holds(("close_fight_at_once", true), &with("no")), Ok(()));
}

/// Every fight of random games is fought between the sides, whatever the switches say.
#[test]
fn friends_never_fight() {
    let mut fights = 0;
    for (number, switch) in [
        "one_assault_per_hex",
        "close_fight_at_once",
        "events_engage",
    ]
    .into_iter()
    .enumerate()
    {
        let play = common::switched(&[(switch, switch == "events_engage")]);
        let mut game = play.game(Seed(31).nth(number as u64)).expect("a game");
        game.listen(true);
        random_game(&mut game, Seed(33).nth(number as u64), |game| {
            let fought = game.take_fights();
            game.take_events();
            let side = |unit: &cupola_kernel::UnitId| game.table().info(*unit).side;
            for fight in fought {
                let ours = fight.attackers.first().map(side);
                assert!(fight.attackers.iter().all(|unit| Some(side(unit)) == ours));
                assert!(fight.defenders.iter().all(|unit| Some(side(unit)) != ours));
                fights += 1;
            }
        });
    }
    assert!(fights > 100, "{fights} fights");
}

/// §F-3: the log does not speak of a roll that nobody made.
#[test]
fn friction_is_no_roll() {
    let text = r#"(ruleset: "blindswords", scenario: "main", turn: "0900", phase: "chits",
        state: (friction: true, doing: general(chit: "heth"), chits: {"us-vague": held}))"#;
    let mut game = at(common::main_play(), text).expect("a position");
    game.listen(true);
    while let Some(decision) = game.decision() {
        let (side, act) = (decision.ask.side, decision.options[0]);
        game.apply(side, act).expect("a choice");
        let (events, _) = game.take_events();
        if let Some(event) = events.iter().find(|event| event.kind == "command") {
            assert!(!event.text.contains("rolls"), "{}", event.text);
            assert_eq!(event.rule.0, "F-3");
            return;
        }
    }
    panic!("no orders were given");
}

/// Which chit fortune put back is known to nobody, until somebody looks through the used ones.
#[test]
fn what_fortune_puts_back_is_hidden() {
    let text = r#"(ruleset: "blindswords", scenario: "main", turn: "0900", phase: "chits",
        state: (doing: fog, chits: {"hill": used, "heth": used, "cs-colonel": used, "cs-flag": excluded, "us-hurrah": held}))"#;
    let file = PositionFile {
        source: Source::new("test", text),
        in_case: false,
    };
    let play = common::main_play().at(&file).expect("a position");
    let mut seen = std::collections::BTreeSet::new();
    // 42 to 44 are the Confederates' fortunes.
    let dice = cupola_kernel::dice::Shaker::Scripted {
        values: vec![4, 3, 1],
        used: 0,
    };
    let game = play.game_with(dice).expect("a game");
    for number in 0..60 {
        let mut other = game.fork();
        other
            .imagine(Seat::Player(Side::Second), Seed(3).nth(number))
            .expect("a game");
        let seat = Seat::Player(Side::Second);
        assert_eq!(other.view(seat), game.view(seat));
        let cup = &other.table().res::<Chits>().cup;
        let back: Vec<u8> = cup.all(Spot::Cup).map(|chit: Chit| chit.0).collect();
        seen.insert(back);
    }
    assert!(seen.len() >= 4, "{seen:?}");
}

fn at(play: &Play, text: &str) -> Result<Game, String> {
    let file = PositionFile {
        source: Source::new("test", text),
        in_case: false,
    };
    let play = play.at(&file).map_err(|problems| problems.to_string())?;
    play.game(Seed(1)).map_err(|fault| fault.to_string())
}

/// What cannot be is refused where it stands, with the reason.
#[test]
fn impossible_positions_are_refused() {
    for (state, field, why) in [
        (
            r#"units: {"davis-1": (at: "2420")}"#,
            "davis-1",
            "of the other side as well",
        ),
        (
            r#"units: {"gamble-1": (worn: true)}"#,
            "worn",
            "no fresh side",
        ),
        (
            r#"units: {"davis-1": (mounted: true)}"#,
            "mounted",
            "only cavalry mounts",
        ),
        (
            r#"units: {"davis-1": (at: "broken", shaken: true)}"#,
            "shaken",
            "shaken",
        ),
        (
            r#"units: {"davis-1": (at: "off map", chaos: true)}"#,
            "chaos",
            "not on the map",
        ),
        (
            r#"units: {"davis-1": (at: "broken", cheered: true)}"#,
            "cheered",
            "not on the map",
        ),
        (r#"units: {"davis-1": (gate: "1626")}"#, "gate", "off map"),
        (
            r#"units: {"davis-1": (at: "off map", gate: "1724")}"#,
            "gate",
            "edge of the map",
        ),
        (
            r#"units: {"davis-1": (delayed: true)}"#,
            "delayed",
            "reinforcement",
        ),
        (r#"units: {"davis-1": (at: "turn track")}"#, "at", "not due"),
        (r#"units: {"davis-1": (at: "9999")}"#, "at", "9999"),
        (r#"units: {"dovis-1": ()}"#, "dovis-1", "davis-1"),
        (r#"chits: {"heth": held}"#, "heth", "cannot be kept"),
        (
            r#"chits: {"cs-colonel": held}"#,
            "cs-colonel",
            "cannot be kept",
        ),
        (r#"chits: {"heth": pool}"#, "heth", "only events"),
        (
            r#"chits: {"fog-of-war": excluded}"#,
            "fog-of-war",
            "only events",
        ),
        (
            r#"chits: {"heth": cup, "replacement-heth": cup}"#,
            "chits",
            "cannot both",
        ),
        (r#"chits: {"hoth": cup}"#, "hoth", "heth"),
        (r#"fallen: ["cs-flag"]"#, "fallen", "no general"),
        (r#"control: {"2420": "us"}"#, "2420", "no hex that counts"),
        (r#"control: {"2021": "fr"}"#, "2021", "no side"),
        (
            r#"control: {"2021": "cs"}"#,
            "2021",
            "the other side stands",
        ),
        (r#"doing: event(chit: "heth")"#, "doing", "no event"),
        (r#"doing: general(chit: "cs-flag")"#, "doing", "no general"),
        (r#"doing: guns(side: "fr")"#, "doing", "no side"),
        (
            r#"doing: fire(formation: "brigade-davos", order: "attack")"#,
            "doing",
            "brigade-davis",
        ),
        (
            r#"doing: fire(formation: "brigade-davis", order: "charge")"#,
            "doing",
            "no order",
        ),
        (r#"options: {"willams": "1500"}"#, "willams", "williams"),
        (
            r#"units: {"davis-1": (sp: (30, 1))}"#,
            "sp",
            "between 0 and 20",
        ),
        (
            r#"units: {"davis-1": (cr: (7, 1))}"#,
            "cr",
            "between 0 and 6",
        ),
        (
            r#"amend: (switches: {"entry_is_fre": true})"#,
            "entry_is_fre",
            "entry_is_free",
        ),
        (r#"amend: (ratings: {"hill": "goood"})"#, "hill", "good"),
        (
            r#"amend: (ratings: {"cs-flag": "good"})"#,
            "cs-flag",
            "no general",
        ),
        (r#"amend: (command: {"poor": "N N"})"#, "poor", "six of N"),
        (r#"amend: (results: {12: "NE"})"#, "12", "expected 13"),
        (
            r#"amend: (results: {17: "C C C C C C C C C C C C C"})"#,
            "17",
            "11 to 66",
        ),
        (r#"amend: (levels: {"1815": 9})"#, "1815", "between 1 and 6"),
        (r#"amend: (cover: {"9915": woods})"#, "9915", "no hex"),
        (
            r#"amend: (hexsides: [(between: ("1816", "1814"), is: [up])])"#,
            "hexsides",
            "not next to each other",
        ),
    ] {
        let text = format!(
            "(ruleset: \"blindswords\", scenario: \"main\", turn: \"1000\", phase: \"chits\", state: ({state}))"
        );
        let found = at(common::main_play(), &text);
        let message = found.err().unwrap_or_else(|| panic!("{state} is accepted"));
        assert!(
            message.contains(why) && message.contains(field),
            "{state}: {message}"
        );
    }
    let text = r#"(ruleset: "blindswords", scenario: "tutorial", turn: "1400", phase: "chits", state: (units: {"doles-1": (at: "2021")}))"#;
    let found = at(&common::play("tutorial"), text).err();
    assert!(found.is_some_and(|why| why.contains("outside the field of play")));
}

/// What a position sets is what the umpire sees.
#[test]
fn a_position_says_who_holds_what() {
    let text = r#"(ruleset: "blindswords", scenario: "main", turn: "1000", phase: "chits", state: (
        control: {"2317": "cs", "2407": "cs"}, stand_in: true,
        chits: {"cs-veterans": held, "heth": cup, "cs-flag": excluded},
        units: {"davis-1": (at: "broken"), "cutler-1": (at: "off map", gate: "3314")}))"#;
    let game = at(common::main_play(), text).expect("a position");
    let view = game.view(Seat::Umpire);
    let mark = |hex: &str| view.marks.iter().find(|mark| mark.hex == hex);
    assert!(mark("2317").is_some_and(|mark| mark.text.contains("cs")));
    assert!(mark("2408").is_some_and(|mark| mark.text.contains("us")));
    let held = view
        .holdings
        .iter()
        .find(|held| held.name == "held" && held.count == 1);
    assert_eq!(held.map(|held| held.known.len()), Some(1));
    let track = |name: &str| view.tracks.iter().find(|track| track.name == name);
    assert_eq!(track("hancock").map(|track| track.value), Some(1));
}
