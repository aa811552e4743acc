//! Which libraries X imports (RepoQA-SA, dependency questions).

use super::Kind;
use super::say::Say;
use super::subject::Subject;
use super::teller::Teller;
use super::wording::Read;
use crate::answer::{Span, facts};
use crate::lang::manifest::FactKind;

pub(super) const KIND: Kind = Kind {
    name: "libraries",
    wordings: &[
        "ASK @external|third-party|third_party|outside|npm|pip|pypi|cargo? LIBS or? modules? DO X USE REL?",
        "ASK @external|third-party|third_party|outside|npm|pip|pypi|cargo? LIBS or? modules? DO USE by|in|from|inside|within X",
        "ASK? @external|third-party|third_party|outside|npm|pip|pypi|cargo? LIBS that? X USE",
        "ASK? @external|third-party|third_party|outside|npm|pip|pypi|cargo? LIBS USE by|in|from|inside|within X",
        "ASK? @external|third-party|third_party|outside|npm|pip|pypi|cargo LIBS REL? X",
        "DO X USE any|some? @external|third-party|third_party LIBS or? modules?",
        "ASK? @external|third-party|third_party|outside|npm|pip|pypi|cargo LIBS USE?",
        "ASK? @external|third-party|third_party|outside|npm|pip|pypi|cargo? LIBS DO X have",
        "how are|is|does the? @external|third-party|third_party? LIBS ANY",
    ],
    state,
};

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let named = match read.x.is_empty() {
        true => "the project",
        false => &read.x,
    };
    let Some(x) = teller.subject(named) else {
        return false;
    };
    // For the whole project, manifests say it best.
    let is_asked = teller.question.text().trim_start().to_lowercase();
    if x == Subject::Project && !read.word.is_empty() {
        facts::state_one(teller.index, FactKind::Dependency, teller.notes);
        let is_yes_or_no = ["does", "do ", "is ", "are "]
            .iter()
            .any(|begin| is_asked.starts_with(begin));
        if is_yes_or_no && let Some(first) = teller.notes.statements.first_mut() {
            first.spans.insert(0, Span::Text("Yes. ".to_owned()));
        }
        if !teller.notes.statements.is_empty() {
            return true;
        }
    }
    let mut say = Say::new(teller);
    say.libraries(&x, !read.word.is_empty());
    say.is_said()
}
