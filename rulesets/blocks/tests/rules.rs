//! Rules that are easier to ask than to play: command, succession, night, entry.

mod common;

use common::{choose, offered, unit};
use cupola_blocks::chain;
use cupola_blocks::field::friendly;
use cupola_kernel::{Game, Seat, Seed, Side};

fn at(scenario: &str, turn: &str, phase: &str, side: &str, state: &str) -> Game {
    common::position(
        common::play(scenario),
        scenario,
        turn,
        phase,
        side,
        state,
        Seed(5),
    )
}

fn steps(game: &Game, id: &str) -> String {
    let view = game.view(Seat::Umpire);
    let unit = view
        .units
        .iter()
        .find(|u| u.id.as_deref() == Some(id))
        .expect("a block");
    unit.state[0].1.clone()
}

#[test]
fn the_confederates_begin() {
    let game = common::play("day2").game(Seed(1)).expect("begins");
    assert_eq!(game.view(Seat::Umpire).active.as_deref(), Some("cs"));
}

#[test]
fn with_a_fixed_order_they_begin_every_hour() {
    let mut game = common::with("day2", &["fixed_initiative"])
        .game(Seed(3))
        .expect("begins");
    let mut hour = u16::MAX;
    while let Some(decision) = game.decision() {
        let view = game.view(Seat::Umpire);
        if view.turn.index != hour {
            hour = view.turn.index;
            assert_eq!(view.active.as_deref(), Some("cs"), "{}", view.turn.label);
        }
        let last = *decision.options.last().expect("options");
        game.apply_unchecked(last).expect("goes on");
    }
}

#[test]
fn who_commands_whom() {
    let game = common::play("day2").game(Seed(1)).expect("begins");
    let t = game.table();
    let u = |id: &str| unit(&game, id);
    let commands = |hq: &str, block: &str| chain::commands(t, u(hq), u(block));
    assert!(commands("us-hq-birney", "us-graham"));
    assert!(!commands("us-hq-birney", "us-carr"));
    assert!(
        commands("us-hq-birney", "us-randolph"),
        "§4.4 a corps asset"
    );
    assert!(!commands("us-hq-birney", "us-hazard"));
    assert!(
        commands("us-hq-birney", "us-taft"),
        "§4.24 any Union division fires the reserve"
    );
    assert!(commands("us-hq-hunt", "us-randolph"));
    assert!(!commands("us-hq-hunt", "us-graham"));
    assert!(commands("us-hq-geary", "us-lockwood"), "§3.32");
    assert!(commands("cs-hq-alexander", "cs-art-henry"));
    assert!(
        !commands("cs-hq-alexander", "cs-ha"),
        "§4.24 not the horse artillery"
    );
    assert!(
        !commands("cs-hq-longstreet", "cs-kershaw"),
        "§4.22 supply only"
    );
    assert!(
        !commands("us-hq-doubleday", "us-wainwright"),
        "§4.61 promoted: his own only"
    );
    assert!(commands("us-hq-doubleday", "us-stone"));
    assert!(commands("us-hq-wadsworth", "us-wainwright"));
}

#[test]
fn who_supplies_whom() {
    let game = common::play("day2").game(Seed(1)).expect("begins");
    let t = game.table();
    let u = |id: &str| unit(&game, id);
    let supplies = |hq: &str, block: &str| chain::supplies(t, u(hq), u(block));
    assert!(supplies("us-hq-meade", "us-hq-hancock"));
    assert!(supplies("us-hq-meade", "us-kelly"));
    assert!(supplies("us-hq-hancock", "us-hq-gibbon"));
    assert!(supplies("us-hq-hancock", "us-hazard"));
    assert!(!supplies("us-hq-hancock", "us-hq-sickles"));
    assert!(supplies("us-hq-gibbon", "us-webb"));
    assert!(!supplies("us-hq-gibbon", "us-hazard"), "§4.4");
    assert!(!supplies("us-hq-gibbon", "us-hq-hays"), "§8.2");
    assert!(supplies("us-hq-hunt", "us-hazard"), "§4.24");
    assert!(
        !supplies("cs-hq-longstreet", "cs-hq-alexander"),
        "§4.24 by Lee"
    );
    assert!(supplies("cs-hq-lee", "cs-hq-alexander"));
    assert!(
        supplies("us-hq-doubleday", "us-hq-wadsworth"),
        "§4.61 acting for Reynolds"
    );
    assert!(!supplies("us-hq-slocum", "us-hq-meade"), "§4.23");
    assert_eq!(chain::army_hq(t, Side::Second), Some(u("us-hq-meade")));
    assert_eq!(
        chain::corps_hq(t, u("us-hq-reynolds")),
        Some(u("us-hq-doubleday"))
    );
}

#[test]
fn the_senior_corps_commander_leads_until_the_army_has_one() {
    let game = at(
        "campaign",
        "day1-1200",
        "move",
        "us",
        "units: {\"us-hq-reynolds\": (at: \"J6\"), \"us-hq-howard\": (at: \"K6\")}",
    );
    let t = game.table();
    assert_eq!(
        chain::army_hq(t, Side::Second),
        Some(unit(&game, "us-hq-reynolds"))
    );
    let after = at(
        "campaign",
        "day1-1200",
        "move",
        "us",
        "units: {\"us-hq-reynolds\": (at: \"shattered\"), \"us-hq-howard\": (at: \"K6\"), \
         \"us-hq-robinson\": (at: \"K5\"), \"us-hq-doubleday\": (at: \"K5\")}",
    );
    let t = after.table();
    assert_eq!(
        chain::army_hq(t, Side::Second),
        Some(unit(&after, "us-hq-howard"))
    );
    let reynolds = unit(&after, "us-hq-reynolds");
    assert_eq!(
        chain::corps_hq(t, reynolds),
        Some(unit(&after, "us-hq-doubleday"))
    );
}

#[test]
fn a_fallen_division_headquarters_is_rebuilt_at_its_corps() {
    let game = at(
        "day2",
        "day2-1700",
        "supply",
        "us",
        "clear: true, units: {\"us-hq-hancock\": (at: \"M5\"), \"cs-law\": (at: \"U12\"), \
         \"us-hq-gibbon\": (at: \"fallen\", steps: 0)}",
    );
    let view = game.view(Seat::Umpire);
    let find = |id: &str| {
        view.units
            .iter()
            .find(|u| u.id.as_deref() == Some(id))
            .expect("there")
    };
    assert_eq!(find("us-hq-gibbon").at, find("us-hq-hancock").at);
    assert_eq!(steps(&game, "us-hq-gibbon"), "0");
}

#[test]
fn control_is_fixed_when_the_turn_begins() {
    let game = common::play("day2").game(Seed(1)).expect("begins");
    let (t, board) = (game.table(), game.table().board());
    let hex = |label: &str| board.hex(label).expect("a hex");
    assert!(friendly(t, Side::First, hex("R12")), "occupied");
    assert!(
        friendly(t, Side::Second, hex("L7")),
        "next to the Union alone"
    );
    assert!(
        !friendly(t, Side::First, hex("R10")) && !friendly(t, Side::Second, hex("R11")),
        "contested"
    );
}

#[test]
fn at_night_there_is_no_combat() {
    let game = at("day2", "day2-night", "command", "cs", "");
    assert_eq!(game.decision().expect("open").ask.question, "move");
}

#[test]
fn at_night_nobody_comes_next_to_the_enemy() {
    let mut game = at("day3", "day3-night", "move", "cs", "");
    choose(&mut game, "unit cs-law");
    let t = game.table();
    for name in offered(&game) {
        let Some(label) = name.strip_prefix("move cs-law ") else {
            continue;
        };
        let hex = t.board().hex(label).expect("a hex");
        assert!(
            !cupola_blocks::field::frontline(t, Side::First, hex),
            "{name}"
        );
    }
}

#[test]
fn night_reinforcements_march_up_their_road() {
    let mut game = at("campaign", "day1-night", "move", "us", "");
    choose(&mut game, "unit us-webb");
    let mut ways = offered(&game);
    ways.sort();
    assert_eq!(
        ways,
        [
            "by us-webb L1",
            "by us-webb S6",
            "by us-webb W13",
            "stay us-webb"
        ]
    );
    choose(&mut game, "by us-webb S6");
    let open = offered(&game);
    assert!(open.len() > 8, "as far as desired: {open:?}");
    assert!(
        !open.contains(&"move us-webb I7".to_owned()),
        "not beyond the town's edge"
    );
}

#[test]
fn blocks_that_left_come_back_at_night_in_the_campaign_only() {
    let state = "units: {\"us-webb\": (at: \"off-board\")}";
    let campaign = at("campaign", "day1-night", "move", "us", state);
    assert!(offered(&campaign).contains(&"unit us-webb".to_owned()));
    let day = at("day2", "day2-night", "move", "us", state);
    assert!(!offered(&day).contains(&"unit us-webb".to_owned()));
    let webb = day.parse("unit us-webb").expect("an act");
    assert_eq!(day.why_not(webb).rule.0, "2.4");
}
