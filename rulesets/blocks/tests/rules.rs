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

#[test]
fn late_blocks_come_by_their_own_road_at_night() {
    let mut game = at(
        "campaign",
        "day1-night",
        "move",
        "cs",
        "units: {\"cs-perrin\": (due: \"day1-1400\", by: \"H14\")}",
    );
    choose(&mut game, "unit cs-perrin");
    assert!(
        !offered(&game).iter().any(|way| way.ends_with("S6")),
        "the Taneytown Road is for the II Corps (§9.74): {:?}",
        offered(&game)
    );
    assert!(offered(&game).contains(&"by cs-perrin H14".to_owned()));
}

#[test]
fn blocks_come_back_by_the_entry_nearest_to_where_they_left() {
    let state =
        "clear: true, units: {\"us-webb\": (at: \"T7\", steps: 2), \"cs-law\": (at: \"I9\")}";
    let mut game = at("campaign", "day1-2000", "move", "us", state);
    choose(&mut game, "unit us-webb");
    choose(&mut game, "leave us-webb T7");
    while game.view(Seat::Umpire).turn.label != "Day 1, Night"
        || game.decision().expect("open").ask.question != "move"
        || game.decision().expect("open").ask.side != Side::Second
    {
        let last = *game.decision().expect("open").options.last().expect("some");
        game.apply_unchecked(last).expect("goes on");
    }
    choose(&mut game, "unit us-webb");
    assert_eq!(offered(&game), ["by us-webb S6", "stay us-webb"]);
}

#[test]
fn hancock_is_sent_for_a_fallen_commander() {
    let state = "units: {\"us-hq-reynolds\": (at: \"shattered\", steps: 0)}";
    let mut game = at("campaign", "day1-1100", "initiative", "us", state);
    assert_eq!(offered(&game), ["send us-hq-reynolds", "done"]);
    choose(&mut game, "send us-hq-reynolds");
    let view = game.view(Seat::Umpire);
    let hancock = view
        .units
        .iter()
        .find(|unit| unit.id.as_deref() == Some("us-hq-hancock"))
        .expect("there");
    let state: Vec<_> = hancock
        .state
        .iter()
        .map(|(k, v)| (*k, v.as_str()))
        .collect();
    // He fell in the hour before: four hours after that.
    assert!(state.contains(&("arrives", "Day 1, 2PM")), "{state:?}");
    assert!(state.contains(&("by", "Taneytown Road")), "{state:?}");
}

#[test]
fn a_column_marches_and_then_forms_line() {
    let play = common::with("day2", &["column_and_line"]);
    let state = "clear: true, units: {\"us-webb\": (at: \"L2\", steps: 3, column: true), \
                 \"us-hall\": (at: \"K4\", steps: 2), \"cs-law\": (at: \"U12\")}";
    let mut game = common::position(play, "day2", "day2-1600", "move", "us", state, Seed(1));
    choose(&mut game, "unit us-webb");
    let open = offered(&game);
    assert!(
        !open.contains(&"move us-webb K4".to_owned()),
        "a line stands there"
    );
    assert!(
        open.contains(&"halt us-webb L4".to_owned()),
        "half its points are left for a change"
    );
    let mut moves = open.iter().filter(|option| option.starts_with("move"));
    assert!(
        moves.any(|option| !open.contains(&option.replace("move", "halt"))),
        "farther off none are"
    );
    choose(&mut game, "halt us-webb L4");
    choose(&mut game, "unit us-hall");
    let open = offered(&game);
    assert!(open.contains(&"move us-hall L5".to_owned()));
    assert!(
        !open.contains(&"move us-hall J6".to_owned()),
        "a line uses no roads"
    );
}

#[test]
fn a_column_shares_its_hex_with_nobody() {
    let play = common::with("day2", &["column_and_line"]);
    let state = "clear: true, units: {\"us-webb\": (at: \"L4\", steps: 3), \"us-hall\": (at: \"L4\", steps: 2), \
                 \"us-kelly\": (at: \"M4\", column: true), \"us-hq-gibbon\": (at: \"L4\", steps: 2), \
                 \"cs-law\": (at: \"U12\")}";
    let at = |phase: &str| {
        common::position(
            play.clone(),
            "day2",
            "day2-1600",
            phase,
            "us",
            state,
            Seed(1),
        )
    };
    // Webb stands with others: he may march away and change there, not where he is.
    let mut game = at("move");
    choose(&mut game, "unit us-webb");
    let open = offered(&game);
    assert!(!open.contains(&"form us-webb".to_owned()));
    assert!(open.contains(&"halt us-webb L5".to_owned()));
    // A headquarters deploys anywhere but to the column.
    let mut game = at("command");
    choose(&mut game, "hq us-hq-gibbon");
    let open = offered(&game);
    assert!(open.contains(&"at us-hq-gibbon L5".to_owned()), "{open:?}");
    assert!(!open.contains(&"at us-hq-gibbon M4".to_owned()), "{open:?}");
}

#[test]
fn the_union_is_asked_about_hancock_whether_meade_is_there_or_not() {
    for (meade, sent) in [("L4", false), ("out", true)] {
        let state = format!(
            "units: {{\"us-hq-reynolds\": (at: \"shattered\", steps: 0), \"us-hq-meade\": (at: \"{meade}\")}}"
        );
        let game = common::position(
            common::play("campaign"),
            "campaign",
            "day1-1100",
            "initiative",
            "cs",
            &state,
            Seed(1),
        );
        let decision = game.decision().expect("open");
        assert_eq!(decision.ask.question, "deputy");
        let open = offered(&game);
        assert_eq!(open.contains(&"send us-hq-reynolds".to_owned()), sent);
        assert!(open.contains(&"done".to_owned()));
    }
}

#[test]
fn blocks_that_exchange_places_keep_the_stacks_as_they_are() {
    let mut game = common::with("day3", &["free_deployment"])
        .game(Seed(2))
        .expect("begins");
    assert_eq!(
        game.decision().expect("open").ask.side,
        Side::Second,
        "§9.2 the Union first"
    );
    let before = game.view(Seat::Player(Side::First));
    choose(&mut game, "unit us-webb");
    choose(&mut game, "swap us-webb us-weed");
    let board = game.table().board();
    assert_eq!(
        game.table().hex(unit(&game, "us-webb")),
        board.hex("T8").ok()
    );
    assert_eq!(before.units, game.view(Seat::Player(Side::First)).units);
    let again = game.parse("unit us-webb").expect("an act");
    assert_eq!(game.why_not(again).rule.0, "9.6");
    // Who was sent from his place may take a third's.
    choose(&mut game, "unit us-weed");
    choose(&mut game, "swap us-weed us-greene");
    let (weed, greene) = (unit(&game, "us-weed"), unit(&game, "us-greene"));
    let board = game.table().board();
    assert_eq!(game.table().hex(weed), board.hex("I4").ok());
    assert_eq!(game.table().hex(greene), board.hex("L6").ok());
}

#[test]
fn guns_are_shown_when_places_are_taken() {
    let mut game = common::with("day3", &["free_deployment"])
        .game(Seed(2))
        .expect("begins");
    let up = |game: &Game, id: &str| {
        let army = cupola_blocks::state::army(game.table());
        army.has(unit(game, id), cupola_blocks::state::flag::UP)
    };
    assert!(
        !up(&game, "cs-art-latimer"),
        "next to Greene, not shown yet"
    );
    choose(&mut game, "done");
    choose(&mut game, "unit cs-art-latimer");
    choose(&mut game, "swap cs-art-latimer cs-art-cabell");
    choose(&mut game, "done");
    assert!(!up(&game, "cs-art-latimer"), "at Q9 he is far away");
    assert!(up(&game, "cs-art-cabell"), "at H3 he is not");
}

#[test]
fn hampton_has_stuarts_place_and_by_agreement_his_supply() {
    let state = "clear: true, units: {\"cs-hq-stuart\": (at: \"shattered\", steps: 0), \
                 \"cs-cav-hampton\": (at: \"E5\", steps: 2), \"cs-cav-chambliss\": (at: \"E6\", steps: 1), \
                 \"us-webb\": (at: \"L6\")}";
    let at = |play| common::position(play, "day3", "day3-1600", "supply", "cs", state, Seed(1));
    let game = at(common::play("day3"));
    let (hampton, stuart) = (unit(&game, "cs-cav-hampton"), unit(&game, "cs-hq-stuart"));
    assert_eq!(chain::corps_hq(game.table(), stuart), Some(hampton));
    assert_eq!(offered(&game), ["done"], "a brigade's label has no supply");
    let mut game = at(common::with("day3", &["brigades_supply"]));
    choose(&mut game, "hq cs-cav-hampton");
    choose(&mut game, "at cs-cav-hampton E5");
    assert_eq!(offered(&game), ["supply cs-cav-chambliss", "done"]);
    choose(&mut game, "supply cs-cav-chambliss");
    choose(&mut game, "done");
    assert_eq!(steps(&game, "cs-cav-hampton"), "1");
    assert_eq!(offered(&game), ["done"], "not his last step");
}

#[test]
fn promoted_commanders_fire_the_reserve_by_agreement() {
    let commands = |play: cupola_kernel::Play| {
        let game = play.game(Seed(1)).expect("begins");
        let (hq, guns) = (unit(&game, "us-hq-doubleday"), unit(&game, "us-taft"));
        chain::commands(game.table(), hq, guns)
    };
    assert!(
        !commands(common::play("day2")),
        "§4.61 his own division only"
    );
    let agreed = common::with("day2", &["promoted_fire_reserve"]);
    assert!(commands(agreed), "§4.24 any Union division");
}

#[test]
fn hexsides_beside_firer_and_target_hide_by_agreement() {
    let seen = |play: cupola_kernel::Play| -> u32 {
        let rules: &cupola_blocks::rules::Rules = play.env().rules.downcast_ref().expect("ours");
        let all = rules.sight.iter().flatten();
        all.map(|bits| bits.count_ones()).sum()
    };
    let (open, closed) = (
        seen(common::play("day2")),
        seen(common::with("day2", &["hexsides_beside_block"])),
    );
    assert!(closed < open, "{closed} and {open}");
}

#[test]
fn a_column_comes_and_forms_line_but_does_not_attack() {
    let play = common::with("day2", &["column_and_line"]);
    let state = "clear: true, units: {\"us-bartlett\": (due: \"day2-1700\", by: \"L1\"), \
                 \"us-russell\": (due: \"day2-1700\", by: \"L1\"), \"cs-law\": (at: \"S6\")}";
    let mut game = common::position(play, "day2", "day2-1700", "move", "us", state, Seed(1));
    choose(&mut game, "unit us-bartlett");
    choose(&mut game, "march us-bartlett L1");
    let open = offered(&game);
    assert!(
        open.contains(&"move us-bartlett K5".to_owned()),
        "by the pike"
    );
    assert!(
        open.contains(&"halt us-bartlett L3".to_owned()),
        "three points are left for a change"
    );
    assert!(!open.contains(&"halt us-bartlett L4".to_owned()));
    choose(&mut game, "halt us-bartlett L3");
    choose(&mut game, "unit us-russell");
    choose(&mut game, "by us-russell L1");
    let open = offered(&game);
    assert!(
        !open.contains(&"move us-russell L4".to_owned()),
        "a line uses no roads"
    );
    choose(&mut game, "stay us-russell");
    // At the Taneytown Road stands an enemy: a line may attack him, a column not.
    let at = |how: &str| {
        let play = common::with("day2", &["column_and_line"]);
        let mut game = common::position(play, "day2", "day2-1700", "move", "us", state, Seed(1));
        choose(&mut game, "unit us-russell");
        choose(&mut game, &format!("{how} us-russell S6"));
        offered(&game).contains(&"attack us-russell S6".to_owned())
    };
    assert!(at("by"));
    assert!(!at("march"));
}

#[test]
fn two_changes_of_formation_take_the_whole_move() {
    let play = common::with("day2", &["column_and_line"]);
    let state =
        "clear: true, units: {\"us-webb\": (at: \"L4\", steps: 3), \"cs-law\": (at: \"U12\")}";
    let mut game = common::position(play, "day2", "day2-1600", "move", "us", state, Seed(1));
    choose(&mut game, "unit us-webb");
    choose(&mut game, "form us-webb");
    assert!(offered(&game).contains(&"move us-webb L3".to_owned()));
    choose(&mut game, "form us-webb");
    assert_eq!(offered(&game), ["done"], "nothing is left of the move");
}

#[test]
fn reinforcements_spread_beside_their_entry_by_agreement() {
    let state = "clear: true, units: {\"us-bartlett\": (due: \"day2-1700\", by: \"L1\"), \"cs-law\": (at: \"H14\")}";
    let open = |play| {
        let mut game = common::position(play, "day2", "day2-1700", "move", "us", state, Seed(1));
        choose(&mut game, "unit us-bartlett");
        choose(&mut game, "by us-bartlett L1");
        offered(&game)
    };
    let (usual, spread) = (
        open(common::play("day2")),
        open(common::with("day2", &["entry_spreads"])),
    );
    // K1 2, then up to J1 and beyond: farther than by L1.
    assert!(spread.len() > usual.len(), "{usual:?} {spread:?}");
}

#[test]
fn dice_that_run_out_are_told() {
    let text = "(proves: [\"1.1\"], about: \"an hour's end without dice\", position: (ruleset: \"blocks\", \
                scenario: \"day2\", turn: \"day2-1600\", phase: \"supply\", side: \"us\", state: ()), \
                script: [choose(side: \"us\", act: \"done\")])";
    let source = cupola_data::Source::new("case", text.to_owned());
    let told = cupola_kernel::cases::run(&common::play("day2"), &source);
    let told = told.expect_err("no dice").to_string();
    assert!(told.contains("initiative"), "{told}");
}

#[test]
fn steuart_is_as_strong_as_one_of_the_two_rulebooks_says() {
    let begins =
        |play: cupola_kernel::Play| steps(&play.game(Seed(1)).expect("begins"), "cs-steuart");
    assert_eq!(begins(common::play("day2")), "4", "000 Day 2");
    assert_eq!(
        begins(common::with("day2", &["starts_of_004"])),
        "2",
        "004 Day 2"
    );
}

#[test]
fn a_scenario_may_be_judged_before_its_night() {
    let state = "clear: true, units: {\"us-webb\": (at: \"L6\"), \"cs-law\": (at: \"U12\")}";
    let last = |play| {
        let mut game = common::position(play, "day2", "day2-2000", "supply", "us", state, Seed(1));
        choose(&mut game, "done");
        let more = game.decision().map(|d| d.ask.side);
        if more.is_some() {
            // The other side of the hour, or the night.
            while game.view(Seat::Umpire).turn.label == "Day 2, 8PM" && game.decision().is_some() {
                let act = *game.decision().expect("open").options.last().expect("some");
                game.apply_unchecked(act).expect("goes on");
            }
        }
        game.verdict().is_some()
    };
    assert!(!last(common::play("day2")), "9.3: after the night");
    assert!(
        last(common::with("day2", &["verdict_before_night"])),
        "9.1: the last hour"
    );
}
