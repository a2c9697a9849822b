//! §10.0 The cavalry battle beside the map.

mod common;

use common::{choose, offered, unit};
use cupola_blocks::chain;
use cupola_blocks::state::{Block, Clash, Ride, boxes};
use cupola_kernel::{Game, Place, Seat, Seed, Side};

fn at(scenario: &str, turn: &str, switches: &[&str], seed: u128) -> Game {
    let play = common::with(scenario, switches);
    common::position(play, scenario, turn, "cavalry", "cs", "", Seed(seed))
}

fn day3(seed: u128) -> Game {
    at("day3", "day3-1400", &["cavalry_battle"], seed)
}

fn place(game: &Game, id: &str) -> Place {
    game.table().stacks().place(unit(game, id))
}

const BOX: Place = Place::Box(boxes::CAVALRY);
const TRACK: Place = Place::Box(boxes::TRACK);
const OUT: Place = Place::Box(boxes::OUT);

/// Answers everything that is asked: blocks named in `against` oppose that division, the others are held.
fn give_orders(game: &mut Game, against: &[(&str, &str)]) {
    loop {
        let question = game.decision().expect("open").ask.question;
        match question {
            "relief" => choose(game, "done"),
            "orders" => {
                let id = offered(game)[0]
                    .split(' ')
                    .nth(1)
                    .expect("a block")
                    .to_owned();
                match against.iter().find(|(brigade, _)| *brigade == id) {
                    Some((_, hq)) => choose(game, &format!("oppose {id} {hq}")),
                    None => choose(game, &format!("hold {id}")),
                }
            }
            _ => return,
        }
    }
}

/// Declines everything until a question of the cavalry battle comes up or 4PM is there.
fn play_on(game: &mut Game) {
    while let Some(decision) = game.decision() {
        let view = game.view(Seat::Umpire);
        if view.turn.label == "Day 3, 4PM" || view.phase == "cavalry" {
            return;
        }
        let last = *decision.options.last().expect("an option");
        game.apply_unchecked(last).expect("goes on");
    }
}

/// Seeds of which the first has Huey come and the second not.
fn two_seeds() -> (u128, u128) {
    let comes = |seed: &u128| place(&day3(*seed), "us-cav-huey") == BOX;
    let with = (1..200).find(comes).expect("a six or five");
    let without = (1..200).find(|seed| !comes(seed)).expect("a four or less");
    (with, without)
}

#[test]
fn absent_brigades_come_as_often_as_the_rule_says() {
    let play = common::with("day3", &["cavalry_battle"]);
    let mut came = [0; 4];
    let brigades = [
        "us-cav-huey",
        "cs-cav-robertson",
        "cs-cav-jones",
        "cs-cav-imboden",
    ];
    for seed in 0..600 {
        let game = common::position(
            play.clone(),
            "day3",
            "day3-1400",
            "cavalry",
            "cs",
            "",
            Seed(seed),
        );
        for (count, id) in came.iter_mut().zip(brigades) {
            let at = place(&game, id);
            assert!(at == BOX || at == OUT, "{id}");
            *count += u32::from(at == BOX);
        }
    }
    // A third of 600 for those who come on 5 and 6, a sixth for Imboden, within four deviations.
    for count in &came[..3] {
        assert!((154..=246).contains(count), "{came:?}");
    }
    assert!((64..=136).contains(&came[3]), "{came:?}");
}

#[test]
fn custer_may_ride_with_gregg_if_huey_does_not_come() {
    let (with, without) = two_seeds();
    assert_eq!(day3(with).decision().expect("open").ask.question, "orders");
    let mut game = day3(without);
    assert_eq!(game.decision().expect("open").ask.side, Side::Second);
    assert_eq!(offered(&game), ["join us-cav-custer us-hq-gregg", "done"]);
    choose(&mut game, "join us-cav-custer us-hq-gregg");
    let (t, custer) = (game.table(), unit(&game, "us-cav-custer"));
    assert!(chain::commands(t, unit(&game, "us-hq-gregg"), custer));
    assert!(!chain::commands(t, unit(&game, "us-hq-kilpatrick"), custer));
    assert_eq!(t.get::<Block>(custer).way, 0, "he fights in Gregg's battle");
}

#[test]
fn merritt_rides_with_kilpatrick() {
    let game = day3(1);
    let merritt = unit(&game, "us-cav-merritt");
    assert!(chain::commands(
        game.table(),
        unit(&game, "us-hq-kilpatrick"),
        merritt
    ));
    assert_eq!(game.table().get::<Block>(merritt).way, 1);
}

#[test]
fn orders_are_asked_for_every_block_and_kept_from_the_union() {
    let (with, _) = two_seeds();
    let mut game = day3(with);
    let before = game.view(Seat::Player(Side::Second)).units;
    assert_eq!(
        offered(&game)[0],
        "oppose cs-cav-hampton us-hq-gregg",
        "the first block"
    );
    assert_eq!(offered(&game).len(), 3);
    choose(&mut game, "oppose cs-cav-hampton us-hq-gregg");
    assert_eq!(before, game.view(Seat::Player(Side::Second)).units);
    let act = game.parse("hold cs-cav-hampton").expect("an act");
    assert_eq!(game.why_not(act).rule.0, "10.0", "it has its orders");
}

#[test]
fn unopposed_divisions_come_at_three() {
    let mut game = day3(1);
    give_orders(&mut game, &[]);
    let entries = &game.table().rules::<cupola_blocks::rules::Rules>().entries;
    for (id, road) in [
        ("us-hq-gregg", "hanover"),
        ("us-cav-farnsworth", "emmitsburg"),
    ] {
        assert_eq!(place(&game, id), TRACK, "{id}");
        let block = game.table().get::<Block>(unit(&game, id));
        let turn = &game.table().env().track.turns[usize::from(block.due)];
        assert_eq!(turn.label, "Day 3, 3PM");
        assert_eq!(entries[usize::from(block.way)].code, road, "{id}");
    }
    let ride = game.table().res::<Ride>();
    assert_eq!(ride.clashes, [Clash::Unopposed; 2]);
    assert_eq!(place(&game, "cs-cav-hampton"), BOX, "held back for good");
}

#[test]
fn an_opposed_division_fights_in_the_melee_phase_of_three() {
    let mut game = day3(1);
    give_orders(
        &mut game,
        &[
            ("cs-cav-hampton", "us-hq-gregg"),
            ("cs-hq-stuart", "us-hq-gregg"),
        ],
    );
    assert_eq!(place(&game, "us-hq-gregg"), BOX, "opposed: does not come");
    assert_eq!(place(&game, "us-hq-kilpatrick"), TRACK);
    play_on(&mut game);
    let view = game.view(Seat::Player(Side::First));
    assert_eq!(
        (view.turn.label.as_str(), view.active.as_deref()),
        ("Day 3, 3PM", Some("cs"))
    );
    let seen = |id: &str| view.units.iter().any(|u| u.id.as_deref() == Some(id));
    assert!(seen("us-cav-mcintosh"), "all are revealed (§7.1)");
    assert!(!seen("us-cav-farnsworth"), "not those of another battle");
    // The Union defends: its A blocks first, cavalry at 3 and horse artillery at 3 in round one.
    let asked = game.decision().expect("open").ask;
    assert_eq!((asked.side, asked.question), (Side::Second, "combat-turn"));
    for (id, sum) in [
        ("us-cav-mcintosh", 3),
        ("us-ha-gregg", 3),
        ("us-hq-gregg", 2),
    ] {
        let act = game.parse(&format!("strike {id}")).expect("an act");
        let preview = game.preview(act).expect("odds");
        assert_eq!(preview.modifiers.sum(), sum, "{id}");
    }
    let early = game.parse("strike cs-cav-hampton").expect("an act");
    assert_eq!(game.why_not(early).rule.0, "10.0");
    assert!(game.preview(early).is_none());
}

/// Plays the battle to its end by one answer of each side: `strike` or `withdraw`.
fn fight_out(game: &mut Game, answers: [&str; 2]) {
    let mut number = 0;
    while game.view(Seat::Umpire).phase == "cavalry" {
        let side = game.decision().expect("open").ask.side;
        let all = offered(game);
        let word = answers[side as usize];
        let fits: Vec<&String> = all.iter().filter(|act| act.starts_with(word)).collect();
        number += 1;
        let act = match fits[..] {
            // Hits are not a matter of choice.
            [] => all[number % all.len()].clone(),
            _ => fits[number % fits.len()].clone(),
        };
        choose(game, &act);
    }
}

#[test]
fn whoever_has_the_field_alone_comes_at_four() {
    for (answers, winner) in [
        (["strike", "withdraw"], Side::First),
        (["withdraw", "strike"], Side::Second),
    ] {
        let mut game = day3(1);
        give_orders(
            &mut game,
            &[
                ("cs-cav-hampton", "us-hq-gregg"),
                ("cs-cav-lee", "us-hq-kilpatrick"),
            ],
        );
        play_on(&mut game);
        fight_out(&mut game, answers);
        let ride = game.table().res::<Ride>();
        assert_eq!(ride.clashes, [Clash::Won(winner); 2]);
        let entries = &game.table().rules::<cupola_blocks::rules::Rules>().entries;
        let (stays, comes) = match winner {
            Side::First => (
                "us-cav-mcintosh",
                [("cs-cav-hampton", "L1"), ("cs-cav-lee", "emmitsburg")],
            ),
            Side::Second => (
                "cs-cav-hampton",
                [
                    ("us-cav-mcintosh", "hanover"),
                    ("us-cav-farnsworth", "emmitsburg"),
                ],
            ),
        };
        for (id, road) in comes {
            assert_eq!(place(&game, id), TRACK, "{id}");
            let block = game.table().get::<Block>(unit(&game, id));
            let turn = &game.table().env().track.turns[usize::from(block.due)];
            assert_eq!(turn.label, "Day 3, 4PM");
            assert_eq!(entries[usize::from(block.way)].code, road, "{id}");
        }
        assert_eq!(place(&game, stays), BOX, "left the battle for good");
    }
}

#[test]
fn after_three_rounds_nobody_has_won_and_nobody_comes() {
    let mut stalemates = 0;
    for seed in 1..30 {
        let mut game = day3(seed);
        let all = ["cs-cav-hampton", "cs-cav-lee", "cs-cav-chambliss", "cs-ha"];
        let orders: Vec<_> = all.map(|id| (id, "us-hq-kilpatrick")).to_vec();
        give_orders(&mut game, &orders);
        play_on(&mut game);
        let lost = |game: &Game| {
            let tracks = game.view(Seat::Umpire).tracks;
            let lost = tracks.iter().filter(|t| t.name.ends_with("lost"));
            lost.map(|t| t.value).sum::<i32>()
        };
        let before = lost(&game);
        fight_out(&mut game, ["strike", "strike"]);
        let shattered = game
            .table()
            .units()
            .filter(|&u| game.table().stacks().place(u) == Place::Box(boxes::SHATTERED));
        // The losses of the battle count like others; seven stand shattered in the set-up.
        assert_eq!(shattered.count() as i32, lost(&game));
        assert!(lost(&game) >= before);
        if game.table().res::<Ride>().clashes[1] == Clash::Stalemate {
            stalemates += 1;
            for id in ["cs-cav-hampton", "us-cav-farnsworth"] {
                assert_ne!(place(&game, id), TRACK, "{id}");
            }
        }
    }
    assert!(stalemates > 0);
}

#[test]
fn in_the_campaign_buford_fights_until_day_three() {
    let gamble = |switches: &[&str], turn: &str| {
        let play = common::with("campaign", switches);
        let game = common::position(play, "campaign", turn, "initiative", "cs", "", Seed(4));
        (
            place(&game, "us-cav-gamble"),
            place(&game, "us-cav-custer"),
            place(&game, "cs-cav-jenkins"),
        )
    };
    let (gamble_004, custer, jenkins) = gamble(&["cavalry_battle"], "day1-0800");
    assert!(matches!(gamble_004, Place::Hex(_)), "004 10.0");
    assert_eq!((custer, jenkins), (BOX, TRACK));
    let (later, ..) = gamble(&["cavalry_battle"], "day3-0800");
    assert_eq!(later, OUT, "004 10.0: taken off on Day 3");
    let (gamble_000, ..) = gamble(&["cavalry_battle", "leavers_kept_off"], "day1-0800");
    assert_eq!(gamble_000, OUT, "000 10.0");
    let (without, custer, _) = gamble(&[], "day3-0800");
    assert!(matches!(without, Place::Hex(_)));
    assert_eq!(custer, TRACK, "by road, as in history");
}
