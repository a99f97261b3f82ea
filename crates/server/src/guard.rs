//! Which requests are let in, and the security headers of every response.
//!
//! The server answers only to its own host names. A foreign page can make its own name point here (DNS rebinding), but it can't
//! send requests under ours. Requests from the scripts of other pages are refused too.

use crate::host::Host;
use crate::public_url::{PublicUrl, host_and_port};
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
         connect-src 'self'; worker-src 'self' blob:; font-src 'self'; media-src 'self' blob:; base-uri 'none'; \
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
    /// What it is called behind a reverse proxy.
    public: Option<PublicUrl>,
}

impl OwnNames {
    pub(crate) fn new(host: Host, port: u16, public: Option<PublicUrl>) -> OwnNames {
        OwnNames { host, port, public }
    }

    /// The scheme of the page at an authority: `http` for `localhost:7421`, for example. `None` if the authority is not ours.
    fn scheme(&self, authority: &str) -> Option<&'static str> {
        let authority = authority.parse().ok()?;
        match &self.public {
            Some(public) if public.has(&authority) => Some(public.scheme()),
            _ => self.include(&authority).then_some("http"),
        }
    }

    /// Whether it is one of the names for clients that connect directly.
    fn include(&self, authority: &Authority) -> bool {
        let Some((host, port)) = host_and_port(authority, "http") else { return false };
        let known = match &host {
            Host::Address(_) if self.host.is_unspecified() => !host.is_unspecified() || host == self.host,
            Host::Address(address) => {
                [Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()].contains(address)
                    || host == self.host
            }
            Host::Name(name) => name == "localhost" || host == self.host,
        };
        known && port == self.port
    }

    fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
        let refused = |reason: String| Refusal::new(StatusCode::FORBIDDEN, reason);
        let mut hosts = headers.get_all(HOST).iter().map(|host| host.to_str().unwrap_or_default());
        let (Some(host), None) = (hosts.next(), hosts.next()) else {
            return Err(refused("the request must have exactly one Host header".to_owned()));
        };
        let other = |name: &str| {
            let what_to_do = match &self.public {
                Some(public) => format!("open {public} instead"),
                // Any address may be ours, but other names are what a foreign page can point here.
                None if self.host.is_unspecified() => {
                    "use this machine's address, or start the server with --host and that name".to_owned()
                }
                None => format!("open {} instead", self.host.url(self.port)),
            };
            refused(format!("this server is not {}: {what_to_do}", short(name)))
        };
        if let Some(asked) = uri.authority().map(Authority::as_str) {
            self.scheme(asked).ok_or_else(|| other(asked))?;
        }
        let scheme = self.scheme(host).ok_or_else(|| other(host))?;
        let ours = format!("{scheme}://{host}");
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

/// Refuses requests for other hosts and from other pages.
pub(crate) async fn guard(State(names): State<Arc<OwnNames>>, request: Request, next: Next) -> Response {
    match names.check(request.uri(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    }
}

/// Adds the security headers.
pub(crate) async fn secure(mut response: Response) -> Response {
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
        OwnNames::new(host.parse().unwrap(), port, None)
    }

    #[test]
    fn only_our_own_names_are_ours() {
        let names = names("127.0.0.1", 7421);
        for name in ["127.0.0.1:7421", "localhost:7421", "LocalHost:7421", "[::1]:7421"] {
            assert!(names.scheme(name).is_some(), "{name}");
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
            assert!(names.scheme(name).is_none(), "{name}");
        }
    }

    #[test]
    fn the_name_that_was_given_is_ours_too() {
        assert!(names("tetris.lan", 80).scheme("tetris.lan").is_some());
        assert!(names("tetris.lan", 8080).scheme("tetris.lan:8080").is_some());
        assert!(names("[fe80::1]", 8080).scheme("[fe80::1]:8080").is_some());
    }

    #[test]
    fn listening_everywhere_any_address_is_ours_but_no_strange_name() {
        let names = names("0.0.0.0", 7421);
        assert!(names.scheme("192.168.1.5:7421").is_some());
        assert!(names.scheme("localhost:7421").is_some());
        assert!(names.scheme("evil.example:7421").is_none());
    }

    #[test]
    fn behind_a_proxy_the_public_name_is_ours_too_and_has_its_own_scheme() {
        let public = "https://tetris.example/".parse().unwrap();
        let names = OwnNames::new("127.0.0.1".parse().unwrap(), 7421, Some(public));
        assert_eq!(names.scheme("tetris.example"), Some("https"));
        assert_eq!(names.scheme("localhost:7421"), Some("http"));
        for name in ["tetris.example:7421", "www.tetris.example", "evil.example"] {
            assert_eq!(names.scheme(name), None, "{name}");
        }
        let check = |host: &'static str, origin: &'static str| {
            let headers = [(HOST, host), (ORIGIN, origin)];
            let headers = headers.map(|(name, value)| (name, HeaderValue::from_static(value)));
            names.check(&Uri::from_static("/"), &HeaderMap::from_iter(headers)).is_ok()
        };
        assert!(check("tetris.example", "https://tetris.example"));
        assert!(check("localhost:7421", "http://localhost:7421"));
        assert!(!check("tetris.example", "http://tetris.example"));
        assert!(!check("localhost:7421", "https://tetris.example"));
        assert!(!check("tetris.example", "https://evil.example"));
    }
}
