//! The address under which a reverse proxy offers the server to others.

use crate::host::Host;
use axum::http::Uri;
use axum::http::uri::Authority;
use std::fmt;
use std::str::FromStr;

/// The site's own URL, such as `https://tetris.example/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl {
    scheme: &'static str,
    host: Host,
    port: u16,
}

/// The text is not the URL of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PublicUrlError {
    /// It is something else.
    #[error("give the URL of the site, such as https://tetris.example/")]
    NotSite,
    /// It has a path.
    #[error("a path is not supported: give Tetrion a name of its own, such as https://tetris.example/")]
    Path,
}

impl FromStr for PublicUrl {
    type Err = PublicUrlError;

    fn from_str(text: &str) -> Result<PublicUrl, PublicUrlError> {
        let url: Uri = text.parse().map_err(|_| PublicUrlError::NotSite)?;
        let scheme = ["http", "https"].into_iter().find(|scheme| url.scheme_str() == Some(scheme));
        let (Some(scheme), Some(authority)) = (scheme, url.authority()) else {
            return Err(PublicUrlError::NotSite);
        };
        if url.path() != "/" || url.query().is_some() {
            return Err(PublicUrlError::Path);
        }
        let (host, port) = host_and_port(authority, scheme).ok_or(PublicUrlError::NotSite)?;
        Ok(PublicUrl { scheme, host, port })
    }
}

impl PublicUrl {
    /// `http` or `https`.
    pub(crate) fn scheme(&self) -> &'static str {
        self.scheme
    }

    /// Whether an authority, such as `tetris.example`, is the site's.
    pub(crate) fn has(&self, authority: &Authority) -> bool {
        host_and_port(authority, self.scheme)
            .is_some_and(|(host, port)| (host, port) == (self.host.clone(), self.port))
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PublicUrl { scheme, host, port } = self;
        write!(f, "{scheme}://{host}")?;
        if *port != default_port(scheme) {
            write!(f, ":{port}")?;
        }
        f.write_str("/")
    }
}

/// The host and the port of an authority without a user name.
pub(crate) fn host_and_port(authority: &Authority, scheme: &str) -> Option<(Host, u16)> {
    let host = authority.host().parse().ok()?;
    let port = match authority.port() {
        // Compared as text: a number can be written in many ways.
        Some(port) => Some(port.as_u16()).filter(|number| number.to_string() == port.as_str())?,
        None if authority.as_str().ends_with(':') => return None,
        None => default_port(scheme),
    };
    (!authority.as_str().contains('@')).then_some((host, port))
}

fn default_port(scheme: &str) -> u16 {
    if scheme == "https" { 443 } else { 80 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_is_a_scheme_a_host_and_a_port() {
        for (text, url) in [
            ("https://tetris.example", "https://tetris.example/"),
            ("https://Tetris.Example:443/", "https://tetris.example/"),
            ("http://tetris.lan:8080/", "http://tetris.lan:8080/"),
            ("https://[2001:db8::1]/", "https://[2001:db8::1]/"),
        ] {
            assert_eq!(text.parse::<PublicUrl>().map(|url| url.to_string()).as_deref(), Ok(url), "{text}");
        }
        for text in
            ["", "tetris.example", "tetris.example:443", "ftp://tetris.example/", "https://", "https://me@x/"]
        {
            assert_eq!(text.parse::<PublicUrl>(), Err(PublicUrlError::NotSite), "{text}");
        }
        for text in ["https://tetris.example/play", "https://tetris.example/?a"] {
            assert_eq!(text.parse::<PublicUrl>(), Err(PublicUrlError::Path), "{text}");
        }
    }

    #[test]
    fn the_default_port_may_be_written_or_not() {
        let has =
            |url: &str, authority: &str| url.parse::<PublicUrl>().unwrap().has(&authority.parse().unwrap());
        for authority in ["tetris.example", "TETRIS.example:443"] {
            assert!(has("https://tetris.example/", authority), "{authority}");
        }
        for authority in ["tetris.example:80", "tetris.example:0443", "me@tetris.example", "evil.example"] {
            assert!(!has("https://tetris.example/", authority), "{authority}");
        }
        assert!(
            has("http://tetris.lan:8080/", "tetris.lan:8080")
                && !has("http://tetris.lan:8080/", "tetris.lan")
        );
    }
}
