//! Whether X calls Y.

use super::Kind;
use super::evidence;
use super::path;
use super::say::Say;
use super::subject::Subject;
use super::teller::Teller;
use super::texts::{Text, words};
use super::wording::Read;
use crate::answer::notes::{Entry, code, text};
use crate::index::graph::SymbolId;
use crate::index::tokens::question_tokens;
use crate::lang::SymbolKind;
use crate::lines::Line;

/// Words for what need not be a call.
const USES: [&str; 4] = ["use", "uses", "used", "using"];

pub(super) const KIND: Kind = Kind {
    name: "calls",
    wordings: &[
        "DO not? X not? CALL Y",
        "DO not? Y not? CALL by|in|inside|from X",
        "DO X ever? use|uses|using Y",
        "is|are Y ever? used by|in|inside X",
    ],
    state,
};

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let y = read.y.as_deref().and_then(|y| teller.symbols_subject(y));
    match (teller.symbols_subject(&read.x), y) {
        (Some(x), Some(y)) => tell(teller, &x, &y),
        _ => false,
    }
}

/// States whether one definition calls another: certainly, perhaps, through others, or not as far
/// as the graph knows.
pub(super) fn tell(teller: &mut Teller<'_, '_>, x: &Subject, y: &Subject) -> bool {
    let (Subject::Symbols(from, _), Subject::Symbols(to, _)) = (x, y) else {
        return false;
    };
    let is_use = is_of_use(teller, x, y, to);
    if Say::new(teller).calls(x, y) || names(teller, from, to, is_use) {
        return true;
    }
    let is_far = path::state_certain(teller, from, to, "Not directly: ");
    is_far || Say::new(teller).does_not_call(x, y)
}

/// Whether a question asks for use, and the name of Y can only mean Y in X: who passes a function
/// on or compares with a class uses it, but does not call it.
fn is_of_use(teller: &Teller<'_, '_>, x: &Subject, y: &Subject, to: &[SymbolId]) -> bool {
    let asked = question_tokens(teller.question.text());
    let mut own = to.iter().filter_map(|id| teller.index.symbol(*id));
    let is_only = own.all(|symbol| {
        symbol.kind != SymbolKind::Method && teller.by_name(&symbol.name).len() == to.len()
    });
    let files = evidence::files(teller.index, x);
    let is_seen = to.iter().any(|id| files.contains(&id.file))
        || evidence::imports(teller.index, x)
            .iter()
            .any(|link| evidence::leads_to(teller.index, link, y));
    is_only && is_seen && asked.iter().any(|word| USES.contains(&word.as_str()))
}

/// States where the lines of X name Y without a call that the graph knows: a function that is
/// passed on, a class that is compared with, a call inside of a macro.
fn names(teller: &mut Teller<'_, '_>, from: &[SymbolId], to: &[SymbolId], is_use: bool) -> bool {
    let Some(name) = to.iter().find_map(|id| teller.index.symbol(*id)) else {
        return false;
    };
    let is_value = matches!(name.kind, SymbolKind::Constant | SymbolKind::Variable);
    let mut found: Vec<Entry> = Vec::new();
    for id in from {
        // A parameter or a variable of that name is something else.
        let is_hidden = teller.definition(*id).is_some_and(|definition| {
            let shape = teller.syntax.shape(&definition);
            let mut parameters = shape.parameters.iter().flatten();
            parameters.any(|it| it.name == name.name)
                || shape.assigned.iter().any(|it| it.target == name.name)
        });
        let own = teller.index.symbol(*id).map(|symbol| symbol.lines);
        let own = own.filter(|_| !is_hidden);
        let (Some(file), Some(own)) = (Text::new(teller.index, id.file), own) else {
            continue;
        };
        // The graph knows such a call: it means something else. A value can be called, too, but not
        // so that the graph sees it.
        let is_call = |line: Line| {
            let mut calls = file.parsed.calls.iter();
            !is_value && calls.any(|it| it.line == line && it.name == name.name)
        };
        let mentions = words(file.text, &name.name).into_iter();
        let mut lines: Vec<Line> = mentions
            .filter(|at| own.contains(file.line(*at)) && file.is_code(*at))
            .map(|at| file.line(at))
            .filter(|line| !is_call(*line))
            .collect();
        lines.dedup();
        let entry = |line| {
            file.entry(
                line,
                format!("{}:{}", file.path, line.0),
                String::new(),
                &name.name,
            )
        };
        found.extend(lines.into_iter().map(entry));
    }
    let Some(first) = from.first().filter(|_| !found.is_empty()) else {
        return false;
    };
    let lead = vec![
        text(match is_use {
            true => "Yes. ",
            false => "Not directly, as far as calls are known, but ",
        }),
        code(
            teller
                .index
                .symbol(*first)
                .map_or_else(String::new, |it| it.qualified.clone()),
        ),
        text(" names "),
        code(name.name.clone()),
        text(" at "),
    ];
    teller.list(lead, found)
}

#[cfg(test)]
mod tests {
    use crate::answer::notes::Notes;
    use crate::answer::plain;
    use crate::index::tests::whole_index;
    use crate::search::Question;

    const FILES: &[(&str, &str)] = &[
        (
            "src/post.py",
            "class Box:\n    def put(self):\n        pass\n\n\nclass Bag:\n    def put(self):\n        \
             pass\n\n\ndef label(item):\n    pass\n\n\ndef weigh(item):\n    label(item)\n\n\n\
             def carry(item):\n    weigh(item)\n\n\ndef sort(items):\n    \
             items.sort(key=label)\n\n\ndef store(place):\n    place.put()\n",
        ),
        (
            "src/desk.py",
            "from post import Bag, weigh\n\n\ndef serve(item):\n    weigh(item)\n    weigh(item)\n\n\n\
             def stamp(label):\n    return label\n\n\ndef empty(bag: Bag, all):\n    bag.put()\n    \
             all.each(bag.put)\n\n\ndef seal(post):\n    return [post.label, post]\n",
        ),
    ];

    #[test]
    fn a_question_on_a_call_is_answered_as_far_as_calls_are_known() {
        let index = whole_index("post-1.0", FILES);
        for (question, says) in [
            (
                "does weigh call label?",
                "Yes. `weigh` in `src/post.py` calls `label`.",
            ),
            (
                "is label called by weigh?",
                "Yes. `weigh` in `src/post.py` calls `label`.",
            ),
            (
                "does weigh ever use label?",
                "Yes. `weigh` in `src/post.py` calls `label`.",
            ),
            (
                "does carry call label?",
                "Not directly: `carry` calls `weigh`, which calls `label`.",
            ),
            (
                "does sort call label?",
                "Not directly, as far as calls are known, but `sort` names `label` at \
                 `src/post.py:24`.",
            ),
            (
                "is label used by sort?",
                "Yes. `sort` names `label` at `src/post.py:24`.",
            ),
            (
                "is label used by stamp?",
                "No. `stamp` in `src/desk.py` has no known call of `label`, nor of anything else \
                 that the repository defines.",
            ),
            (
                "is Box.put used by empty?",
                "Not directly, as far as calls are known, but `empty` names `put` at \
                 `src/desk.py:15`.",
            ),
            (
                "does seal use label?",
                "Not directly, as far as calls are known, but `seal` names `label` at \
                 `src/desk.py:19`.",
            ),
            (
                "does store call Box.put?",
                "Perhaps. `store` in `src/post.py` may call `Box.put`, on an object of unknown \
                 type.",
            ),
            (
                "does label call carry?",
                "No. `label` in `src/post.py` has no known call of `carry`, nor of anything else \
                 that the repository defines.",
            ),
            (
                "does carry call sort?",
                "No. `carry` in `src/post.py` has no known call of `sort`; it calls 1 definition \
                 of the repository: `weigh`.",
            ),
            (
                "which files call weigh?",
                "`weigh` in `src/post.py` is called in 2 files: `src/desk.py` and `src/post.py`.",
            ),
        ] {
            let question = Question::new(question).unwrap();
            let mut notes = Notes::new(&index.repo);
            super::super::state(&index, &question, &mut notes);
            let first = notes.statements.first().map(|it| plain(&it.spans));
            assert_eq!(first.as_deref(), Some(says), "{}", question.text());
        }
    }
}
