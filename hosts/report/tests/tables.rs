//! The tables are tidy: a head, and a row for every observation.

mod common;

use common::{HOURS, comparison};
use cupola_kernel::{Presence, Seed, Side, Standing};
use cupola_lab::{At, Hours, Kept, Record, Snapshot, Tally, Verdict};
use cupola_report::tables::{self, DataTable, Games, Kind, Value};

fn rows(table: &str) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let rows = reader.records();
    rows.map(|row| row.expect("a row").iter().map(str::to_owned).collect())
        .collect()
}

#[test]
fn hours_are_long() {
    let table = tables::hours(&comparison()).csv();
    assert!(table.starts_with("contest,minute,hour,side,corps,metric,mean,low,high,error\n"));
    // Two contests; two sides with men, guns and the front, five corps with men and guns.
    assert_eq!(rows(&table).len(), 2 * (6 + 10) * HOURS);
}

#[test]
fn places_have_both_sides_and_history() {
    let table = tables::places(&comparison()).csv();
    assert!(table.starts_with("contest,place,name,minute,hour,side,share\n"));
    let rows = rows(&table);
    assert_eq!(rows.len(), 2 * 2 * 5 * HOURS + 2 * 5 * (HOURS - 3));
    assert!(
        rows.iter()
            .any(|row| row[0] == "recorded" && row[6] == "1.000")
    );
}

#[test]
fn positions_leave_out_what_is_not_known() {
    let table = tables::positions(&comparison()).csv();
    assert!(table.starts_with("contest,minute,hour,metres,low,high,games\n"));
    assert_eq!(rows(&table).len(), 2 * (HOURS - 4));
}

fn record(number: u32, winner: Option<Side>) -> Record {
    let standing = |lost| Standing {
        presence: Presence::Fights,
        lost,
    };
    let unit = |lost| At::new(None, standing(lost), lost);
    let tally = |attacks| Tally {
        decisions: 5,
        attacks,
        ordered: 4,
        idle: 1,
        ..Tally::default()
    };
    Record {
        number,
        seed: Seed(1863).nth(u64::from(number)),
        kept: Kept {
            verdict: Some(Verdict {
                winner,
                how: "points, 12 to 3".into(),
            }),
            margin: -250,
            snapshots: vec![
                Snapshot {
                    minute: 300,
                    units: vec![unit(0), unit(0)],
                    tally: Default::default(),
                },
                Snapshot {
                    minute: 360,
                    units: vec![unit(250), unit(100)],
                    tally: [tally(2), tally(3)],
                },
            ],
            first_contact: Some(Hours { from: 300, to: 360 }),
            first_attack: None,
            first_close: None,
        },
        fault: None,
    }
}

fn played(records: &[Record]) -> Games<'_> {
    Games {
        name: "blocks",
        // The scenario names the Union first, the ruleset the Confederates.
        sides: [Side::Second, Side::First],
        players: ["steady".into(), "random".into()],
        until: 360,
        units: vec![(Side::First, 1000, 10), (Side::Second, 2000, 0)],
        corps: vec!["cs-2".into(), "us-1".into()],
        records,
    }
}

#[test]
fn a_row_for_every_game_hour_and_corps() {
    let records = [record(0, Some(Side::First)), record(1, None)];
    let table = tables::game_hours(&comparison(), &[played(&records)]).csv();
    assert!(table.starts_with("contest,game,minute,hour,side,corps,men_lost,guns_lost\n"));
    let rows = rows(&table);
    // Two games of two hours, 05:00 and 06:00, and two corps.
    assert_eq!(rows.len(), 2 * 2 * 2);
    let late = rows.iter().find(|row| row[2] == "360" && row[5] == "cs-2");
    let late = late.expect("a row");
    assert_eq!(late[4], "cs");
    assert_eq!((late[6].as_str(), late[7].as_str()), ("250", "3"));
}

#[test]
fn a_row_for_every_game() {
    let mut records = vec![record(0, Some(Side::First)), record(1, None)];
    records.push(Record {
        fault: Some("stuck".into()),
        kept: Kept::default(),
        ..record(2, None)
    });
    let table = tables::games(["us", "cs"], &[played(&records)]).csv();
    let head: Vec<&str> = table.lines().next().unwrap_or("").split(',').collect();
    assert_eq!(head, tables::GAMES.map(|column| column.0));
    let rows = rows(&table);
    assert_eq!(rows.len(), 3);
    let cell = |row: usize, name: &str| {
        let column = head.iter().position(|head| *head == name).expect(name);
        rows[row][column].as_str()
    };
    assert_eq!(cell(0, "winner"), "cs");
    assert_eq!(cell(0, "player_1"), "steady");
    assert_eq!(cell(1, "winner"), "draw");
    assert_eq!(cell(2, "winner"), "");
    assert_eq!(cell(2, "fault"), "stuck");
    assert_eq!(cell(0, "margin"), "250");
    assert_eq!(
        (cell(0, "men_lost_1"), cell(0, "men_lost_2")),
        ("200", "250")
    );
    assert_eq!(cell(0, "guns_lost_2"), "3");
    // What is lost after the hours that are compared is not counted.
    let mut early = played(&records);
    early.until = 359;
    let before = tables::games(["us", "cs"], &[early]);
    let lost = tables::GAMES
        .iter()
        .position(|column| column.0 == "men_lost_1");
    assert_eq!(before.rows[0][lost.expect("a column")], Value::Whole(0));
    assert_eq!((cell(0, "attacks_1"), cell(0, "attacks_2")), ("3", "2"));
    assert_eq!(
        (
            cell(0, "decisions"),
            cell(0, "first_contact_from"),
            cell(0, "first_contact_to"),
            cell(0, "first_attack_from")
        ),
        ("10", "300", "360", "")
    );
    assert_eq!(cell(0, "how"), "points, 12 to 3");
}

/// What a program reads from the Parquet file is what the table says: text, whole numbers, others, and nothing.
#[test]
fn parquet_says_what_the_table_says() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    let head = [
        ("who", Kind::Text),
        ("men", Kind::Whole),
        ("share", Kind::Real),
    ];
    let rows = [
        vec![
            "Iron Brigade".into(),
            1829_u32.into(),
            Value::Real(0.1 + 0.2),
        ],
        vec!["Łęczyca, \"x\"".into(), Value::Nothing, Value::Nothing],
        vec![Value::Nothing, (-7_i32).into(), f64::MIN_POSITIVE.into()],
    ];
    let table = DataTable::new(&head, rows);
    let bytes = table.parquet().expect("a file");
    assert_eq!(bytes, table.parquet().expect("a file"), "like bytes");
    let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).expect("Parquet");
    let read = reader.get_row_iter(None).expect("rows").map(|row| {
        let row = row.expect("a row").into_columns();
        let cells = row.into_iter().map(|(_, field)| match field {
            Field::Str(text) => Value::Text(text),
            Field::Long(number) => Value::Whole(number),
            Field::Double(number) => Value::Real(number),
            Field::Null => Value::Nothing,
            other => panic!("{other:?}"),
        });
        cells.collect::<Vec<Value>>()
    });
    assert_eq!(read.collect::<Vec<_>>(), table.rows);
    // One without rows has its columns all the same.
    let empty = DataTable::new(&head, []).parquet().expect("a file");
    let reader = SerializedFileReader::new(bytes::Bytes::from(empty)).expect("Parquet");
    assert_eq!(
        reader
            .metadata()
            .file_metadata()
            .schema_descr()
            .num_columns(),
        3
    );
}
