//! Addresses as people type them → scheme, host, port, path.
//!
//! Parsed by hand, because so little is allowed (no user, no query, hosts of plain ASCII) and the
//! `url` crate would bring the tables of international domain names into the page.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Why a typed text is not the address of a service. Each message says what to type instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// It is blank.
    #[error("No address was given. Type one such as https://api.openai.com/v1 or localhost:11434")]
    Empty,
    /// The scheme is not http or https; holds the typed scheme in lower case.
    #[error("The address must begin with https://, or with http:// for a server of your own: {0}")]
    Scheme(String),
    /// It has `name:password@` before the host.
    #[error(
        "The address must not contain a user name, password or key. Type the key into its own field"
    )]
    Credentials,
    /// It has a `?`.
    #[error(
        "The address must not contain a question mark or anything after it: a key there would be \
         logged on its way. Type the key into its own field"
    )]
    Query,
    /// The host is invalid; holds what was typed.
    #[error(
        "This is not a host name or IP address. Use letters, digits, dots and hyphens, and write \
         an international name in its xn-- form: {0}"
    )]
    Host(String),
    /// The port is invalid; holds what follows the colon.
    #[error("The port must be a number from 1 to 65535: {0}")]
    Port(String),
    /// The path is invalid; holds the path as typed.
    #[error(
        "The path of the address contains a character that addresses cannot have. Remove spaces, \
         quotes and semicolons: {0}"
    )]
    Path(String),
}

/// A checked address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address {
    pub scheme: &'static str,
    /// In lower case; IPv6 in brackets.
    pub host: String,
    /// `None` for the scheme's usual port.
    pub port: Option<u16>,
    /// Empty, or beginning with a slash.
    pub path: String,
}

impl Address {
    pub fn parse(typed: &str) -> Result<Self, AddressError> {
        let typed = typed.trim().trim_matches(['"', '\'', '<', '>', '`']).trim();
        if typed.is_empty() {
            return Err(AddressError::Empty);
        }
        let (scheme, rest) = match typed.split_once("://") {
            Some((scheme, rest)) => (Some(scheme), rest),
            None => (None, typed),
        };
        let rest = rest.split('#').next().unwrap_or_default();
        if rest.contains('?') {
            return Err(AddressError::Query);
        }
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        if authority.contains('@') {
            return Err(AddressError::Credentials);
        }
        let (host, port) = split_port(authority)?;
        let host = clean_host(host)?;
        let scheme = match scheme.map(str::to_ascii_lowercase).as_deref() {
            Some("https") => "https",
            Some("http") => "http",
            Some(other) => return Err(AddressError::Scheme(other.to_owned())),
            None if is_own(&host) => "http",
            None => "https",
        };
        Ok(Self {
            scheme,
            host,
            port: port.filter(|&port| port != usual_port(scheme)),
            path: clean_path(path)?,
        })
    }

    pub fn origin(&self) -> String {
        match self.port {
            Some(port) => format!("{}://{}:{port}", self.scheme, self.host),
            None => format!("{}://{}", self.scheme, self.host),
        }
    }

    pub fn port_or_usual(&self) -> u16 {
        self.port.unwrap_or(usual_port(self.scheme))
    }

    /// Whether the host is this machine.
    pub fn is_loopback(&self) -> bool {
        let host = self.host.as_str();
        if host == "localhost" || host.ends_with(".localhost") {
            return true;
        }
        if let Ok(ip) = host.parse::<Ipv4Addr>() {
            return ip.is_loopback() || ip.is_unspecified();
        }
        ip_v6(host).is_some_and(|ip| ip.is_loopback() || ip.is_unspecified())
    }
}

fn usual_port(scheme: &str) -> u16 {
    if scheme == "https" { 443 } else { 80 }
}

fn ip_v6(host: &str) -> Option<Ipv6Addr> {
    host.strip_prefix('[')?.strip_suffix(']')?.parse().ok()
}

/// Whether a host is in the user's own network, where hardly anything uses https.
fn is_own(host: &str) -> bool {
    host.parse::<Ipv4Addr>().is_ok()
        || ip_v6(host).is_some()
        || !host.contains('.')
        || [".local", ".localhost", ".lan", ".internal"]
            .iter()
            .any(|end| host.ends_with(end))
}

fn split_port(authority: &str) -> Result<(&str, Option<u16>), AddressError> {
    // The colons of an IPv6 address are inside the brackets.
    let after_host = authority.find(']').map_or(0, |at| at + 1);
    let Some(colon) = authority.get(after_host..).and_then(|rest| rest.find(':')) else {
        return Ok((authority, None));
    };
    let (host, port) = authority.split_at(after_host + colon);
    match port.trim_start_matches(':') {
        "" => Ok((host, None)),
        digits => match digits.parse::<u16>() {
            Ok(number) if number > 0 => Ok((host, Some(number))),
            _ => Err(AddressError::Port(digits.to_owned())),
        },
    }
}

fn clean_host(host: &str) -> Result<String, AddressError> {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let is_name = |host: &str| {
        host.split('.')
            .all(|label| !label.is_empty() && label.len() <= 63)
            && host
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'))
    };
    if ip_v6(&host).is_some() || (host.len() <= 253 && is_name(&host)) {
        Ok(host)
    } else {
        Err(AddressError::Host(host))
    }
}

fn clean_path(path: &str) -> Result<String, AddressError> {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || "-._~!$&()*+,=:@%/".contains(c);
    if !path.chars().all(is_allowed) {
        return Err(AddressError::Path(path.to_owned()));
    }
    let parts = path.split('/').filter(|part| !part.is_empty());
    Ok(parts.map(|part| format!("/{part}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_is_not_an_address_is_refused_with_the_reason() {
        for (typed, error) in [
            ("  ", AddressError::Empty),
            ("ftp://a.example", AddressError::Scheme("ftp".to_owned())),
            (
                "javascript://a.example",
                AddressError::Scheme("javascript".to_owned()),
            ),
            ("https://me:secret@a.example/v1", AddressError::Credentials),
            ("https://a.example/v1?key=secret", AddressError::Query),
            (
                "https://a example",
                AddressError::Host("a example".to_owned()),
            ),
            (
                "https://a.example; script-src *",
                AddressError::Host("a.example; script-src *".to_owned()),
            ),
            (
                "https://*.example",
                AddressError::Host("*.example".to_owned()),
            ),
            (
                "https://bücher.example",
                AddressError::Host("bücher.example".to_owned()),
            ),
            ("https://", AddressError::Host(String::new())),
            ("https://a..b", AddressError::Host("a..b".to_owned())),
            ("http://[::1", AddressError::Host("[".to_owned())),
            ("localhost:99999", AddressError::Port("99999".to_owned())),
            ("localhost:port", AddressError::Port("port".to_owned())),
            (
                "https://a.example/v1'; x",
                AddressError::Path("/v1'; x".to_owned()),
            ),
        ] {
            assert_eq!(Address::parse(typed), Err(error), "{typed}");
        }
    }

    #[test]
    fn no_message_repeats_a_key_that_was_typed_into_an_address() {
        for typed in [
            "https://user:sk-123@a.example",
            "https://a.example/?key=sk-123",
        ] {
            let error = Address::parse(typed).unwrap_err().to_string();
            assert!(!error.contains("sk-123"), "{error}");
        }
    }
}
