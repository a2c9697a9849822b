//! Numbers, times and lists as people write them.

use cupola_army::Moment;
use cupola_lab::stats::Estimate;

/// Text made safe for HTML and SVG.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// A whole number with a comma at every thousand; from ten thousand on rounded to tens, since no more is
/// known.
pub fn count(value: f64) -> String {
    if !value.is_finite() {
        return "–".into();
    }
    let rounded = if value.abs() >= 10_000.0 {
        (value / 10.0).round() * 10.0
    } else {
        value.round()
    };
    let digits = format!("{}", rounded.abs() as u64);
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if rounded < 0.0 {
        format!("−{out}")
    } else {
        out
    }
}

/// A number with one decimal below ten, whole above.
pub fn short(value: f64) -> String {
    if value.abs() < 9.95 {
        format!("{value:.1}")
    } else {
        count(value)
    }
}

/// A mean and its interval, `4.2 (3.9 to 4.5)`; without one where a single game has none, or where its ends read as the mean does.
pub fn ranged(of: &Estimate, name: impl Fn(f64) -> String) -> String {
    let [mean, low, high] = [of.mean, of.low.max(0.0), of.high].map(name);
    if of.games < 2 || (low == mean && high == mean) {
        return mean;
    }
    format!("{mean} ({low} to {high})")
}

/// What rounds to nothing is not a figure: `none`, or `hardly any` where there is some.
pub fn some_of(value: f64, name: impl Fn(f64) -> String) -> Option<String> {
    let nothing = name(value) == name(0.0);
    nothing.then(|| if value == 0.0 { "none" } else { "hardly any" }.to_owned())
}

/// A share as a percentage.
pub fn percent(share: f64) -> String {
    format!("{}\u{a0}%", count(share * 100.0))
}

/// The time of day of a minute of the calendar.
pub fn clock(minute: i32) -> String {
    let minute = minute.rem_euclid(24 * 60);
    format!("{:02}:{:02}", minute / 60, minute % 60)
}

/// The day of a minute of the calendar: `July 2`.
pub fn day(minute: i32) -> String {
    let name = moment(&cupola_army::Moment::from_minutes(minute).to_string());
    name.split(',').next().unwrap_or_default().to_owned()
}

/// A length of time.
pub fn duration(minutes: f64) -> String {
    let minutes = minutes.round() as i64;
    match (minutes / 60, minutes % 60) {
        (0, m) => format!("{m} min"),
        (h, 0) => format!("{h} h"),
        (h, m) => format!("{h} h {m} min"),
    }
}

/// A length of time in hours and minutes, as short as it can be said: `1:50`.
pub fn brief(minutes: f64) -> String {
    let minutes = minutes.round() as i64;
    format!("{}:{:02}", minutes / 60, minutes % 60)
}

/// A moment by its name in the data, `1863-07-01T05:00`, as people say it: `July 1, 05:00`.
pub fn moment(name: &str) -> String {
    match name.parse::<Moment>() {
        Ok(moment) => format!("{}, {}", moment.day(), moment.time_of_day()),
        Err(_) => name.to_owned(),
    }
}

/// A number of things, with the word for one or for several.
pub fn some(number: usize, one: &str, several: &str) -> String {
    let word = if number == 1 { one } else { several };
    format!("{} {word}", count(number as f64))
}

/// A distance: metres, or kilometres with one decimal.
pub fn distance(metres: f64) -> String {
    if metres.abs() < 1000.0 {
        format!("{} m", count((metres / 10.0).round() * 10.0))
    } else {
        format!("{:.1} km", metres / 1000.0)
    }
}

/// A name cut to a number of letters: first what is in brackets goes, then the end.
pub fn fit(name: &str, letters: usize) -> String {
    if name.chars().count() <= letters {
        return name.to_owned();
    }
    let bare = name.split(" (").next().unwrap_or(name);
    if bare.chars().count() <= letters {
        return bare.to_owned();
    }
    let kept: String = bare.chars().take(letters - 1).collect();
    format!("{}…", kept.trim_end())
}

/// A list as it stands in a sentence: `a, b and c`.
pub fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Titles as they stand in a sentence: `“a” and “b”`.
pub fn quoted(titles: &[String]) -> String {
    let titles = titles.iter().map(|title| format!("“{title}”"));
    list(&titles.collect::<Vec<String>>())
}

/// A sentence begins with a capital.
pub fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_people_write_them() {
        assert_eq!(count(12_345.6), "12,350");
        assert_eq!(count(1234.4), "1,234");
        assert_eq!(count(-3.0), "−3");
        assert_eq!(count(f64::NAN), "–");
        assert_eq!(percent(0.625), "63\u{a0}%");
        assert_eq!(short(3.24), "3.2");
        assert_eq!(clock(24 * 60 + 65), "01:05");
        assert_eq!(duration(125.0), "2 h 5 min");
        assert_eq!(distance(1540.0), "1.5 km");
        assert_eq!(distance(344.0), "340 m");
        assert_eq!(brief(125.0), "2:05");
        assert_eq!(moment("1863-07-01T05:00"), "July 1, 05:00");
        assert_eq!(moment("at dawn"), "at dawn");
        assert_eq!(day(2 * 24 * 60 + 65), "July 2");
        assert_eq!(some(1, "game", "games"), "1 game");
    }

    #[test]
    fn lists_and_markup() {
        let names = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(list(&names), "a, b and c");
        assert_eq!(list(&names[..1]), "a");
        assert_eq!(quoted(&names[..2]), "“a” and “b”");
        assert_eq!(escape("Lee & <Meade>"), "Lee &amp; &lt;Meade&gt;");
        assert_eq!(sentence("in blocks"), "In blocks");
        assert_eq!(fit("Herbst Woods (Reynolds killed)", 20), "Herbst Woods");
        assert_eq!(
            fit("XI Corps line on the Carlisle Road", 20),
            "XI Corps line on th…"
        );
    }
}
