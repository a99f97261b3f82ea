//! Who may ask, and what browsers are told to keep to.
//!
//! The server answers to its own names only: a page from elsewhere can make its own name point here (DNS rebinding), but not
//! ask under ours. And it answers no page but its own.

use crate::refusal::{Refusal, short};
use axum::extract::{Request, State};
use axum::http::header::{
    CONTENT_SECURITY_POLICY, HOST, HeaderName, HeaderValue, ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

/// What every response says.
const HEADERS: [(HeaderName, &str); 5] = [
    (
        CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; \
         connect-src 'self'; worker-src 'self'; font-src 'self'; media-src 'self' blob:; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'",
    ),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// The names that the server answers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Names {
    /// As it was asked to listen: an address or a name.
    host: String,
    port: u16,
}

impl Names {
    pub(crate) fn new(host: &str, port: u16) -> Names {
        Names { host: host.trim_matches(['[', ']']).to_ascii_lowercase(), port }
    }

    /// Whether an authority, such as `localhost:7421`, is one of them.
    fn include(&self, authority: &str) -> bool {
        let Ok(authority) = authority.parse::<Authority>() else { return false };
        let name = authority.host().to_ascii_lowercase();
        // Brackets stand around IPv6 addresses, and around nothing else.
        let inside = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
        let address = match inside {
            Some(inside) => inside.parse().map(IpAddr::V6).ok(),
            None => name.parse().map(IpAddr::V4).ok(),
        };
        let known = match address {
            Some(address) if self.listens_everywhere() => {
                !address.is_unspecified() || self.host.parse() == Ok(address)
            }
            Some(address) => {
                let loopback = [IpAddr::from(Ipv4Addr::LOCALHOST), IpAddr::from(Ipv6Addr::LOCALHOST)];
                loopback.contains(&address) || self.host.parse() == Ok(address)
            }
            None => name == "localhost" || name == self.host,
        };
        // As text: a number can be written in many ways.
        let port = authority.port().map_or("80".to_owned(), |port| port.as_str().to_owned());
        known && !authority.as_str().contains('@') && port == self.port.to_string()
    }

    /// Then any address may be ours. Names of others stay refused, and names are what a page from elsewhere can bend.
    fn listens_everywhere(&self) -> bool {
        self.host.parse().is_ok_and(|address: IpAddr| address.is_unspecified())
    }

    /// Where its page is.
    fn url(&self) -> String {
        let Names { host, port } = self;
        match host.contains(':') {
            true => format!("http://[{host}]:{port}/"),
            false => format!("http://{host}:{port}/"),
        }
    }

    fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
        let refused = |reason: String| Refusal::new(StatusCode::FORBIDDEN, reason);
        let mut hosts = headers.get_all(HOST).iter().map(|host| host.to_str().unwrap_or_default());
        let (Some(host), None) = (hosts.next(), hosts.next()) else {
            return Err(refused("the request must say once which host it is for".to_owned()));
        };
        if let Some(other) = [Some(host), uri.authority().map(Authority::as_str)]
            .into_iter()
            .flatten()
            .find(|host| !self.include(host))
        {
            let what_to_do = match self.listens_everywhere() {
                true => "use this machine's address, or start it with --host and that name".to_owned(),
                false => format!("open {} instead", self.url()),
            };
            return Err(refused(format!("this is not {}: {what_to_do}", short(other))));
        }
        let ours = format!("http://{host}");
        if headers
            .get_all(ORIGIN)
            .iter()
            .any(|origin| !origin.as_bytes().eq_ignore_ascii_case(ours.as_bytes()))
        {
            return Err(refused("pages from elsewhere can't use this server: open its own page".to_owned()));
        }
        Ok(())
    }
}

/// Lets a request through if it may pass, and tells browsers what to keep to in any case.
pub(crate) async fn guard(State(names): State<Arc<Names>>, request: Request, next: Next) -> Response {
    let mut response = match names.check(request.uri(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_names_are_ours() {
        let names = Names::new("127.0.0.1", 7421);
        for name in ["127.0.0.1:7421", "localhost:7421", "LocalHost:7421", "[::1]:7421"] {
            assert!(names.include(name), "{name}");
        }
        for name in [
            "127.0.0.1",
            "127.0.0.1:7422",
            "localhost",
            "localhost.evil.example:7421",
            "evil.example:7421",
            "192.168.1.5:7421",
            "0.0.0.0:7421",
            "me@localhost:7421",
            "",
            "localhost:7421/x",
            "[localhost]:7421",
            "[127.0.0.1]:7421",
            "localhost:+7421",
            "localhost:07421",
            "localhost:",
        ] {
            assert!(!names.include(name), "{name}");
        }
    }

    #[test]
    fn the_name_that_was_given_is_ours_too() {
        assert!(Names::new("tetris.lan", 80).include("tetris.lan"));
        assert!(Names::new("tetris.lan", 8080).include("tetris.lan:8080"));
        assert!(Names::new("[fe80::1]", 8080).include("[fe80::1]:8080"));
    }

    #[test]
    fn listening_everywhere_any_address_is_ours_but_no_strange_name() {
        let names = Names::new("0.0.0.0", 7421);
        assert!(names.include("192.168.1.5:7421"));
        assert!(names.include("localhost:7421"));
        assert!(!names.include("evil.example:7421"));
    }
}
