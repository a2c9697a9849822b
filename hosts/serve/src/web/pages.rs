//! The page's files, as they lie in `page/`, and the book.

use crate::wrong::Wrong;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "page"]
struct Page;

#[derive(RustEmbed)]
#[folder = "../draw/fonts"]
struct Fonts;

#[derive(RustEmbed)]
#[folder = "../../book/src"]
struct Book;

/// A file of the page, or the page itself for every address that people see.
pub(crate) async fn page(uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    let found = if let Some(name) = path.strip_prefix("fonts/") {
        Fonts::get(name)
    } else if let Some(name) = path.strip_prefix("book/") {
        Book::get(name)
    } else if path.is_empty() || path.starts_with("t/") {
        Page::get(if path.is_empty() {
            "lobby.html"
        } else {
            "table.html"
        })
    } else {
        Page::get(path)
    };
    let Some(file) = found else {
        return Wrong::missing("page").into_response();
    };
    let kind = kind(if path.is_empty() || path.starts_with("t/") {
        "x.html"
    } else {
        path
    });
    // The files are of this very program: a browser asks whether they changed and is mostly told no.
    let kept = if path.starts_with("fonts/") {
        "public, max-age=604800"
    } else {
        "no-cache"
    };
    (
        StatusCode::OK,
        [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, kept)],
        file.data.into_owned(),
    )
        .into_response()
}

fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ttf" => "font/ttf",
        "json" | "webmanifest" => "application/json",
        "md" => "text/markdown; charset=utf-8",
        _ => "application/octet-stream",
    }
}
