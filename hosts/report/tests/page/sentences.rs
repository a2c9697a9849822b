//! What the page says in words follows from its numbers, and from those of the right hours.

use super::common::comparison;
use super::{made, with_grid};
use cupola_lab::grid::{Claim, Fate, Measure, PlanPair};
use cupola_lab::model::{Comparison, Floor, GameFigures, HistoryFindings, Luck, Spread};
use cupola_lab::stats::{Estimate, share};

/// The row of the first table with this name.
fn row(page: &str, name: &str) -> String {
    let rest = page.split(&format!("<th scope=\"row\">{name}</th>")).nth(1);
    let row = rest.and_then(|rest| rest.split("</tr>").next());
    row.unwrap_or_else(|| panic!("no row {name}")).to_owned()
}

/// What a section says.
fn claim(page: &str, id: &str) -> String {
    let section = page.split(&format!("<section id=\"{id}\"")).nth(1);
    let claim = section.and_then(|rest| rest.split("<p class=\"claim\">").nth(1));
    let claim = claim.and_then(|rest| rest.split("</p>").next());
    claim
        .unwrap_or_else(|| panic!("no claim in {id}"))
        .replace('\u{a0}', " ")
}

/// The fixture's second ruleset plays from 07:00 to 19:00 of a page from 05:00 to 21:00.
#[test]
fn what_is_recorded_stands_beside_the_hours_that_are_played() {
    let page = made(&comparison());
    let men = row(&page, "Men lost, Union");
    assert_eq!(men.matches("recorded of its own").count(), 1, "{men}");
    assert!(men.contains("6,622 recorded of its own"), "{men}");
    assert!(men.contains("<td class=\"rec\">8,830</td>"), "{men}");
    let front = row(&page, "Front pushed forward by Confederate");
    assert!(front.contains("720 m recorded in its hours"), "{front}");
    assert!(front.contains("<td class=\"rec\">1.0 km</td>"), "{front}");
    let captured = row(&page, "… of them captured or missing, Union");
    assert!(captured.contains("2,741 recorded of its own"), "{captured}");
    let said = claim(&page, "losses");
    assert!(said.contains("(8,830 recorded)"), "{said}");
    assert!(said.contains("(6,622 recorded)"), "{said}");
    assert!(page.contains("; 6,622 recorded of its own) in corps20; 8,830 are recorded in all"));
    // The dotted line of its panel begins and ends with its own hours.
    assert!(page.contains("Recorded, Union: 6,622 men"));
    // Where all play the same hours there is one record.
    let mut same = comparison();
    same.contests.truncate(1);
    let page = made(&same);
    assert!(!page.contains("recorded in its hours") && !page.contains("recorded of its own"));
}

#[test]
fn each_ruleset_s_ground_is_told_at_its_own_last_hour() {
    let said = claim(&made(&comparison()), "fronts");
    let first = "has at 21:00 48 % (47 % to 49 %) in blocks, ";
    assert!(said.contains(first), "{said}");
    let second = "At 19:00 it has 67 % (66 % to 69 %) in corps20, ";
    assert!(said.contains(second), "{said}");
    assert_eq!(said.matches("by the record").count(), 2, "{said}");
}

#[test]
fn guns_that_are_not_lost_are_not_counted_to_a_tenth() {
    let lost = |page: &mut Comparison, side: usize, spread: Spread| {
        for found in &mut page.contests {
            found.guns_lost[side] = vec![spread];
        }
    };
    let spread = |mean: f64| Spread {
        games: 400,
        error: mean / 4.0,
        mean,
        ..Spread::default()
    };
    let mut page = comparison();
    lost(&mut page, 0, spread(0.0));
    lost(&mut page, 1, spread(0.01));
    let made = made(&page);
    let said = claim(&made, "guns");
    assert!(
        said.starts_with(
            "In blocks the Union side loses no guns and the Confederate side hardly any;"
        ),
        "{said}"
    );
    let rows = row(&made, "Guns lost, Union") + &row(&made, "Guns lost, Confederate");
    assert!(
        rows.contains("none") && rows.contains("hardly any"),
        "{rows}"
    );
    lost(&mut page, 1, spread(0.0));
    let said = claim(&super::made(&page), "guns");
    assert!(said.starts_with("In blocks no guns are lost;"), "{said}");
    // Who has none cannot lose any.
    page.contests[0].guns = [0, 0];
    let said = claim(&super::made(&page), "guns");
    assert!(said.starts_with("In corps20 no guns are lost."), "{said}");
    assert!(!super::made(&page).contains("0.0 ± 0.0"));
}

#[test]
fn every_column_s_players_and_plans_are_named() {
    let played_by = |page: &str| claim(page, "headline");
    let mut page = comparison();
    let said = played_by(&made(&page));
    let all = "Played by steady on both sides. Plans: “Hold the ridge” and “Take the ridge”. ";
    assert!(said.starts_with(all), "{said}");
    page.contests[1].players = ["people".into(), "people, steady in 3 of 8 games".into()];
    page.contests[1].plans = PlanPair::default();
    let said = played_by(&made(&page));
    let each = "Played in blocks by steady on both sides, plans: “Hold the ridge” and “Take the ridge”; in corps20 by people for \
                the Union, people, steady in 3 of 8 games for the Confederate, plans: not known. ";
    assert!(said.starts_with(each), "{said}");
    // Who plays for longer loses more: that stands above the findings, whether there is a grid or not.
    let hours =
        "They do not play the same hours (blocks 05:00 to 21:00 and corps20 07:00 to 19:00)";
    assert!(said.contains(hours), "{said}");
}

/// A place of which nothing is recorded at the end of a game is in nobody's recorded hands.
#[test]
fn places_are_compared_where_something_is_recorded() {
    let mut page = comparison();
    for (_, _, by_hour) in &mut page.history.places {
        by_hour[15..].fill(None);
    }
    let said = claim(&made(&page), "places");
    assert!(said.starts_with("In blocks"), "{said}");
    assert!(said.contains("at 19:00"), "{said}");
    assert!(said.contains("that can be compared"), "{said}");
    assert!(!said.contains("every place"), "{said}");
    for (_, _, by_hour) in &mut page.history.places {
        by_hour.fill(None);
    }
    page.history.places[0].2[0] = Some(0);
    let said = claim(&made(&page), "places");
    assert!(
        said.contains("in corps20 no place can be compared"),
        "{said}"
    );
}

/// On a page of several days a time has its date.
#[test]
fn times_of_several_days_have_their_dates() {
    let mut page = comparison();
    let last = page.hours.last().map_or(0, |hour| hour.0);
    for day in 1..3 {
        let minute = last + day * 20 * 60;
        page.hours
            .push((minute, format!("July {}, 17:00", day + 1)));
    }
    let page = made(&page);
    let first = row(&page, "First attack");
    assert!(first.contains("July 1, 08:00–09:00"), "{first}");
    let said = claim(&page, "tempo");
    assert!(
        said.contains("in the turn of July 1, 08:00–09:00"),
        "{said}"
    );
}

/// Where nobody is ahead, how many games nobody has won is part of the answer.
#[test]
fn games_that_are_drawn_are_told_beside_those_that_are_won() {
    let mut all = comparison();
    all.contests[0].games = 10;
    all.contests[0].balance = [share(0, 10), share(3, 10), share(7, 10)];
    assert!(made(&all).contains("and 70\u{a0}% are drawn, so that nobody is ahead"));
    all.contests[0].balance = [share(5, 10), share(5, 10), share(0, 10)];
    assert!(!made(&all).contains("0\u{a0}% are drawn"));
}

/// Both sides lose their men in the same games: what one loses more than the other in each of them tells more than two means do.
#[test]
fn who_loses_more_is_told_by_the_differences() {
    let mut page = comparison();
    // From game to game losses differ by a thousand, between the sides always by a hundred or so.
    let game = |i: u32| GameFigures {
        game: i,
        men_lost: [1000.0 + f64::from(i % 3), 900.0].map(|men| men + 1000.0 * f64::from(i % 2)),
        ..GameFigures::default()
    };
    let mean = |mean: f64| Spread {
        games: 20,
        mean,
        low: mean - 500.0,
        high: mean + 500.0,
        error: 115.0,
    };
    for found in &mut page.contests {
        let by_hour = |men: f64| (0..17).map(move |hour| mean(men * f64::from(hour) / 16.0));
        found.men_lost = [1500.0, 1400.0].map(|men| by_hour(men).collect());
    }
    let said = claim(&made(&page), "losses");
    assert!(
        said.contains("In blocks who loses more is not clear"),
        "{said}"
    );
    page.contests[0].by_game = (0..20).map(game).collect();
    let said = claim(&made(&page), "losses");
    assert!(
        said.contains("In blocks the Union side loses more"),
        "{said}"
    );
    assert!(
        said.contains("in corps20 who loses more is not clear"),
        "{said}"
    );
}

/// Of a battle that was never fought nothing is recorded, which is not nothing that happened.
#[test]
fn a_battle_that_was_never_fought_has_no_record_on_the_page() {
    let mut page = comparison();
    page.history = HistoryFindings::default();
    for found in &mut page.contests {
        found.recorded = Default::default();
        found.distance = Default::default();
        found.captured[0] = Some(Spread::default());
    }
    let made = made(&page);
    let said = claim(&made, "moved");
    assert!(!said.contains("history"), "{said}");
    let captured = row(&made, "… of them captured or missing, Union");
    assert!(captured.contains("<td class=\"rec\"></td>"), "{captured}");
    let section = made.split("<section id=\"distance\"").nth(1);
    let section = section.and_then(|rest| rest.split("</section>").next());
    let section = section.expect("the section");
    assert!(section.contains("Nothing is recorded"), "{section}");
    assert!(
        !section.contains("<table") && !section.contains("<svg"),
        "{section}"
    );
    for words in ["As recorded", "recorded front", "Places held as recorded"] {
        assert!(!made.contains(words), "{words}");
    }
}

/// No distance stands alone, and none without its plans where these were made from the record.
#[test]
fn yardsticks_stand_beside_the_distances_of_the_first_table() {
    let mut page = comparison();
    for found in &mut page.contests {
        found.plans.from_record = false;
        found.distance.places_best = Some(0.99);
        found.distance.random = Some(Floor {
            games: 4,
            places: Some(0.43),
            ..Floor::default()
        });
    }
    let places = row(&made(&page), "Places held as recorded");
    let beside = "best on this board 99\u{a0}%; random play 43\u{a0}%</small>";
    assert_eq!(places.matches(beside).count(), 2, "{places}");
    // How many things were compared stands there, too.
    let compared = page.contests[0].distance.place_hours;
    let compared = format!("; {compared} places and hours; best on this board");
    assert!(places.contains(&compared), "{places}");
    page.contests[0].plans.from_record = true;
    row(
        &made(&page),
        "Places held as recorded (plans made from the record)",
    );
}

/// An hour is called the worst, or the one of the push, only where it is clear of all others.
#[test]
fn no_hour_is_named_that_others_may_exceed() {
    let mut page = comparison();
    let found = &mut page.contests[0];
    found.turn_minutes = (60, 60);
    // The first corps has one hour that is worse than all others.
    let worst = &mut found.corps[0];
    worst.lost_in[11].mean += 400.0;
    for lost in &mut worst.lost[11..] {
        lost.mean += 400.0;
    }
    let spread = |mean: f64, error: f64| Spread {
        games: 40,
        mean,
        error,
        low: mean,
        high: mean,
    };
    let hours = found.front_moved[1].len();
    let mut hourly = |error: f64| {
        for corps in &mut page.contests[0].corps {
            for lost in &mut corps.lost_in {
                lost.error = error;
            }
        }
        let moved = (0..hours).map(|i| spread(if i == 9 { 300.0 } else { 100.0 }, error));
        page.contests[0].front_moved = [vec![spread(0.0, 0.0); hours], moved.collect()];
        let page = made(&page);
        (claim(&page, "hourly"), claim(&page, "moved"))
    };
    let (worst, push) = hourly(1.0);
    assert!(worst.contains(" ± 2 men)"), "{worst}");
    let blocks = push.split("; in corps20").next().unwrap_or_default();
    assert!(blocks.contains("most in the hour to 14:00"), "{push}");
    let (worst, push) = hourly(200.0);
    assert!(worst.contains("men, not clear of others)"), "{worst}");
    let blocks = push.split("; in corps20").next().unwrap_or_default();
    assert!(!blocks.contains("most in the hour"), "{push}");
}

/// What is counted cannot be less than nothing, and who tells of some prisoners does not tell of all.
#[test]
fn no_interval_goes_below_nothing_and_no_prisoners_are_no_finding() {
    let mut page = comparison();
    let found = &mut page.contests[0];
    let spread = |mean: f64, error: f64| Spread {
        games: 40,
        mean,
        error,
        ..Spread::default()
    };
    found.guns_lost[0] = vec![spread(0.8, 0.6)];
    found.captured[0] = Some(spread(0.0, 0.0));
    let page = made(&page);
    let guns = row(&page, "Guns lost, Union");
    assert!(guns.contains("<b>0.8 (none to 2.0)</b>"), "{guns}");
    let captured = row(&page, "… of them captured or missing, Union");
    let none = "<b>none</b> <small>in every game; others not told apart</small>";
    assert!(captured.contains(none), "{captured}");
}

/// A section that shows one cell of the grid says what became of such claims by the others.
#[test]
fn a_section_says_what_became_of_its_claims_in_the_grid() {
    let all = with_grid();
    let page = made(&all);
    let grid = all.grid.as_ref().expect("a grid");
    let losses = [Measure::MenFirst, Measure::MenSecond, Measure::LossShare];
    let about = grid.claims.iter().filter(|c| losses.contains(&c.measure));
    let flips = |claim: &&Claim| claim.standing == Fate::Flips;
    let (of, turn) = (about.clone().count(), about.filter(flips).count());
    assert_eq!(turn, 1);
    let said = claim(&page, "losses");
    let known = format!("of {of} claims that could be made of it by all plans and players");
    assert!(said.contains(&known), "{said}");
    assert!(said.contains("and 1 turns round"), "{said}");
    let said = claim(&page, "decisions");
    assert!(said.contains("of 1 claim"), "{said}");
    assert!(said.ends_with("1 holds and 0 turn round."), "{said}");
    // Nobody is told of a grid that was not played.
    assert!(!made(&comparison()).contains("plans and players of the first table"));
}

/// Where nothing but the rules was varied, nothing is told of what the differences go with.
#[test]
fn what_was_not_varied_is_not_said_to_explain_nothing() {
    let shares = |plans: usize, bots: usize| {
        let mut all = with_grid();
        let mut grid = all.grid.take().expect("a grid");
        grid.plans.truncate(plans);
        grid.bots.truncate(bots);
        let (plans, bots) = (grid.plans.clone(), grid.bots.clone());
        grid.cells.retain(|cell| {
            plans.iter().any(|pair| pair.name == cell.plans) && bots.contains(&cell.bot)
        });
        all.grid = Some(grid.judged());
        let page = made(&all);
        let told = page.split("as shares of their variance").nth(1);
        told.map(|rest| rest.split('<').next().unwrap_or_default().to_owned())
    };
    assert_eq!(shares(2, 2).as_deref(), Some(""));
    assert!(
        shares(2, 1)
            .expect("a figure")
            .contains("one player was tried")
    );
    assert!(
        shares(1, 2)
            .expect("a figure")
            .contains("one pair of plans")
    );
    assert_eq!(shares(1, 1), None);
}

/// Four games that were all won are an index of nothing, between skill and dice: no such figure is told.
#[test]
fn an_index_of_luck_that_may_be_anything_is_not_told() {
    let mut page = comparison();
    let luck = |low: f64, high: f64, games: u32| Luck {
        index: low,
        low,
        high,
        better_wins: 1.0,
        games,
    };
    page.contests[0].luck = Some(luck(0.0, 1.0, 4));
    page.contests[1].luck = Some(luck(0.1, 0.4, 200));
    let made = made(&page);
    let said = claim(&made, "luck");
    assert!(said.starts_with("The index is 0.10 in corps20"), "{said}");
    let open = "Of blocks (4 games) the games are too few to tell dice from skill.";
    assert!(
        said.contains(open) && !said.contains("intervals meet"),
        "{said}"
    );
    let index = row(&made, "Luck index: 0 skill, 1 dice");
    assert!(
        index.contains("<b>–</b> <small>0.00 to 1.00</small>"),
        "{index}"
    );
}

/// Who is furthest off is told by the least that it can be, whatever a loss stands for: and the page says how much that is.
#[test]
fn a_corps_is_off_the_record_by_the_least_that_it_can_be() {
    let mut page = comparison();
    page.contests.truncate(1);
    let found = &mut page.contests[0];
    (found.band.low, found.band.high) = (450, 1000);
    for corps in &mut found.corps {
        let (men, recorded) = match &*corps.id {
            "us-1" => (20_000.0, 8000),
            "us-cav" => (6000.0, 264),
            _ => (1000.0, 1000),
        };
        corps.recorded = Some(recorded);
        corps.lost = vec![Spread {
            games: 40,
            mean: men,
            low: men,
            high: men,
            error: 0.0,
        }];
    }
    let said = claim(&made(&page), "corps");
    let least = "Cavalry Corps is furthest from the record (6,000 for 264, 2,436 more at least, whatever a loss stands for)";
    assert!(said.contains(least), "{said}");
    // What is doubtful in the record is not held against a game.
    for corps in &mut page.contests[0].corps {
        if corps.id == "us-cav" {
            corps.recorded_band = Some((200.0, 2000.0));
        }
    }
    let said = claim(&made(&page), "corps");
    let least = "I Corps is furthest from the record (20,000 for 8,000, 1,000 more at least, whatever a loss stands for)";
    assert!(said.contains(least), "{said}");
}

/// Which corps lost most is told by the record's bands: where another may have lost as many it is not known.
#[test]
fn who_lost_most_in_history_is_told_as_far_as_it_is_known() {
    let mut page = comparison();
    let said = claim(&made(&page), "corps");
    assert!(
        said.starts_with("In history I Corps lost most, 5,750 men or 38 % of all losses."),
        "{said}"
    );
    let bands = [
        (5000, 6000),
        (2950, 2950),
        (130, 130),
        (2900, 2900),
        (3000, 5200),
    ];
    page.history.corps_bands = bands.to_vec();
    // A third that cannot have lost most is none of them, however much it lost.
    page.history.corps[3].3 = 4900;
    page.history.corps_bands[3] = (4000, 4999);
    let said = claim(&made(&page), "corps");
    assert!(!said.contains("Second Corps (Ewell) 4,900"), "{said}");
    let doubtful = "Which corps lost most in history is not known, by what is doubtful in the record: \
                    I Corps 5,750 (5,000 to 6,000) and Third Corps (Hill) 3,400 (3,000 to 5,200).";
    assert!(said.starts_with(doubtful), "{said}");
}

/// Of twenty games twelve are no more than chance makes of ten: that one side usually has a place is said of more.
#[test]
fn a_place_that_either_side_may_hold_is_nobody_s_usually() {
    let mut page = comparison();
    page.contests.truncate(1);
    page.contests[0].games = 20;
    let all = page.history.places.len();
    for (held, (_, _, recorded)) in page.contests[0]
        .places
        .iter_mut()
        .zip(&mut page.history.places)
    {
        held.held.fill([0.9, 0.1]);
        recorded.fill(Some(0));
    }
    let compared = |page: &Comparison| claim(&made(page), "places");
    let said = compared(&page);
    assert!(
        said.contains(&format!("all {all} places that can be compared")),
        "{said}"
    );
    page.contests[0].places[0].held.fill([0.4, 0.6]);
    let said = compared(&page);
    let fewer = format!("all {} places that can be compared", all - 1);
    assert!(said.contains(&fewer), "{said}");
    page.contests[0].places[0].held.fill([0.2, 0.8]);
    let said = compared(&page);
    assert!(said.contains("the other side usually has "), "{said}");
}

/// Where the index may be nearly anything it is told nowhere, in the figure neither.
#[test]
fn an_open_index_is_not_drawn() {
    let mut page = comparison();
    let luck = |low, high| {
        Some(Luck {
            index: 0.37,
            low,
            high,
            better_wins: 0.8,
            games: 8,
        })
    };
    page.contests[0].luck = luck(0.02, 0.98);
    page.contests[1].luck = luck(0.2, 0.6);
    let made = made(&page);
    assert!(made.contains("– (0.02–0.98)") && made.contains("0.37 (0.20–0.60)"));
    assert_eq!(made.matches("0.37").count(), 4, "table, two claims, figure");
    assert!(
        !claim(&made, "luck").contains("  "),
        "{}",
        claim(&made, "luck")
    );
}

/// What is greatest and what is least is told with its interval, like all else.
#[test]
fn shares_of_orders_have_intervals() {
    let said = claim(&made(&comparison()), "orders");
    assert!(
        said.contains("The share of orders that move nobody is greatest for "),
        "{said}"
    );
    assert!(said.contains(" in corps20, 34 % (33 % to 34 %)."), "{said}");
}

/// A game that leaves a place to nobody has not lost it to the other side: the page says how many it leaves.
#[test]
fn places_that_nobody_holds_are_told() {
    let mut page = comparison();
    page.contests[0].distance.places_nobody = Some(Estimate::around(0.76, 0.01, 20));
    let made = made(&page);
    assert!(
        row(&made, "… held by nobody").contains("76"),
        "{}",
        row(&made, "… held by nobody")
    );
    let first = row(
        &made,
        "Places held as recorded (plans made from the record)",
    );
    assert!(first.contains("nobody's 76"), "{first}");
}

/// Sixty places in a hundred are no merit where random play has seventy-two, and hours of one's own are no match for others.
#[test]
fn nobody_is_nearest_who_is_no_nearer_than_random_play() {
    let mut page = comparison();
    let covers = page.contests[0].covers;
    for (found, share) in page.contests.iter_mut().zip([0.6, 0.35]) {
        (found.plans.from_record, found.covers) = (false, covers);
        found.distance.position = None;
        found.distance.places = Some(Estimate::around(share, 0.02, 12));
    }
    let said = |page: &Comparison| claim(&made(page), "distance");
    assert_eq!(said(&page), "Blocks is nearest in who holds what.");
    page.contests[0].distance.random = Some(Floor {
        games: 4,
        places: Some(0.72),
        ..Floor::default()
    });
    let none = "By none of the measures is one ruleset clearly nearer to the record than the others. \
                No nearer to the record than random play comes blocks in who holds what.";
    assert_eq!(said(&page), none);
    page.contests[0].distance.random = None;
    page.contests[1].covers.1 -= 120;
    assert!(
        said(&page).ends_with("none is put before another."),
        "{}",
        said(&page)
    );
}

/// The hours of a ruleset are those of its longest game: where half of them are over before, that stands above the findings.
#[test]
fn games_that_end_early_are_told_with_the_hours() {
    let mut page = comparison();
    page.contests.truncate(1);
    let said = |page: &Comparison| claim(&made(page), "headline");
    assert!(
        !said(&page).contains("half of the games"),
        "{}",
        said(&page)
    );
    let whole = page.contests[0].covers.1 - page.contests[0].covers.0;
    let game = |minutes: i32| GameFigures {
        minutes,
        ..GameFigures::default()
    };
    page.contests[0].by_game = vec![game(whole), game(300), game(300)];
    let early = "(blocks 05:00 to 21:00, half of the games no longer than to 10:00)";
    assert!(said(&page).contains(early), "{}", said(&page));
}
