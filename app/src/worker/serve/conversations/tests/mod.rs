//! Tests of exporting a conversation and importing it again.

mod export;
mod import;
mod stored;

use footnote_core::chunk::Chunking;
use footnote_core::index::{Index, IndexBuilder, Vectors};
use footnote_core::job::run_to_end;
use footnote_core::search::{Question, Strategy as Search, search};
use footnote_core::source::{Repo, SourceFile};
use proptest::prelude::*;

use super::exchange::{ConversationFile, ImportError, RepositoryOf};
use super::parts::Handout;
use super::recheck::{counts, imported};
use super::records::Book;
use super::{html, markdown, rated};
use crate::worker::protocol::{
    AnswerView, BlockView, CheckView, ConversationId, ConversationView, FitView, FootnoteView,
    InlineView, ItemView, PlaceView, Rating, SpanView, StatementView, TurnView, VerdictView,
    WritingState, WrittenView,
};
use crate::worker::serve::views::{self, Measured};

const QUESTION: &str = "how does merge_cookies work";

/// An answer with one statement per footnote, at lines 1 to 2 of each of `paths`.
pub fn answer(question: &str, paths: &[&str]) -> AnswerView {
    let notes = (1..).zip(paths).map(|(number, path)| note(number, path));
    let statements = (1..).zip(paths).map(|(number, _)| StatementView {
        spans: vec![SpanView::Text("It is here.".into())],
        footnotes: vec![number],
        items: Vec::new(),
    });
    AnswerView {
        question: question.into(),
        asked_at: 1_700_000_000_000.0,
        refined: true,
        asked_as: None,
        kind: None,
        fit: FitView::Likely,
        nothing: None,
        note: None,
        statements: statements.collect(),
        footnotes: notes.collect(),
        evidence: Vec::new(),
        files: Vec::new(),
        milliseconds: 1.0,
        chunks: 3,
        compared_by_meaning: 0,
        written: None,
        is_imported: false,
        by: None,
        asks_first: None,
    }
}

fn note(number: u32, path: &str) -> FootnoteView {
    FootnoteView {
        number,
        path: path.into(),
        start: 1,
        end: 2,
        why: "definition".into(),
        check: CheckView::Proven,
        is_imported: false,
    }
}

fn index() -> Index {
    let files = [
        (
            "shop/cookies.py",
            "def merge_cookies(jar, cookies):\n    \"\"\"Adds cookies to a jar.\"\"\"\n    return jar  # <b>&\n",
        ),
        (
            "shop/sessions.py",
            "from shop.cookies import merge_cookies\n\n\ndef send(request):\n    return merge_cookies(request.jar, {})\n",
        ),
    ];
    let repo = Repo {
        name: "<shop>".to_owned(),
        files: files
            .map(|(path, text)| SourceFile {
                path: path.to_owned(),
                text: text.to_owned(),
            })
            .into(),
        ..Repo::default()
    };
    let Ok(index) = run_to_end(IndexBuilder::new(repo, Chunking::FUNCTION));
    index
}

/// Footnote's own answers.
fn derived(index: &Index, question: &str) -> AnswerView {
    let question = Question::new(question).unwrap();
    let vectors = Vectors::new(1, 0);
    let hits = search(index, &vectors, &question, None, &Search::default(), 10);
    let answer = footnote_core::answer::answer(index, &question, &hits);
    let measured = Measured {
        refined: true,
        milliseconds: 1.0,
        compared_by_meaning: 0,
    };
    let mut view = views::answer(index, question.text(), &answer, &hits, measured);
    view.asked_at = 1_700_000_000_000.0;
    view
}

fn written() -> WrittenView {
    let text = |text: &str| InlineView::Text(text.into());
    let rejected = CheckView::Rejected {
        original: "shop/<gone>.py:9".into(),
        why: "there is no such file".into(),
    };
    WrittenView {
        state: WritingState::Finished,
        text: "It **adds** <b>cookies</b> [shop/cookies.py:1-2].".into(),
        blocks: vec![
            BlockView::Paragraph(vec![
                text("It "),
                InlineView::Strong(vec![text("adds")]),
                text(" <b>cookies</b> & *more*"),
                InlineView::Note(1),
                InlineView::Note(2),
                InlineView::Link {
                    inlines: vec![text("see")],
                    address: "javascript:alert(1)".into(),
                },
            ]),
            BlockView::Code {
                language: "py\" onload=\"".into(),
                text: "a = '</code>```'".into(),
            },
            BlockView::List {
                start: Some(3),
                items: vec![vec![BlockView::Paragraph(vec![text("one")])]],
            },
        ],
        footnotes: vec![
            note(1, "shop/cookies.py"),
            FootnoteView {
                check: rejected,
                ..note(2, "")
            },
        ],
        counts: [VerdictView::Proven, VerdictView::Rejected]
            .into_iter()
            .collect(),
        model: "tiny-1".into(),
        origin: "http://localhost:9".into(),
        sent: vec![PlaceView {
            path: "shop/cookies.py".into(),
            start: 1,
            end: 3,
        }],
        ..WrittenView::default()
    }
}

fn conversation(answers: Vec<AnswerView>) -> ConversationView {
    let turns = answers.into_iter().map(|answer| TurnView {
        answer,
        rating: None,
    });
    ConversationView {
        id: ConversationId(5),
        title: "Jars & <script>".into(),
        about: None,
        turns: turns.collect(),
    }
}

fn handout(conversation: &ConversationView) -> Handout<'_> {
    Handout {
        title: "Jars & <script>",
        repository: "<shop>",
        day: "2026-11-22",
        conversation,
    }
}

fn repository(key: &str) -> RepositoryOf {
    RepositoryOf {
        name: "<shop>".into(),
        key: key.into(),
        files: 2,
    }
}

/// A model's text with every statement changed into a false one; the file claims that everything is
/// proven.
fn lying() -> WrittenView {
    let mut claimed = written();
    claimed.text = "It calls `erase_all` for each jar [shop/cookies.py:1-2].\n\nSee `send` [shop/gone.py:4-5].".into();
    claimed.counts.add(VerdictView::Proven, 2);
    claimed.state = WritingState::Writing;
    claimed
}

fn answers() -> impl Strategy<Value = AnswerView> {
    let check = prop_oneof![
        Just(CheckView::Proven),
        Just(CheckView::Supported),
        Just(CheckView::LinesExist),
        ".*".prop_map(|instead| CheckView::Contradicted { instead }),
        Just(CheckView::AutoCited),
        (".*", ".*").prop_map(|(original, why)| CheckView::Repaired { original, why }),
        (".*", ".*").prop_map(|(original, why)| CheckView::Rejected { original, why }),
    ];
    let note = (".*", any::<u32>(), any::<u32>(), check).prop_map(|(path, start, end, check)| {
        FootnoteView {
            path,
            start,
            end,
            check,
            ..note(1, "")
        }
    });
    let notes = prop::collection::vec(note, 0..4);
    let texts = prop::collection::vec((".*", ".*"), 0..4);
    (".*", texts, notes, any::<bool>()).prop_map(|(question, texts, notes, is_written)| {
        let mut view = answer(&question, &[]);
        view.statements = texts
            .into_iter()
            .map(|(text, code)| StatementView {
                items: vec![ItemView {
                    name: text.clone(),
                    detail: code.clone(),
                    footnote: 2,
                }],
                spans: vec![SpanView::Text(text), SpanView::Code(code)],
                footnotes: vec![1, 2],
            })
            .collect();
        view.footnotes = (1..)
            .zip(notes)
            .map(|(number, note)| FootnoteView { number, ..note })
            .collect();
        view.written = is_written.then(lying);
        view
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn an_exported_conversation_is_read_back_as_it_was(answers in prop::collection::vec(answers(), 1..4)) {
        let mut view = conversation(answers);
        for (at, turn) in (1..).zip(&mut view.turns) {
            turn.answer.asked_at = f64::from(at);
            turn.rating = (at == 2).then_some(Rating::Bad);
        }
        let text = ConversationFile::new(&handout(&view), repository("key")).write().unwrap();
        let back = ConversationFile::read(text.as_bytes()).unwrap().into_view(view.id, 0.0);
        prop_assert_eq!(back, view);
    }

    #[test]
    fn no_text_becomes_markup_and_nothing_imported_is_proven_unseen(answer in answers()) {
        let index = index();
        let checked = imported(&index, answer.clone(), &[]);
        prop_assert_eq!(counts(&checked).count(VerdictView::Proven), 0);
        let written = checked.written.iter().flat_map(|written| &written.footnotes);
        prop_assert!(checked.footnotes.iter().chain(written).all(|note| note.check != CheckView::Proven && note.is_imported));
        for answer in [answer, checked] {
            let view = conversation(vec![answer]);
            let page = html::file(&handout(&view), &index);
            let body = page.split("</head>").nth(1).unwrap();
            let known = ["!doctype", "/", "html", "body", "header", "h1", "h2", "h3", "h4", "p", "main", "article", "section", "div", "ol", "ul", "li", "a", "span", "pre", "code", "strong", "footer", "hr", "dl", "dt", "dd"];
            for tag in body.split('<').skip(1) {
                let name = tag.trim_start_matches('/');
                let name = name.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
                prop_assert!(known.contains(&name), "<{}", tag);
            }
            prop_assert_eq!(body.matches("<span").count(), body.matches("</span>").count());
            prop_assert!(markdown::file(&handout(&view)).starts_with("# Jars"));
        }
    }
}
