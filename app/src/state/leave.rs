//! An external link that the user sees in full before following it.

use super::{Panel, State};

/// Where a link leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elsewhere {
    /// The full address.
    pub address: String,
    /// The host that would be asked for it.
    pub host: String,
    /// Whether Footnote made the address, not a model or a document.
    pub is_own: bool,
}

impl Elsewhere {
    /// `None` unless this is a plain web address: not for scripts, paths, or addresses that a
    /// browser would read differently.
    pub fn new(address: &str) -> Option<Self> {
        let rest = ["https://", "http://"]
            .iter()
            .find_map(|scheme| address.strip_prefix(scheme))?;
        // Browsers drop line breaks and tabs, and treat `\` as `/`.
        let reads_differently = |c: char| c.is_whitespace() || c.is_control() || c == '\\';
        if address.contains(reads_differently) {
            return None;
        }
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let host = rest.get(..end)?;
        // Rules out user names before `@`, look-alike letters and escapes.
        let is_plain = |c: char| c.is_ascii_alphanumeric() || ".-:[]".contains(c);
        let starts_well = host.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '[');
        (starts_well && host.chars().all(is_plain)).then(|| Self {
            address: address.to_owned(),
            host: host.to_owned(),
            is_own: false,
        })
    }
}

impl Elsewhere {
    /// The same for an address that Footnote made.
    pub fn own(address: &str) -> Option<Self> {
        let to = Self::new(address)?;
        Some(Self { is_own: true, ..to })
    }
}

impl State {
    /// The user clicked a link: shows where it leads, without opening it.
    pub fn look_at_link(&mut self, to: Elsewhere) {
        self.leaving = Some(to);
        self.panel = Some(Panel::Leave);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_web_addresses_can_be_opened() {
        for (address, host) in [
            ("https://docs.example/a?b=c#d", Some("docs.example")),
            ("http://localhost:8080", Some("localhost:8080")),
            ("http://[::1]:80/x", Some("[::1]:80")),
            ("https://a.example?secret", Some("a.example")),
            ("https://good.example@evil.example/", None),
            ("https://good.example\\@evil.example/", None),
            ("https://evil\n.example/", None),
            ("https://\u{430}pple.example/", None),
            ("https://%65vil.example/", None),
            ("https:///x", None),
            ("https://:80/", None),
            ("javascript:alert(1)", None),
            ("data:text/html,x", None),
            ("//evil.example", None),
            ("docs/usage.md", None),
            ("", None),
        ] {
            let elsewhere = Elsewhere::new(address);
            let found = elsewhere.as_ref().map(|it| it.host.as_str());
            assert_eq!(found, host, "{address:?}");
        }
    }

    #[test]
    fn a_click_on_a_link_shows_where_it_leads_and_does_no_more() {
        let mut state = State::default();
        let to = Elsewhere::new("https://docs.example/").unwrap();
        state.look_at_link(to.clone());
        assert_eq!(state.panel, Some(Panel::Leave));
        assert_eq!(state.leaving, Some(to));
        state.hide(Panel::Leave);
        assert_eq!(state.panel, None);
    }
}
