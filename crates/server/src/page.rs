//! The page: the files of `web/dist`, embedded in the program.

use crate::refusal::Refusal;
use axum::body::Body;
use axum::http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH};
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;
use std::fmt::Write;

/// Looked up by name in memory: no requested path ever reaches the file system.
#[derive(RustEmbed)]
#[folder = "../../web/dist"]
struct Files;

/// Files in this folder have the hash of their contents in their name, and never change.
const HASHED_FILES: &str = "assets/";

/// A file of the page.
pub(crate) async fn file(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if method != Method::GET && method != Method::HEAD {
        let refusal = Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "the page is read-only: use GET");
        let mut response = refusal.into_response();
        response.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
        return response;
    }
    let path = match uri.path() {
        "/" => "index.html",
        path => path.trim_start_matches('/'),
    };
    let Some(file) = Files::get(path) else {
        return Refusal::new(StatusCode::NOT_FOUND, "there is no such page: start at /").into_response();
    };
    let tag = entity_tag(file.metadata.sha256_hash());
    let caching =
        if path.starts_with(HASHED_FILES) { "public, max-age=31536000, immutable" } else { "no-cache" };
    let mut response = if headers.get_all(IF_NONE_MATCH).iter().any(|known| known == tag.as_str()) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let mut response = Body::from(file.data).into_response();
        response.headers_mut().insert(CONTENT_TYPE, content_type(file.metadata.mimetype()));
        response
    };
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static(caching));
    if let Ok(tag) = HeaderValue::try_from(tag) {
        response.headers_mut().insert(ETAG, tag);
    }
    response
}

fn entity_tag(hash: [u8; 32]) -> String {
    let mut tag = String::from("\"");
    for byte in &hash[..16] {
        // Writing to a string never fails.
        let _ = write!(tag, "{byte:02x}");
    }
    tag + "\""
}

fn content_type(kind: &str) -> HeaderValue {
    let kind = if kind.starts_with("text/") { format!("{kind}; charset=utf-8") } else { kind.to_owned() };
    HeaderValue::try_from(kind).unwrap_or(HeaderValue::from_static("application/octet-stream"))
}
