//! The addresses of the club.

mod agree;
mod aids;
mod door;
mod games;
mod guard;
mod journals;
mod lab;
mod live;
mod lobby;
mod measure;
mod pages;
mod people;
mod play;
mod rules;
mod talk;
mod team;

use crate::club::Club;
use crate::wrong::Wrong;
use anyhow::Context as _;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{any, get, post};
use std::any::Any;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;

/// What a handler starts from.
#[derive(Clone)]
pub(crate) struct App {
    pub club: Arc<Club>,
    pub throttle: Arc<guard::Throttle>,
    pub lines: live::Lines,
}

/// No request is longer, but for journals that come in.
const LONGEST: usize = 64 * 1024;
const LONGEST_JOURNAL: usize = 4 * 1024 * 1024;

/// What the page asks and does.
fn api() -> Router<App> {
    Router::new()
        .route("/me", get(people::me).post(people::change_me))
        .route("/me/try", post(people::try_notice))
        .route("/me/link", post(people::my_link))
        .route("/enter", post(people::enter))
        .route("/leave", post(people::leave))
        .route("/people", get(people::list).post(people::invite))
        .route("/people/{id}/retire", post(people::retire))
        .route("/people/{id}/link", post(people::new_link))
        .route("/catalogue", get(games::catalogue))
        .route("/openings/{ruleset}/{scenario}", get(games::opening))
        .route("/games", get(lobby::lobby).post(games::new))
        .route("/games/{id}", get(games::table))
        .route("/games/{id}/sit", post(games::sit))
        .route("/games/{id}/stand", post(games::stand))
        .route("/games/{id}/invite", post(games::invite))
        .route("/games/{id}/appoint", post(team::appoint))
        .route("/games/{id}/dismiss", post(team::dismiss))
        .route("/games/{id}/choose", post(play::choose))
        .route("/games/{id}/undo", post(play::undo))
        .route("/games/{id}/odds", post(play::odds))
        .route("/games/{id}/why", post(play::why))
        .route("/games/{id}/film", get(play::film))
        .route("/games/{id}/journal", get(journals::give))
        .route("/games/{id}/notes", get(talk::list).post(talk::say))
        .route("/games/{id}/pause", post(agree::pause))
        .route("/games/{id}/take-back", post(agree::take_back))
        .route("/games/{id}/aids", post(aids::change))
        .route("/games/{id}/rematch", post(agree::rematch))
        .route("/games/{id}/share", post(agree::share))
        .route("/games/{id}/umpire", post(agree::umpire))
        .route("/games/{id}/rewind", post(agree::rewind))
        .route("/games/{id}/rules", get(rules::of_game))
        .route("/rules", post(rules::wanted))
        .route("/games/{id}/luck", get(play::luck))
        .route("/games/{id}/hex/{label}", get(play::hex))
        .route("/games/{id}/line", get(measure::line))
        .route("/games/{id}/sight/{label}", get(measure::sight))
        .route("/games/{id}/command/{label}", get(measure::command))
        .route("/games/{id}/live", any(live::live))
        .route("/look/{name}", get(games::look))
        .route("/lab", get(lab::list))
        .route("/lab/start", post(lab::start))
        .route("/lab/stop", post(lab::stop))
        .layer(DefaultBodyLimit::max(LONGEST))
        .route(
            "/journals",
            post(journals::take).layer(DefaultBodyLimit::max(LONGEST_JOURNAL)),
        )
}

fn router(app: App) -> Router {
    Router::new()
        .nest("/api", api())
        .route("/map/{name}/{file}", get(games::map))
        .route("/reports/{name}/{file}", get(lab::file))
        .fallback(get(pages::page))
        .layer(CompressionLayer::new())
        .layer(RequestBodyTimeoutLayer::new(door::SLOWEST_BODY))
        .layer(from_fn_with_state(app.clone(), guard::guard))
        .layer(CatchPanicLayer::new())
        .with_state(app)
}

/// The club looks after itself so often: games that may sleep, every twelfth time all of them; every sixtieth time people
/// who have let others wait.
const CHORES: Duration = Duration::from_secs(5);

/// Games with so many units in all stay awake for a while though nothing happens in them: some dozens of the largest, or a
/// thousand of the smallest.
const ROOM: usize = 30_000;

/// What is told when the club is open.
#[derive(Debug, Clone)]
pub struct Serving {
    /// Where it listens.
    pub address: SocketAddr,
    /// The keeper's link, which works once.
    pub keeper: String,
}

/// Serves a club until the process ends.
///
/// # Errors
/// If the address is taken.
pub fn run(club: &Arc<Club>, ready: impl FnOnce(&Serving)) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(64)
        .build()?;
    runtime.block_on(serve(club.clone(), ready))
}

async fn serve(club: Arc<Club>, ready: impl FnOnce(&Serving)) -> anyhow::Result<()> {
    let asked = club.settings.address;
    let listener = tokio::net::TcpListener::bind(asked).await.with_context(|| {
        format!("{asked}: the address cannot be used; is a table open there already? Name another with --address")
    })?;
    let serving = Serving {
        address: listener.local_addr()?,
        keeper: club.keeper_link()?,
    };
    ready(&serving);
    let app = App {
        club: club.clone(),
        throttle: Arc::default(),
        lines: live::Lines::default(),
    };
    tokio::spawn(async move {
        let mut pause = tokio::time::interval(CHORES);
        for time in 0_u64.. {
            pause.tick().await;
            let club = club.clone();
            let chores = move || {
                if time.is_multiple_of(60) {
                    club.remind();
                }
                match time.is_multiple_of(12) {
                    true => club.let_go(),
                    false => club.thin_out(ROOM),
                }
            };
            // A panic there is no reason to stop serving.
            let _ = tokio::task::spawn_blocking(chores).await;
        }
    });
    door::welcome(listener, router(app)).await;
    Ok(())
}

/// Runs what may take time where it holds nobody up.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Wrong> + Send + 'static,
) -> Result<T, Wrong> {
    let made = apart(Box::new(move || Ok(Box::new(work()?)))).await?;
    // It is what was sent off above.
    let made = made.downcast().map_err(|_| broken())?;
    Ok(*made)
}

type Work = Box<dyn FnOnce() -> Result<Made, Wrong> + Send>;

/// What came of some work. It travels without its type: what a runtime does for a task is compiled anew for each type, and
/// was a tenth of this crate.
type Made = Box<dyn Any + Send>;

async fn apart(work: Work) -> Result<Made, Wrong> {
    let made = tokio::task::spawn_blocking(work).await;
    made.unwrap_or_else(|_| Err(broken()))
}

fn broken() -> Wrong {
    Wrong::broken("Something failed here; nothing was changed.")
}
