//! The address or name that the server listens on.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// A host: an IP address, or a name in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Host {
    Address(IpAddr),
    Name(String),
}

impl Host {
    /// Reads an address or a name. An IPv6 address may have brackets, and nothing else may.
    pub(crate) fn parse(text: &str) -> Option<Host> {
        if let Some(inside) = text.strip_prefix('[') {
            return Some(Host::Address(inside.strip_suffix(']')?.parse::<Ipv6Addr>().ok()?.into()));
        }
        match text.parse() {
            Ok(address) => Some(Host::Address(address)),
            // Ports, paths and stray brackets are not part of a name.
            Err(_) if text.is_empty() || text.contains([':', '/', '[', ']']) => None,
            Err(_) => Some(Host::Name(text.to_ascii_lowercase())),
        }
    }

    /// Whether it stands for all addresses of this machine.
    pub(crate) fn is_unspecified(&self) -> bool {
        matches!(self, Host::Address(address) if address.is_unspecified())
    }

    /// The page's URL.
    pub(crate) fn url(&self, port: u16) -> String {
        match self {
            Host::Address(address) => format!("http://{}/", SocketAddr::new(*address, port)),
            Host::Name(name) => format!("http://{name}:{port}/"),
        }
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
            assert_eq!(Host::parse(text).map(|host| host.url(80)).as_deref(), Some(url));
        }
        for text in ["", "[::1", "::1]", "[", "[]", "[localhost]", "[127.0.0.1]", "localhost:80", "http://x"]
        {
            assert_eq!(Host::parse(text), None, "{text}");
        }
    }
}
