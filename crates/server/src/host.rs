//! The address or name that the server listens on.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::str::FromStr;

/// A host: an IP address, or a name in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Host {
    /// An address.
    Address(IpAddr),
    /// A name.
    Name(String),
}

/// The text is neither an address nor a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("give an IP address or a name without a port, such as 127.0.0.1, [::1] or localhost")]
pub struct HostError;

impl FromStr for Host {
    type Err = HostError;

    /// Reads an address or a name. An IPv6 address may have brackets, and nothing else may.
    fn from_str(text: &str) -> Result<Host, HostError> {
        if let Some(inside) = text.strip_prefix('[') {
            let address = inside.strip_suffix(']').and_then(|inside| inside.parse::<Ipv6Addr>().ok());
            return address.map(|address| Host::Address(address.into())).ok_or(HostError);
        }
        match text.parse() {
            Ok(address) => Ok(Host::Address(address)),
            // Ports, paths and stray brackets are not part of a name.
            Err(_) if text.is_empty() || text.contains([':', '/', '[', ']']) => Err(HostError),
            Err(_) => Ok(Host::Name(text.to_ascii_lowercase())),
        }
    }
}

impl fmt::Display for Host {
    /// As in a URL.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Host::Address(IpAddr::V6(address)) => write!(f, "[{address}]"),
            Host::Address(IpAddr::V4(address)) => address.fmt(f),
            Host::Name(name) => name.fmt(f),
        }
    }
}

impl Host {
    /// Whether it stands for all addresses of this machine.
    pub(crate) fn is_unspecified(&self) -> bool {
        matches!(self, Host::Address(address) if address.is_unspecified())
    }

    /// The page's URL.
    pub(crate) fn url(&self, port: u16) -> String {
        format!("http://{self}:{port}/")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ipv6_addresses_have_brackets_and_then_both() {
        for (text, url) in [
            ("127.0.0.1", "http://127.0.0.1:80/"),
            ("::1", "http://[::1]:80/"),
            ("[::1]", "http://[::1]:80/"),
            ("Tetris.lan", "http://tetris.lan:80/"),
        ] {
            assert_eq!(text.parse::<Host>().map(|host| host.url(80)).as_deref(), Ok(url));
        }
        for text in ["", "[::1", "::1]", "[", "[]", "[localhost]", "[127.0.0.1]", "localhost:80", "http://x"]
        {
            assert_eq!(text.parse::<Host>(), Err(HostError), "{text}");
        }
    }
}
