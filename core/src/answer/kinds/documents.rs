//! How to install, configure, run, test, build or contribute: what the documents say under the
//! matching heading.

use super::Kind;
use super::sections::{Section, sections};
use super::teller::Teller;
use super::wording::Read;
use crate::index::tokens::{code_tokens, is_stop_word, question_tokens};
use crate::search::steps::is_changelog;

pub(super) const KIND: Kind = Kind {
    name: "documents",
    wordings: &[
        "how do|can|should|to|would i|we|you|one? @install|configure|build|compile|contribute|upgrade|migrate|uninstall X?",
        "how do|can|should|to i|we|you|one? @run|execute the|its|all? unit? test_suite|testsuite|tests|test|suite locally|myself?",
        "how do|can|should|to i|we|you|one? @run|execute the|its|all? unit? test_suite|testsuite|tests|test|suite REL? X?",
        "how do|can|should|would|to i|we|you|one? @install X for|with|to|using|including Y",
        "how do|can|should|to i|we|you|one? @build|compile|run everything|it and run? the? tests?",
        "how is|are X @installed|configured|built|compiled|tested",
        "ASK? @installation|install|configuration|setup|contributing|contribution|quickstart|usage|migration|upgrade instructions|guide|steps|guidelines|docs|documentation|command|rules? REL? X?",
        "ASK? @getting_started|quick_start REL? X?",
        "how to|do @contribute|install|setup",
        "how do|can|to i|we|you|one? @get_started|start_using|set_up|use X",
        "where|how do|can|should|to i|we|you|one? report|file|submit|raise|open|post a|an|the|my? @bug|bugs|issue|issues|problem|problems REL? X?",
        "where|how do|can|should|to i|we|you|one? report|file|submit|disclose a|an|the|my? security? @vulnerability|vulnerabilities|security_issue|security_issues|security_problem|security_bug REL? X?",
        "where are bugs|issues|problems @reported|filed",
    ],
    state,
};

/// What headings call each topic, the plainest first, and how the commands for it begin.
const TOPICS: &[(&[&str], &[&str])] = &[
    (
        &["install", "installation", "installed", "setup", "set up"],
        &[
            "installation",
            "installing",
            "install",
            "setup",
            "getting started",
            "quick start",
            "quickstart",
        ],
    ),
    (
        &["configure", "configuration", "configured"],
        &[
            "configuration",
            "configuring",
            "configure",
            "settings",
            "options",
            "setup",
        ],
    ),
    (
        &["contribute", "contributing", "contribution"],
        &[
            "contributing",
            "contribute",
            "contribution",
            "contributions",
            "pull requests",
            "development",
        ],
    ),
    (
        &["run", "execute", "tested"],
        &[
            "running the tests",
            "run tests",
            "running tests",
            "testing",
            "tests",
            "test",
            "contributing",
            "development",
        ],
    ),
    (
        &["build", "compile", "built", "compiled"],
        &[
            "building/testing",
            "building",
            "build",
            "compiling",
            "compile",
            "development",
            "contributing",
        ],
    ),
    (
        &["upgrade", "migrate", "migration", "uninstall"],
        &[
            "upgrading",
            "upgrade",
            "migrating",
            "migration",
            "breaking changes",
        ],
    ),
    (
        &[
            "bug", "bugs", "issue", "issues", "problem", "problems", "reported", "filed",
        ],
        &[
            "bugs / feature requests",
            "bug reports",
            "reporting bugs",
            "reporting issues",
            "bugs",
            "issues",
            "feedback",
            "support",
            "getting help",
            "contributing",
        ],
    ),
    (
        &[
            "vulnerability",
            "vulnerabilities",
            "security issue",
            "security issues",
            "security problem",
            "security bug",
        ],
        &[
            "reporting a vulnerability",
            "reporting vulnerabilities",
            "reporting security issues",
            "security contact",
            "security policy",
            "security",
            "vulnerability",
        ],
    ),
    (
        &[
            "getting started",
            "quick start",
            "quickstart",
            "get started",
            "start using",
            "usage",
            "use",
        ],
        &[
            "getting started",
            "quick start",
            "quickstart",
            "usage",
            "example",
            "examples",
            "tutorial",
        ],
    ),
];

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let is_project = super::subject::is_project(teller.index, &read.x);
    let Some((_, headings)) = TOPICS
        .iter()
        .find(|(words, _)| words.contains(&read.word.as_str()))
    else {
        return false;
    };
    // The section on bugs can say where not to report them.
    let is_report = headings.contains(&"bugs") || headings.contains(&"security");
    teller.is_guess = !is_project || read.y.is_some() || is_report;
    let all = sections(teller.index);
    let mut found = of_topic(&all, headings);
    if !is_project {
        // “how do I configure the logger” is answered by sections with both words in their
        // headings.
        let words = read.x.to_lowercase();
        found.retain(|section| {
            let heading = section.symbol.qualified.to_lowercase();
            words
                .split_whitespace()
                .filter(|word| word.len() > 3 && !is_stop_word(word))
                .any(|word| heading.contains(word))
        });
    }
    if found.is_empty() && is_project && headings.contains(&"install") {
        // No heading names it, but a section shows how.
        let shows = |section: &&Section<'_>| section.installs(teller.index);
        found = all.iter().filter(shows).take(1).collect();
    }
    if headings.contains(&"install") {
        own_first(teller, &all, &mut found);
    }
    if headings.contains(&"run tests") {
        runners_first(teller, &all, &mut found);
    }
    if let Some(wanted) = &read.y {
        // “install it with the redis extra” is answered by a section that names the extra.
        let words = question_tokens(wanted);
        let names = |section: &&Section<'_>| {
            let known = code_tokens(section.body(teller.index).0);
            words
                .iter()
                .any(|word| word.len() > 2 && known.contains(word))
        };
        found.retain(names);
    }
    say(teller, &all, found)
}

/// Puts sections that install the project itself before what its developers need, whatever their
/// headings. If there are none and the first installs something else, or does not name the project,
/// the answer is a guess.
fn own_first<'a, 'i>(
    teller: &mut Teller<'_, 'i>,
    all: &'a [Section<'i>],
    found: &mut Vec<&'a Section<'i>>,
) {
    let (index, own) = (teller.index, teller.own_name());
    let place = |it: &Section<'_>| (it.file, it.symbol.name_line);
    let known: Vec<_> = found.iter().map(|it| place(it)).collect();
    let others = all.iter().filter(|it| !known.contains(&place(it)));
    found.extend(others.filter(|it| it.installs_own(index, own) && !is_changelog(it.path)));
    found.sort_by_cached_key(|it| !it.installs_own(index, own));
    let names_own = |it: &&Section<'_>| {
        let text = it.body(index).0.to_lowercase();
        text.contains(&own.to_lowercase())
    };
    let is_own = found.first().is_some_and(|it| match it.installs(index) {
        true => it.installs_own(index, own),
        false => names_own(it),
    });
    teller.is_guess |= !is_own;
}

/// Puts sections that give the command for running tests before those about testing with the
/// project, and documents for those who work on it before others.
fn runners_first<'a, 'i>(
    teller: &Teller<'_, 'i>,
    all: &'a [Section<'i>],
    found: &mut Vec<&'a Section<'i>>,
) {
    let runs = |section: &Section<'i>| section.runs_tests(teller.index);
    let known: Vec<_> = found
        .iter()
        .map(|it| (it.file, it.symbol.name_line))
        .collect();
    let others = all.iter().filter(|it| it.is_for_developers() && runs(it));
    found.extend(others.filter(|it| !known.contains(&(it.file, it.symbol.name_line))));
    found.sort_by_cached_key(|it| (!runs(it), !it.is_for_developers()));
}

/// States commands and first sentences of the first two sections that have any.
fn say<'i>(teller: &mut Teller<'_, 'i>, all: &[Section<'i>], found: Vec<&Section<'i>>) -> bool {
    let mut n = 0;
    for section in found.into_iter().take(6) {
        if n == 2 {
            break;
        }
        // What stands under subheadings belongs to the section.
        let inside = |other: &&Section<'_>| {
            other.file == section.file && section.symbol.lines.encloses(other.symbol.lines)
        };
        let parts: Vec<&Section<'_>> = all.iter().filter(inside).collect();
        let commands = parts.iter().take(4).any(|part| teller.commands_of(part));
        let quote = parts.iter().take(2).any(|part| teller.quote_section(part));
        n += usize::from(commands || quote);
    }
    n > 0
}

/// Returns the sections whose headings name the topic, those with the plainest heading first.
fn of_topic<'a, 'i>(all: &'a [Section<'i>], headings: &[&str]) -> Vec<&'a Section<'i>> {
    let mut found: Vec<(usize, usize, &Section<'i>)> = Vec::new();
    for (at, section) in all.iter().enumerate() {
        let heading = section.symbol.name.to_lowercase();
        let words: Vec<&str> = heading
            .split(|c: char| !c.is_alphanumeric() && c != '/')
            .collect();
        let names = |topic: &str| {
            let parts: Vec<&str> = topic.split(' ').collect();
            words.windows(parts.len()).any(|window| window == parts)
        };
        if let Some(rank) = headings.iter().position(|topic| names(topic)) {
            let is_changes = is_changelog(section.path);
            found.push((rank + 100 * usize::from(is_changes), at, section));
        }
    }
    found.sort_by_key(|(rank, at, _)| (*rank, *at));
    found.into_iter().map(|(.., section)| section).collect()
}
