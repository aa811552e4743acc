//! What the page's Content-Security-Policy allows.

/// Returns the addresses, besides its own, that the page's policy lets it connect to; `None` if the
/// page has no policy, so that nothing stops it from connecting anywhere.
pub fn open_addresses() -> Option<Vec<String>> {
    let document = web_sys::window()?.document()?;
    let meta = document
        .query_selector("meta[http-equiv='Content-Security-Policy' i]")
        .ok()
        .flatten()?;
    addresses(&meta.get_attribute("content")?)
}

/// Returns what `connect-src`, or otherwise `default-src`, lists besides the page's own address.
fn addresses(policy: &str) -> Option<Vec<String>> {
    let directive = |name: &str| {
        policy.split(';').find_map(|directive| {
            let mut words = directive.split_whitespace();
            (words.next()? == name).then(|| words.map(str::to_owned).collect::<Vec<_>>())
        })
    };
    let listed = directive("connect-src").or_else(|| directive("default-src"))?;
    let own = ["'self'", "'none'", "blob:", "data:"];
    Some(
        listed
            .into_iter()
            .filter(|address| !own.contains(&address.as_str()))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_other_than_the_page_itself_come_from_connect_src() {
        let open = |addresses: &[&str]| Some(addresses.iter().map(|a| (*a).into()).collect());
        for (policy, expected) in [
            ("default-src 'none'; connect-src 'self'", open(&[])),
            (
                "connect-src 'self' https://llm.example; script-src 'self'",
                open(&["https://llm.example"]),
            ),
            ("default-src 'none'", open(&[])),
            ("default-src *", open(&["*"])),
            ("script-src 'self'", None),
        ] {
            assert_eq!(addresses(policy), expected, "{policy}");
        }
    }
}
