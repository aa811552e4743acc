//! A conversation's JSON → a conversation that is checked again. A file can say anything: nothing
//! that it claims about itself is shown as verified.

use std::sync::LazyLock;

use footnote_app::worker::protocol::{
    AnswerView, CheckView, ConversationId, FootnoteView, StatementView, VerdictView,
};
use footnote_app::worker::serve::conversations::exchange::ConversationFile;
use footnote_app::worker::serve::conversations::recheck::imported;
use serde_json::{Value, json};

use crate::mutate::{self, Rng};
use crate::sample::{INDEX, has};
use crate::target::Target;
use crate::text;

pub const TARGET: Target = Target {
    name: "import",
    make,
    check,
};

/// An export of Footnote, with an answer of its own and one that a model wrote.
static EXPORTED: LazyLock<Value> = LazyLock::new(|| {
    let own = json!({
        "question": "what does lease take?", "asked_at": 1_700_000_000_000.0, "refined": true,
        "nothing": null, "note": null,
        "statements": [{
            "spans": [{"Code": "Queue.lease"}, {"Text": " takes the most urgent job."}],
            "footnotes": [1],
        }],
        "footnotes": [{
            "number": 1, "path": "src/queue.py", "start": 5, "end": 7, "why": "definition",
            "check": "proven",
        }],
        "evidence": [{
            "path": "src/queue.py", "start": 4, "end": 7, "title": "Queue", "score": 1.5,
            "parts": [{"name": "bm25", "raw": 7.1, "weighted": 0.3}], "excerpt": "class Queue:\n",
        }],
        "files": [{"path": "src/queue.py", "confidence": 0.8}],
        "milliseconds": 2.0, "chunks": 4, "compared_by_meaning": 0, "written": null,
    });
    let mut with_model = own.clone();
    with_model["asked_at"] = json!(1_700_000_000_001.0);
    with_model["statements"] = json!([]);
    with_model["footnotes"] = json!([]);
    with_model["written"] = json!({
        "state": "Finished",
        "text": "`Queue.lease` takes the most urgent job [src/queue.py:5-7].\n\nAnd `gone` [x.py:1].",
        "blocks": [{"Paragraph": [{"Text": "It takes a job"}, {"Note": 1}]}],
        "footnotes": [{
            "number": 1, "path": "src/queue.py", "start": 5, "end": 7, "why": "", "check": "proven",
        }],
        "counts": {
            "statements": 2, "verified": 2, "repaired": 0, "outside": 0, "rejected": 0,
            "auto_cited": 0, "uncited": 0,
        },
        "model": "tiny-1", "origin": "http://localhost:9", "standalone": null, "steps": [],
        "sent": [{"path": "src/queue.py", "start": 1, "end": 7}],
        "sent_tokens": 90, "sent_bytes": 400,
        "milliseconds": 5.0,
    });
    json!({
        "footnote_conversation": 1,
        "repository": {"name": "courier-1.0", "key": "00ff", "files": 3},
        "title": "Jobs", "about": null, "exported_on": "2026-11-22",
        "turns": [{"answer": own, "rating": "good"}, {"answer": with_model, "rating": null}],
    })
});

/// Footnote's own answers: nothing else is verified without a model.
static DERIVED: LazyLock<Vec<AnswerView>> = LazyLock::new(|| {
    let bytes = EXPORTED.to_string().into_bytes();
    let file = ConversationFile::read(&bytes).expect("what was exported is read");
    let view = file.into_view(ConversationId(1), 1.0);
    view.turns.into_iter().map(|turn| turn.answer).collect()
});

fn make(rng: &mut Rng) -> Vec<u8> {
    let mut file = EXPORTED.clone();
    for _ in 0..rng.below(6) {
        let donor = any(&mut EXPORTED.clone(), rng).clone();
        let place = any(&mut file, rng);
        *place = changed(place.take(), donor, rng);
    }
    let mut bytes = file.to_string().into_bytes();
    if rng.one_in(6) {
        let tokens: [&[u8]; 6] = [
            b"null",
            b"1e999",
            b"{",
            b"\"\\ud800\"",
            b"[[[[",
            b"\"Verified\"",
        ];
        mutate::bytes(rng, &mut bytes, &tokens);
    }
    bytes
}

/// Some value inside `value`, possibly all of it.
fn any<'v>(value: &'v mut Value, rng: &mut Rng) -> &'v mut Value {
    let is_leaf = match value {
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => true,
    };
    if is_leaf || rng.one_in(7) {
        return value;
    }
    match value {
        Value::Array(items) => {
            let at = rng.below(items.len());
            any(&mut items[at], rng)
        }
        Value::Object(fields) => {
            let at = rng.below(fields.len());
            let field = fields.values_mut().nth(at).expect("a field");
            any(field, rng)
        }
        other => other,
    }
}

fn changed(value: Value, donor: Value, rng: &mut Rng) -> Value {
    match (rng.below(8), value) {
        (0, _) => donor,
        (1, _) => Value::Null,
        (2, Value::Array(mut items)) if !items.is_empty() => {
            let at = rng.below(items.len());
            match rng.one_in(2) {
                true => drop(items.remove(at)),
                false => items.insert(at, items[at].clone()),
            }
            Value::Array(items)
        }
        (2, Value::Object(mut fields)) if !fields.is_empty() => {
            let at = rng.below(fields.len());
            let name = fields.keys().nth(at).expect("a field").clone();
            fields.remove(&name);
            Value::Object(fields)
        }
        (3, _) => json!(*rng.pick(&[0_i64, 1, -1, 7, 900, 4_294_967_295, 4_294_967_296])),
        (4, _) => json!(*rng.pick(&[0.5, -1e300, 1e14, 9e15, 1e19])),
        (_, Value::String(_)) => Value::String(text::odd(rng)),
        (_, Value::Number(_)) => json!(rng.below(12)),
        (_, value) => value,
    }
}

fn check(input: &[u8]) {
    let Ok(file) = ConversationFile::read(input) else {
        return;
    };
    let _ = file.belongs_to(&INDEX, "00ff");
    let view = file.into_view(ConversationId(1), 1_700_000_000_000.0);
    let times: Vec<f64> = view.turns.iter().map(|it| it.answer.asked_at).collect();
    assert!(
        times.is_sorted_by(|a, b| a < b),
        "a time names one turn: {times:?}"
    );
    for turn in view.turns {
        let answer = imported(&INDEX, turn.answer, &DERIVED);
        let proven = answer
            .statements
            .iter()
            .filter(|it| is_shown_as_true(it, &answer));
        for statement in proven {
            assert!(is_derived(statement, &answer), "{statement:?}");
        }
        exist(&answer.footnotes);
        if let Some(written) = &answer.written {
            assert!(written.state.is_over(), "nobody goes on writing it");
            assert!(written.is_imported, "a file vouches for nothing");
            assert_eq!(written.counts.count(VerdictView::Proven), 0);
            let is_proven = |note: &FootnoteView| note.check == CheckView::Proven;
            assert!(
                !written.footnotes.iter().any(is_proven),
                "{:?}",
                written.text
            );
            exist(&written.footnotes);
        }
    }
}

fn of<'a>(statement: &StatementView, answer: &'a AnswerView) -> Vec<&'a FootnoteView> {
    let notes = answer.footnotes.iter();
    notes
        .filter(|note| statement.footnotes.contains(&note.number))
        .collect()
}

fn is_shown_as_true(statement: &StatementView, answer: &AnswerView) -> bool {
    let notes = of(statement, answer);
    !notes.is_empty() && notes.iter().all(|note| note.check == CheckView::Proven)
}

/// Whether Footnote says the same about the same lines.
fn is_derived(statement: &StatementView, answer: &AnswerView) -> bool {
    let places = |statement: &StatementView, answer: &AnswerView| {
        let notes = of(statement, answer);
        let mut places: Vec<String> = notes.iter().map(|note| note.place()).collect();
        places.sort();
        places.dedup();
        places
    };
    DERIVED.iter().any(|own| {
        own.statements.iter().any(|known| {
            known.spans == statement.spans && places(known, own) == places(statement, answer)
        })
    })
}

/// Checks that the lines of footnotes exist, if they are shown as existing.
fn exist(notes: &[FootnoteView]) {
    for note in notes {
        let is_shown = !matches!(note.check, CheckView::Rejected { .. });
        assert!(
            !is_shown || has(&note.path, note.start, note.end),
            "{note:?}"
        );
    }
}

#[test]
fn an_imported_conversation_shows_nothing_as_proven_that_is_not() {
    crate::run::test(&TARGET, 400);
}
