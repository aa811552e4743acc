//! What `index.html` asks of a build, in the notation of Trunk: `<link data-trunk rel="…" …>`.
//!
//! Trunk itself can build the same page from the same file. It is not used here because it would
//! first have to be built itself: four minutes on two cores before a visitor of a clone sees
//! anything.

use std::collections::BTreeMap;
use std::ops::Range;

const START: &str = "<link data-trunk ";

/// One such element.
#[derive(Debug, PartialEq, Eq)]
pub struct Link {
    /// Where it is in the text.
    pub at: Range<usize>,
    /// Values by name; an attribute without a value is empty.
    attributes: BTreeMap<String, String>,
}

impl Link {
    /// The value of an attribute, if the element has it.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(String::as_str)
    }
}

/// All such elements, in order.
pub fn links(html: &str) -> Vec<Link> {
    let starts = html.match_indices(START).map(|(at, _)| at);
    let link = |at: usize| {
        let rest = html.get(at + START.len()..)?;
        let length = rest.find('>')?;
        Some(Link {
            at: at..at + START.len() + length + 1,
            attributes: attributes(rest.get(..length)?),
        })
    };
    starts.filter_map(link).collect()
}

fn attributes(mut text: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    loop {
        text = text.trim_start();
        let end = text.find(|it: char| it == '=' || it.is_whitespace());
        let (name, rest) = text.split_at(end.unwrap_or(text.len()));
        if name.is_empty() {
            return found;
        }
        let quoted = rest.strip_prefix("=\"").and_then(|it| it.split_once('"'));
        let (value, rest) = quoted.unwrap_or(("", rest));
        found.insert(name.to_owned(), value.to_owned());
        text = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_read_with_values_and_flags() {
        let html = "<a>\n<link data-trunk rel=\"rust\" data-bin=\"page\" data-plain data-opt=\"z\">\n\
                    <link rel=\"icon\" href=\"x\"><link data-trunk rel=\"css\" href=\"a b.css\"></a>";
        let links = links(html);
        let [rust, css] = links.as_slice() else {
            panic!("{links:?}");
        };
        assert_eq!(rust.get("rel"), Some("rust"));
        assert_eq!(rust.get("data-bin"), Some("page"));
        assert_eq!(rust.get("data-plain"), Some(""));
        assert_eq!(rust.get("data-opt"), Some("z"));
        assert_eq!(rust.get("data-other"), None);
        assert_eq!(css.get("href"), Some("a b.css"));
        assert!(html[css.at.clone()].ends_with("a b.css\">"));
    }
}
