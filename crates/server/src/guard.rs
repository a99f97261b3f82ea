//! Which requests are let in, and the security headers of every response.
//!
//! The server answers only to its own host names. A foreign page can make its own name point here (DNS rebinding), but it can't
//! send requests under ours. Requests from the scripts of other pages are refused too.

use crate::host::Host;
use crate::refusal::{Refusal, short};
use axum::extract::{Request, State};
use axum::http::header::{
    CONTENT_SECURITY_POLICY, HOST, HeaderName, HeaderValue, ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

/// The headers of every response.
const SECURITY_HEADERS: [(HeaderName, &str); 5] = [
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

/// The host names that the server answers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OwnNames {
    /// The address or name that it listens on.
    host: Host,
    port: u16,
}

impl OwnNames {
    pub(crate) fn new(host: Host, port: u16) -> OwnNames {
        OwnNames { host, port }
    }

    /// Whether an authority, such as `localhost:7421`, is one of them.
    fn include(&self, authority: &str) -> bool {
        let Ok(authority) = authority.parse::<Authority>() else { return false };
        let Some(host) = Host::parse(authority.host()) else { return false };
        let known = match &host {
            Host::Address(_) if self.host.is_unspecified() => !host.is_unspecified() || host == self.host,
            Host::Address(address) => {
                [Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()].contains(address)
                    || host == self.host
            }
            Host::Name(name) => name == "localhost" || host == self.host,
        };
        // Compared as text: a number can be written in many ways.
        let port = authority.port().map_or("80".to_owned(), |port| port.as_str().to_owned());
        known && !authority.as_str().contains('@') && port == self.port.to_string()
    }

    fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
        let refused = |reason: String| Refusal::new(StatusCode::FORBIDDEN, reason);
        let mut hosts = headers.get_all(HOST).iter().map(|host| host.to_str().unwrap_or_default());
        let (Some(host), None) = (hosts.next(), hosts.next()) else {
            return Err(refused("the request must have exactly one Host header".to_owned()));
        };
        if let Some(other) = [Some(host), uri.authority().map(Authority::as_str)]
            .into_iter()
            .flatten()
            .find(|host| !self.include(host))
        {
            let what_to_do = match self.host.is_unspecified() {
                // Any address may be ours, but other names are what a foreign page can point here.
                true => {
                    "use this machine's address, or start the server with --host and that name".to_owned()
                }
                false => format!("open {} instead", self.host.url(self.port)),
            };
            return Err(refused(format!("this server is not {}: {what_to_do}", short(other))));
        }
        let ours = format!("http://{host}");
        if headers
            .get_all(ORIGIN)
            .iter()
            .any(|origin| !origin.as_bytes().eq_ignore_ascii_case(ours.as_bytes()))
        {
            return Err(refused("other pages can't use this server: open its own page".to_owned()));
        }
        Ok(())
    }
}

/// Refuses requests for other hosts and from other pages, and adds the security headers.
pub(crate) async fn guard(State(names): State<Arc<OwnNames>>, request: Request, next: Next) -> Response {
    let mut response = match names.check(request.uri(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    for (name, value) in SECURITY_HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn names(host: &str, port: u16) -> OwnNames {
        OwnNames::new(Host::parse(host).unwrap(), port)
    }

    #[test]
    fn only_our_own_names_are_ours() {
        let names = names("127.0.0.1", 7421);
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
        assert!(names("tetris.lan", 80).include("tetris.lan"));
        assert!(names("tetris.lan", 8080).include("tetris.lan:8080"));
        assert!(names("[fe80::1]", 8080).include("[fe80::1]:8080"));
    }

    #[test]
    fn listening_everywhere_any_address_is_ours_but_no_strange_name() {
        let names = names("0.0.0.0", 7421);
        assert!(names.include("192.168.1.5:7421"));
        assert!(names.include("localhost:7421"));
        assert!(!names.include("evil.example:7421"));
    }
}
