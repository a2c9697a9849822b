//! A made-up comparison: two contests over sixteen hours.

use cupola_lab::grid::{Band, PlanPair};
use cupola_lab::model::{
    Comparison, CorpsLosses, Counted, Distance, Findings, HistoryFindings, Luck, Onset, PlaceHeld,
    Raster, Recorded, Spread, Tempo, Topic, Witness,
};
use cupola_lab::stats::{Estimate, share};

pub const HOURS: usize = 17;
pub const START: i32 = 5 * 60;

const RASTER: Raster = Raster {
    west: -4000,
    north: 4000,
    cell: 150,
    columns: 40,
    rows: 48,
};

pub fn comparison() -> Comparison {
    let hours = (0..HOURS as i32).map(|i| {
        let minute = START + i * 60;
        (minute, format!("July 1, {:02}:00", minute / 60))
    });
    Comparison {
        scenario: "gettysburg-july1".into(),
        title: "The first day".into(),
        sides: [
            ("us".into(), "Union".into()),
            ("cs".into(), "Confederate".into()),
        ],
        hours: hours.collect(),
        frame: RASTER,
        contests: vec![
            contest("blocks", 1.0, 0, 16),
            contest("corps20", 1.6, 2, 14),
        ],
        history: history(),
        notes: vec!["corps20 begins at 07:00 & ends at 19:00.".into()],
        grid: None,
    }
}

fn spread(mean: f64) -> Spread {
    Spread {
        games: 400,
        mean,
        low: mean * 0.7,
        high: mean * 1.3,
        error: mean * 0.01,
    }
}

fn estimate(mean: f64) -> Option<Estimate> {
    Some(spread(mean).estimate())
}

fn onset(from: i32, games: u32) -> Onset {
    Onset {
        games,
        of: 400,
        mean: f64::from(from + 30),
        early: (from - 60, from),
        usual: (from, from + 60),
        late: (from + 60, from + 120),
    }
}

/// Losses that rise fastest in the afternoon.
fn rising(total: f64) -> Vec<Spread> {
    let share = |hour: usize| {
        let x = (hour as f64 - 10.0) / 2.0;
        0.5 + 0.5 * x / (1.0 + x * x).sqrt()
    };
    (0..HOURS)
        .map(|hour| spread(total * (share(hour) - share(0)).max(0.0)))
        .collect()
}

/// What each hour adds to what was lost before.
fn each(since: &[Spread]) -> Vec<Spread> {
    let mut before = 0.0;
    let hours = since.iter().map(|hour| {
        let lost = hour.mean - before;
        before = hour.mean;
        spread(lost)
    });
    hours.collect()
}

/// A front that runs from west to east and moves south with the hours.
fn fronts(slope: f64, sure: f64) -> Vec<Vec<u8>> {
    let hour = |hour: usize| {
        let mut cells = vec![];
        for row in 0..RASTER.rows {
            for column in 0..RASTER.columns {
                let wave = (column as f64 / 6.0).sin() * 3.0;
                let off = row as f64 - 10.0 - wave - hour as f64 * slope;
                let p = 0.5 + 0.5 * (off / sure) / (1.0 + (off / sure).powi(2)).sqrt();
                let edge = off.abs() > 14.0 || !(3..RASTER.columns - 3).contains(&column);
                cells.push(if edge { 255 } else { (p * 254.0) as u8 });
            }
        }
        cells
    };
    (0..HOURS).map(hour).collect()
}

fn corps(k: f64) -> Vec<CorpsLosses> {
    let all = [
        (0, "us-1", "I Corps", 5600.0, 5750),
        (0, "us-11", "XI Corps", 3200.0, 2950),
        (0, "us-cav", "Cavalry Corps", 250.0, 130),
        (1, "cs-2", "Second Corps (Ewell)", 3100.0, 2900),
        (1, "cs-3", "Third Corps (Hill)", 3900.0, 3400),
    ];
    let all = all.into_iter();
    let corps = all.map(|(side, id, name, lost, recorded)| CorpsLosses {
        side,
        id: id.into(),
        name: name.into(),
        men: 9000,
        guns: 28,
        recorded: Some(recorded),
        recorded_band: None,
        lost: rising(lost * k),
        lost_in: each(&rising(lost * k)),
        guns_lost: rising(lost * k / 900.0),
    });
    corps.collect()
}

fn places(flip: usize) -> Vec<PlaceHeld> {
    let all = [
        ("mcphersons-ridge", "McPherson’s Ridge", 9),
        ("seminary-ridge", "Seminary Ridge", 11),
        ("gettysburg", "Gettysburg", 11),
        ("cemetery-hill", "Cemetery Hill", 40),
        ("culps-hill", "Culp’s Hill", 15),
    ];
    let held = |fall: usize, hour: usize| {
        let late = (hour as f64 - (fall + flip) as f64) / 3.0;
        let second = (0.5 + late / 2.0).clamp(0.02, 0.95);
        [0.97 - second, second]
    };
    all.into_iter()
        .map(|(id, name, fall)| PlaceHeld {
            id: id.into(),
            name: name.into(),
            held: (0..HOURS).map(|hour| held(fall, hour)).collect(),
        })
        .collect()
}

fn witnesses(contest: &str) -> Vec<Witness> {
    let shows = [
        (Topic::Balance, "a narrow win of the Union"),
        (Topic::Losses, "the bloodiest game"),
        (
            Topic::Headline,
            "the usual end with middling losses: the most typical",
        ),
        (Topic::Tempo, "the earliest attack"),
        (Topic::Guns, "the most guns lost"),
        (Topic::Moved, "the front moves furthest"),
        (Topic::Fronts, "the clearest win"),
        (Topic::Places, "the clearest win of the other side"),
        (Topic::Contact, "the longest fights"),
        (Topic::Orders, "the most orders that did nothing"),
        (Topic::Decisions, "the most decisions"),
        (Topic::Luck, "the weaker player wins"),
        (Topic::Distance, "nearest to history in losses by corps"),
    ];
    let games = shows.into_iter().enumerate();
    games
        .map(|(i, (topic, shows))| Witness {
            contest: contest.into(),
            game: 17 + i as u32,
            seed: format!("{:032x}", 0x1863_0701_u128 + i as u128),
            shows: shows.into(),
            topics: vec![topic],
        })
        .collect()
}

fn contest(name: &str, k: f64, from: usize, to: usize) -> Findings {
    Findings {
        name: name.into(),
        title: format!("The game of {name}"),
        scenario: "day1".into(),
        covers: (START + from as i32 * 60, START + to as i32 * 60),
        hex_metres: (500.0 * k) as u32,
        turn_minutes: (60, 120),
        counters: [40, 38],
        men: [22_000, 27_000],
        guns: [80, 120],
        guns_apart: [if from > 0 { 0 } else { 80 }, 120],
        players: ["steady".into(), "steady".into()],
        games: 400,
        bad: if from > 0 {
            vec![(7, "ab".repeat(16), "no end after 9,000 decisions".into())]
        } else {
            vec![]
        },
        balance: [
            share(120, 400),
            share((180.0 * k) as u32, 400),
            share(20, 400),
        ],
        corps: corps(k),
        guns_lost: [rising(20.0), rising(10.0)],
        men_lost: [rising(9050.0 * k), rising(7000.0 / k)],
        captured: [(from == 0).then(|| spread(800.0)), None],
        places: places(from),
        fronts: fronts(1.2 * k, 3.0 * k),
        front_moved: [10.0, 40.0].map(|metres| hourly(metres * k)),
        front_pushed: [spread(200.0 * k), spread(800.0 * k)],
        front_held: hourly(0.03 * k),
        tempo: tempo(k),
        contact_minutes: spread(110.0 * k),
        idle_orders: [spread(0.21 * k), spread(0.12)],
        decisions: spread(640.0 * k),
        decisions_per_hour: spread(41.0 * k),
        plans: PlanPair {
            name: "own".into(),
            titles: vec!["Hold the ridge".into(), "Take the ridge".into()],
            from_record: true,
        },
        band: Band {
            low: 500,
            high: 1500,
            why: "a test".into(),
        },
        as_counted: [Counted::default(); 2],
        late: spread(0.2),
        trace: None,
        stories: vec![],
        by_game: vec![],
        luck: (from == 0).then(luck),
        recorded: [8830, 6300].map(|men| in_hours(men, (from as u32, to as u32))),
        distance: from_record(k),
        witnesses: witnesses(name),
    }
}

/// As much more every hour.
fn hourly(step: f64) -> Vec<Spread> {
    let hours = 0..HOURS;
    hours.map(|hour| spread(step * hour as f64)).collect()
}

fn tempo(k: f64) -> Tempo {
    Tempo {
        first_contact: onset(420, 400),
        first_attack: onset(480, 390),
        first_close: onset(540, 380),
        march: [spread(1900.0 * k), spread(2100.0)],
        attacks: [spread(1.2 * k), spread(3.4 * k)],
    }
}

/// What is recorded of so many of the sixteen hours: as much in each.
fn in_hours(men: u32, (from, to): (u32, u32)) -> Recorded {
    let hours = to - from;
    let by = |hour: u32| men * (hour.clamp(from, to) - from) / 16;
    Recorded {
        men: Some(men * hours / 16),
        captured: [1200, 3655][usize::from(men > 7000)] * hours / 16,
        by_hour: (0..HOURS as u32).map(by).collect(),
    }
}

fn luck() -> Luck {
    Luck {
        index: 0.62,
        low: 0.48,
        high: 0.77,
        better_wins: 0.71,
        games: 400,
    }
}

fn from_record(k: f64) -> Distance {
    let off = |hour: usize| estimate(300.0 + 90.0 * k * hour as f64).filter(|_| hour > 3);
    Distance {
        losses: estimate(0.31 * k),
        places: estimate(0.74),
        positions: (0..HOURS).map(off).collect(),
        position: estimate(1200.0 * k),
        units: 42,
        position_best: Some(180.0),
        place_hours: 310,
        ..Distance::default()
    }
}

fn history() -> HistoryFindings {
    let places = places(1).into_iter().map(|place| {
        let by_hour = place.held.iter().enumerate();
        let by_hour =
            by_hour.map(|(hour, held)| (hour > 2).then(|| usize::from(held[1] > held[0])));
        (place.id, place.name, by_hour.collect())
    });
    let shade = |v: u8| match v {
        255 => 255,
        v if v > 127 => 254,
        _ => 0,
    };
    let fronts = fronts(1.0, 1.0).into_iter();
    HistoryFindings {
        corps_bands: vec![],
        corps: vec![
            (0, "us-1".into(), "I Corps".into(), 5750),
            (0, "us-11".into(), "XI Corps".into(), 2950),
            (0, "us-cav".into(), "Cavalry Corps".into(), 130),
            (1, "cs-2".into(), "Second Corps (Ewell)".into(), 2900),
            (1, "cs-3".into(), "Third Corps (Hill)".into(), 3400),
        ],
        men_lost: [8830, 6300].map(|men| (0..HOURS as u32).map(|hour| men * hour / 16).collect()),
        places: places.collect(),
        fronts: fronts
            .map(|cells| cells.into_iter().map(shade).collect())
            .collect(),
        front_moved: [vec![15.0; HOURS], vec![60.0; HOURS]],
        bodies: vec![],
        captured: [3655, 1200],
    }
}
