//! The documents: links and paths that lead nowhere, and a README that is too long.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::process::Command;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::source::Source;
use super::violation::Violation;
use crate::shell::{Result, output};
use xtask::paths;

const README: &str = "README.md";
/// The most words in the README; the rest belongs on separate pages.
const README_WORDS: usize = 900;
/// The folder with the pages.
const PAGES: &str = "docs/";
/// A code span that starts with one of these is a path from the top of the repository.
const FOLDERS: [&str; 7] = [
    "app/", "core/", "cli/", "tests/", "xtask/", "docs/", "public/",
];

/// What the check reads from a working tree.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Files and folders from the top of the repository, with `/`.
    pub paths: BTreeSet<String>,
    /// The Markdown files, including those that are only linked to.
    pub markdown: Vec<Source>,
}

impl Tree {
    /// Reads the files that git tracks or would add.
    pub fn read() -> Result<Self> {
        let listed = output(Command::new("git").current_dir(paths::root()).args([
            "-c",
            "core.quotePath=false",
            "ls-files",
            "--cached",
            "--others",
            "--exclude-standard",
        ]))?;
        let mut tree = Self::default();
        for path in listed.lines() {
            let file = paths::root().join(path);
            // A deleted file is listed until the deletion is committed.
            if !file.exists() {
                continue;
            }
            tree.add(path);
            if path.ends_with(".md") {
                let text = fs::read_to_string(&file).map_err(|error| format!("{path}: {error}"))?;
                let path = path.to_owned();
                tree.markdown.push(Source { path, text });
            }
        }
        Ok(tree)
    }

    /// Adds a file and its folders.
    fn add(&mut self, path: &str) {
        let ends = path.match_indices('/').map(|(at, _)| at);
        let folders = ends.map(|end| path[..end].to_owned());
        self.paths.extend(folders);
        self.paths.insert(path.to_owned());
    }
}

/// Finds links and paths in the README and the pages that lead nowhere, and a README that is too
/// long.
pub fn check(tree: &Tree) -> Vec<Violation> {
    let anchors: BTreeMap<&str, BTreeSet<String>> = tree
        .markdown
        .iter()
        .map(|page| (page.path.as_str(), anchors(&page.text)))
        .collect();
    let is_document = |path: &str| path == README || path.starts_with(PAGES);
    let documents = tree.markdown.iter().filter(|page| is_document(&page.path));
    let mut violations = Vec::new();
    for page in documents {
        violations.extend(too_long(page));
        for (event, range) in events(&page.text) {
            let found = match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    broken_link(tree, &anchors, &page.path, &dest_url)
                }
                Event::Code(span) => missing_path(tree, &span),
                _ => None,
            };
            violations.extend(found.map(|found| Violation {
                place: format!("{}:{}", page.path, line_of(&page.text, &range)),
                ..found
            }));
        }
    }
    violations
}

fn too_long(page: &Source) -> Option<Violation> {
    let words = page.text.split_whitespace().count();
    (page.path == README && words > README_WORDS).then(|| Violation {
        place: README.to_owned(),
        what: format!("the README has {words} words"),
        why: format!("a reader who meets Footnote for the first time reads {README_WORDS} at most"),
        remedy: "move what only some readers need into a page of docs, and link to it".to_owned(),
    })
}

fn broken_link(
    tree: &Tree,
    anchors: &BTreeMap<&str, BTreeSet<String>>,
    page: &str,
    link: &str,
) -> Option<Violation> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = match path {
        "" => page.to_owned(),
        path => resolved(page, path),
    };
    let what = if !tree.paths.contains(&target) {
        format!("the link `{link}` leads to no file")
    } else if !anchor.is_empty()
        && anchors
            .get(target.as_str())
            .is_none_or(|known| !known.contains(anchor))
    {
        format!("the link `{link}` leads to no heading")
    } else {
        return None;
    };
    Some(nowhere(what))
}

fn missing_path(tree: &Tree, span: &str) -> Option<Violation> {
    let is_path = FOLDERS.iter().any(|folder| span.starts_with(folder));
    let is_other = |sign: char| sign.is_whitespace() || "*<>…".contains(sign);
    if !is_path || span.contains(is_other) || span.split('/').any(is_placeholder) {
        return None;
    }
    let missing = expanded(span)
        .into_iter()
        .find(|path| !tree.paths.contains(path.trim_end_matches('/')))?;
    Some(nowhere(format!("there is no `{missing}`")))
}

fn nowhere(what: String) -> Violation {
    Violation {
        place: String::new(),
        what,
        why: "a reader who follows it finds nothing".to_owned(),
        remedy: "name what is there now, or take it out".to_owned(),
    }
}

/// A link's path from the top of the repository, as seen from a page.
fn resolved(page: &str, path: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Whether a part of a path is a placeholder: `LANGUAGE`, `NAME`.
fn is_placeholder(part: &str) -> bool {
    part.len() > 1 && part.chars().all(|sign| sign.is_ascii_uppercase())
}

/// `a/{b,c}` → `a/b` and `a/c`.
fn expanded(path: &str) -> Vec<String> {
    let braces = path
        .split_once('{')
        .and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
    let Some((before, (choices, after))) = braces else {
        return vec![path.to_owned()];
    };
    let choices = choices.split(',');
    choices
        .flat_map(|choice| expanded(&format!("{before}{choice}{after}")))
        .collect()
}

fn events(text: &str) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter()
}

fn line_of(text: &str, range: &Range<usize>) -> usize {
    text[..range.start].matches('\n').count() + 1
}

/// The anchors that GitHub gives the headings of a page.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    let mut heading: Option<String> = None;
    for (event, _) in events(text) {
        match (event, &mut heading) {
            (Event::Start(Tag::Heading { .. }), _) => heading = Some(String::new()),
            (Event::Text(text) | Event::Code(text), Some(heading)) => heading.push_str(&text),
            (Event::End(TagEnd::Heading(_)), open) => {
                let slug = slug(&open.take().unwrap_or_default());
                let again = (1..).map(|number| format!("{slug}-{number}"));
                let free = std::iter::once(slug.clone())
                    .chain(again)
                    .find(|name| !anchors.contains(name));
                anchors.extend(free);
            }
            _ => {}
        }
    }
    anchors
}

fn slug(heading: &str) -> String {
    let kept = heading.chars().filter_map(|sign| match sign {
        ' ' => Some('-'),
        '-' | '_' => Some(sign),
        sign => sign.is_alphanumeric().then_some(sign),
    });
    kept.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree of these files; all texts are Markdown.
    fn tree(files: &[(&str, &str)]) -> Tree {
        let mut tree = Tree::default();
        for (path, text) in files {
            tree.add(path);
            tree.markdown.push(Source {
                path: (*path).to_owned(),
                text: (*text).to_owned(),
            });
        }
        tree
    }

    /// The violations in a page of `docs` beside another page, a record and a code file.
    fn found_in(text: &str) -> Vec<String> {
        let mut tree = tree(&[
            ("docs/page.md", text),
            (
                "docs/other.md",
                "# Other\n\n## Two `words`, and more\n\n## Twice\n\n## Twice\n",
            ),
            ("core/runs/README.md", "# A record\n"),
        ]);
        tree.add("core/src/lib.rs");
        tree.add("core/src/index/mod.rs");
        told(&check(&tree))
    }

    fn told(violations: &[Violation]) -> Vec<String> {
        let told = |found: &Violation| format!("{}: {}", found.place, found.what);
        violations.iter().map(told).collect()
    }

    #[test]
    fn the_documents_of_this_tree_lead_somewhere() {
        let found = check(&Tree::read().unwrap());
        assert_eq!(told(&found), [""; 0]);
    }

    #[test]
    fn a_link_that_leads_to_no_file_is_reported_with_its_line() {
        assert_eq!(
            found_in("# Page\n\nSee [this](gone.md).\n\n![a picture](../core/gone.svg)\n"),
            [
                "docs/page.md:3: the link `gone.md` leads to no file",
                "docs/page.md:5: the link `../core/gone.svg` leads to no file",
            ]
        );
    }

    #[test]
    fn a_link_that_leads_to_no_heading_is_reported() {
        for link in [
            "other.md#gone",
            "#gone",
            "../core/src/lib.rs#page",
            "../core#page",
            "other.md#twice-2",
        ] {
            assert_eq!(
                found_in(&format!("# Page\n\n[this]({link})\n")),
                [format!(
                    "docs/page.md:3: the link `{link}` leads to no heading"
                )]
            );
        }
    }

    #[test]
    fn links_that_lead_somewhere_or_elsewhere_are_left_alone() {
        for link in [
            "other.md",
            "./other.md",
            "other.md#two-words-and-more",
            "other.md#twice-1",
            "#page",
            "../core/src/lib.rs",
            "../core/src",
            "../core/runs/README.md#a-record",
            "https://example.com/gone.md#gone",
            "mailto:someone@example.com",
        ] {
            let found = found_in(&format!("# Page\n\n[this]({link})\n"));
            assert_eq!(found, [""; 0], "{link}");
        }
        assert!(found_in("```text\n[this](gone.md)\n```\n\n`[this](gone.md)`\n").is_empty());
    }

    #[test]
    fn a_path_that_is_not_there_is_reported() {
        for (span, missing) in [
            ("core/src/gone.rs", "core/src/gone.rs"),
            ("core/src/{lib.rs,gone.rs}", "core/src/gone.rs"),
            ("docs/gone.md", "docs/gone.md"),
            ("public/gone/", "public/gone/"),
        ] {
            assert_eq!(
                found_in(&format!(
                    "# Page\n\n| a | b |\n|---|---|\n| c | `{span}` |\n"
                )),
                [format!("docs/page.md:5: there is no `{missing}`")]
            );
        }
    }

    #[test]
    fn existing_paths_and_code_that_is_not_a_path_are_left_alone() {
        for span in [
            "core/src/lib.rs",
            "core/src/index",
            "core/src/index/",
            "core/src/{lib.rs,index/mod.rs}",
            "core/src/lang/LANGUAGE",
            "core/src/LANGUAGE/mod.rs",
            "core/src/*.rs",
            "core/src/lang/<language>/",
            "src/gone.rs",
            "corelib/gone.rs",
            "core/gone --flag",
        ] {
            assert_eq!(found_in(&format!("`{span}`\n")), [""; 0], "{span}");
        }
    }

    #[test]
    fn other_markdown_is_not_checked() {
        let tree = tree(&[("core/runs/README.md", "[this](gone.md) `core/gone.rs`\n")]);
        assert_eq!(told(&check(&tree)), [""; 0]);
    }

    #[test]
    fn a_readme_that_is_too_long_is_reported() {
        let page = |words: usize| tree(&[(README, &"word ".repeat(words))]);
        assert_eq!(told(&check(&page(README_WORDS))), [""; 0]);
        assert_eq!(
            told(&check(&page(README_WORDS + 1))),
            ["README.md: the README has 901 words"]
        );
    }
}
