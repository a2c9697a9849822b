//! What every request passes: headers, hosts, origins, and how many there are.

use super::App;
use crate::wrong::Wrong;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, Hash, RandomState};
use std::net::{IpAddr, SocketAddr};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// A page may load what the club serves and nothing else, and may not be framed.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// How many requests are let through: a second in the long run, and at once.
#[derive(Clone, Copy)]
struct Rate {
    lasting: f64,
    at_once: f64,
}

/// For one cookie.
const PERSON: Rate = Rate {
    lasting: 60.0,
    at_once: 400.0,
};
/// For one address, behind which a whole club may sit.
const ADDRESS: Rate = Rate {
    lasting: 1500.0,
    at_once: 5000.0,
};
/// Those that are remembered.
const REMEMBERED: usize = 20_000;

/// How many requests somebody has left. Whoever it is is remembered by a number: a cookie may be long, and anybody can
/// send any number of them.
#[derive(Default)]
pub(crate) struct Throttle {
    known: Mutex<BTreeMap<u64, (f64, Instant)>>,
    numbers: RandomState,
}

impl Throttle {
    fn allows(&self, who: impl Hash, rate: Rate) -> bool {
        let who = self.numbers.hash_one(who);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= REMEMBERED {
            known.clear();
        }
        let now = Instant::now();
        let (left, last) = known.entry(who).or_insert((rate.at_once, now));
        let passed = now.duration_since(*last).as_secs_f64();
        *left = (*left + passed * rate.lasting).min(rate.at_once);
        *last = now;
        if *left < 1.0 {
            return false;
        }
        *left -= 1.0;
        true
    }

    /// Whether a request is let through: by its address, and by its cookie if it has one.
    fn lets(&self, from: IpAddr, headers: &HeaderMap) -> bool {
        let cookie = headers.get(header::COOKIE);
        self.allows(from, ADDRESS) && cookie.is_none_or(|cookie| self.allows(cookie, PERSON))
    }
}

/// Lets a request through, or says why not.
pub(crate) async fn guard(
    State(app): State<App>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    request: Request,
    next: Next,
) -> Response {
    let headers = request.headers();
    let changes = request.method() != Method::GET && request.method() != Method::HEAD;
    let upgrades = headers.contains_key(header::UPGRADE);
    let mut response = if !app.throttle.lets(from.ip(), headers) {
        Wrong::hasty().into_response()
    } else if !host_is_ours(&app, headers) {
        Wrong::forbidden("This club is not reached under that name.").into_response()
    } else if (changes || upgrades) && !same_origin(headers) {
        Wrong::forbidden("That page is not of this club.").into_response()
    } else {
        next.run(request).await
    };
    for (name, value) in HEADERS {
        response
            .headers_mut()
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    response
}

/// A name that somebody else's page could have made to point here is not ours.
fn host_is_ours(app: &App, headers: &HeaderMap) -> bool {
    let Some(host) = text(headers, header::HOST) else {
        return false;
    };
    let settings = &app.club.settings;
    let public = settings
        .public
        .as_deref()
        .and_then(|url| url.split("//").nth(1));
    if public.is_some_and(|public| public.trim_end_matches('/').eq_ignore_ascii_case(host)) {
        return true;
    }
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    let name = name.trim_matches(['[', ']']);
    match name.parse::<IpAddr>() {
        Ok(address) => address.is_loopback() || !settings.address.ip().is_loopback(),
        Err(_) => name.eq_ignore_ascii_case("localhost"),
    }
}

/// Browsers say where a request comes from; what is not a browser carries no foreign cookie.
fn same_origin(headers: &HeaderMap) -> bool {
    let site = text(headers, HeaderName::from_static("sec-fetch-site"));
    if site.is_some_and(|site| site != "same-origin" && site != "none") {
        return false;
    }
    match (text(headers, header::ORIGIN), text(headers, header::HOST)) {
        (None, _) => true,
        (Some(origin), Some(host)) => origin
            .split_once("://")
            .is_some_and(|(_, from)| from.eq_ignore_ascii_case(host)),
        (Some(_), None) => false,
    }
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_asks_too_often_waits_and_nobody_else() {
        let throttle = Throttle::default();
        let ask = |who: &str| throttle.allows(who, PERSON);
        let allowed = (0..20_000).filter(|_| ask("ada")).count();
        assert!((400..20_000).contains(&allowed), "{allowed}");
        assert!(ask("bob"));
    }

    #[test]
    fn cookies_without_number_take_no_room() {
        let throttle = Throttle::default();
        for n in 0..2 * REMEMBERED {
            throttle.allows(format!("cupola={n}"), PERSON);
        }
        let known = throttle.known.lock().unwrap();
        assert!(known.len() <= REMEMBERED);
    }
}
