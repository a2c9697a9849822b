//! Who comes in: connections one by one, and how long somebody may take over a request.

use axum::Router;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tower_service::Service as _;

/// So long nothing may be said on a line before a request, or in the middle of its head.
const SLOWEST_HEAD: Duration = Duration::from_secs(30);
/// So long the next part of a request's body may take.
pub(crate) const SLOWEST_BODY: Duration = Duration::from_secs(30);
/// If there is no room for another connection: until somebody has left.
const PAUSE: Duration = Duration::from_millis(200);

/// Lets people in until the process ends.
pub(crate) async fn welcome(listener: TcpListener, router: Router) {
    loop {
        match listener.accept().await {
            Ok((stream, from)) => {
                tokio::spawn(attend(stream, from, router.clone()));
            }
            Err(error) if is_his(&error) => {}
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
}

/// Whether it was the other end that changed its mind.
fn is_his(error: &std::io::Error) -> bool {
    let his = [
        ErrorKind::ConnectionAborted,
        ErrorKind::ConnectionReset,
        ErrorKind::ConnectionRefused,
    ];
    his.contains(&error.kind())
}

async fn attend(stream: TcpStream, from: SocketAddr, router: Router) {
    // Updates are small, and nobody is to wait until there are more of them.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(from));
        router.clone().call(request)
    });
    let line = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(SLOWEST_HEAD)
        // Whoever has said all he has to say may close his end and still gets his answer.
        .half_close(true)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    // What is no request was answered as far as that goes; whoever left does not hear of it.
    let _ = line.await;
}
