//! Moments and spans of real time.
//!
//! Every ruleset has turns of its own length, so what they share is the calendar: a [`Moment`] is
//! a minute of it. It is a plain count of minutes, small enough to live in game state, equal on
//! every machine; no time zone is involved because people in 1863 kept local time and so do all
//! our sources.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A minute of the calendar, counted from midnight before 30 June 1863.
///
/// Written and read as `1863-07-01T08:00`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(i32);

const MINUTES_A_DAY: i32 = 24 * 60;
/// Days from 1 March of year 0 to the day on which [`Moment`] counts from.
const FIRST_DAY: i32 = days(1863, 6, 30);

/// Days since 1 March of year 0, in a calendar year that starts in March so that the leap day
/// comes last.
const fn days(year: i32, month: i32, day: i32) -> i32 {
    let year = if month <= 2 { year - 1 } else { year };
    let month = (month + 9) % 12;
    let leap_days = year / 4 - year / 100 + year / 400;
    year * 365 + leap_days + (month * 306 + 5) / 10 + day - 1
}

const fn month_length(year: i32, month: i32) -> i32 {
    match month {
        2 if (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The months as people say them.
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

impl Moment {
    /// The moment so many minutes after midnight before 30 June 1863.
    pub const fn from_minutes(minutes: i32) -> Moment {
        Moment(minutes)
    }

    /// Minutes since midnight before 30 June 1863.
    pub const fn minutes(self) -> i32 {
        self.0
    }

    /// The moment so many minutes later.
    pub const fn plus(self, minutes: i32) -> Moment {
        Moment(self.0 + minutes)
    }

    /// Hour and minute of the day.
    pub const fn time_of_day(self) -> Hour {
        Hour(self.0.rem_euclid(MINUTES_A_DAY) as u16)
    }

    /// Year, month and day.
    pub fn date(self) -> (i32, i32, i32) {
        let mut left = FIRST_DAY + self.0.div_euclid(MINUTES_A_DAY);
        // The average year is 365.2425 days long; the guess is at most one year off.
        let mut year = left * 100 / 36_525;
        while days(year + 1, 3, 1) <= left {
            year += 1;
        }
        while days(year, 3, 1) > left {
            year -= 1;
        }
        left -= days(year, 3, 1);
        let month = (left * 10 + 5) / 306;
        let day = left - (month * 306 + 5) / 10 + 1;
        let month = (month + 2) % 12 + 1;
        (if month <= 2 { year + 1 } else { year }, month, day)
    }

    /// The day as people say it: `July 1`.
    pub fn day(self) -> String {
        let (_, month, day) = self.date();
        let month = MONTHS[(month - 1).rem_euclid(12) as usize];
        format!("{month} {day}")
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.date();
        write!(f, "{year:04}-{month:02}-{day:02}T{}", self.time_of_day())
    }
}

impl FromStr for Moment {
    type Err = String;

    fn from_str(text: &str) -> Result<Moment, String> {
        let wrong = || format!("\"{text}\" is no time such as \"1863-07-01T08:00\"");
        let (date, time) = text.split_once('T').ok_or_else(wrong)?;
        let mut parts = date.split('-').map(digits);
        let (Some(Some(year)), Some(Some(month)), Some(Some(day)), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(wrong());
        };
        let hour: Hour = time.parse().map_err(|_| wrong())?;
        let known = (1000..=9999).contains(&year) && (1..=12).contains(&month);
        if !known || day < 1 || day > month_length(year, month) {
            return Err(format!("there is no day {date}"));
        }
        let midnight = (days(year, month, day) - FIRST_DAY).checked_mul(MINUTES_A_DAY);
        let midnight = midnight.ok_or_else(|| format!("{date} is too far away"))?;
        Ok(Moment(midnight + i32::from(hour.0)))
    }
}

fn digits(text: &str) -> Option<i32> {
    let all_digits = !text.is_empty() && text.len() <= 4;
    (all_digits && text.bytes().all(|byte| byte.is_ascii_digit()))
        .then(|| text.parse().ok())
        .flatten()
}

/// A time of day in minutes, written `04:35`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hour(u16);

impl Hour {
    /// Minutes since midnight.
    pub const fn minutes(self) -> u16 {
        self.0
    }
}

impl fmt::Display for Hour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.0 / 60, self.0 % 60)
    }
}

impl FromStr for Hour {
    type Err = String;

    fn from_str(text: &str) -> Result<Hour, String> {
        let parts = text.split_once(':').map(|(h, m)| (digits(h), digits(m)));
        match parts {
            Some((Some(hour), Some(minute))) if hour < 24 && minute < 60 => {
                Ok(Hour((hour * 60 + minute) as u16))
            }
            _ => Err(format!("\"{text}\" is no time of day such as \"04:35\"")),
        }
    }
}

macro_rules! as_text {
    ($type:ty) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<$type, D::Error> {
                let text = String::deserialize(from)?;
                text.parse().map_err(D::Error::custom)
            }
        }
    };
}
as_text!(Moment);
as_text!(Hour);

/// A stretch of time: from a moment up to, and not including, another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Span {
    /// The first minute.
    pub from: Moment,
    /// The first minute after it.
    pub to: Moment,
}

impl Span {
    /// Length in minutes.
    pub const fn minutes(self) -> i32 {
        self.to.0 - self.from.0
    }

    /// True if the moment lies in the span.
    pub const fn contains(self, moment: Moment) -> bool {
        self.from.0 <= moment.0 && moment.0 < self.to.0
    }

    /// How many minutes two spans have in common.
    pub fn shared(self, other: Span) -> i32 {
        let from = self.from.max(other.from);
        let to = self.to.min(other.to);
        (to.0 - from.0).max(0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Hour, Moment, Span};

    fn at(text: &str) -> Moment {
        text.parse().unwrap()
    }

    #[test]
    fn counts_from_the_eve_of_the_battle() {
        assert_eq!(at("1863-06-30T00:00").minutes(), 0);
        assert_eq!(at("1863-07-01T08:15").minutes(), 24 * 60 + 8 * 60 + 15);
        assert_eq!(at("1863-06-29T23:59").minutes(), -1);
    }

    #[test]
    fn every_day_of_eight_years_reads_back() {
        let mut moment = at("1859-12-31T07:30");
        let mut last = (0, 0, 0);
        for _ in 0..3_000 {
            assert_eq!(at(&moment.to_string()), moment);
            assert!(moment.date() > last);
            last = moment.date();
            moment = moment.plus(24 * 60);
        }
        assert_eq!(last, (1868, 3, 17));
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "",
            "1863-07-01",
            "1863-07-01T24:00",
            "1863-7-1T8",
            "July 1",
            "1863-07-01T+1:00",
        ] {
            assert!(text.parse::<Moment>().unwrap_err().contains("no time"));
        }
        for text in ["1863-02-29T00:00", "1863-13-01T00:00", "1863-06-31T00:00"] {
            assert!(text.parse::<Moment>().unwrap_err().contains("no day"));
        }
        assert!(at("1864-02-29T00:00") > at("1864-02-28T23:59"));
        assert!("7:5x".parse::<Hour>().is_err());
    }

    #[test]
    fn spans_share_time() {
        let day = Span {
            from: at("1863-07-01T05:00"),
            to: at("1863-07-01T21:00"),
        };
        let night = Span {
            from: at("1863-07-01T20:00"),
            to: at("1863-07-02T05:00"),
        };
        assert_eq!(day.shared(night), 60);
        assert_eq!(night.minutes(), 9 * 60);
        assert!(day.contains(at("1863-07-01T05:00")) && !day.contains(at("1863-07-01T21:00")));
    }
}
