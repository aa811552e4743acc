//! What is exported of a conversation, and what becomes of it when it is imported.

use std::collections::BTreeMap;

use footnote_core::chunk::Strategy as Cut;
use footnote_core::eval::set::parse_set;
use footnote_core::index::{Index, IndexBuilder, Vectors};
use footnote_core::job::run_to_end;
use footnote_core::search::{Question, Strategy as Search, search};
use footnote_core::source::{Repo, SourceFile};
use proptest::prelude::*;
use serde_json::json;

use super::cited::Source;
use super::exchange::{ConversationFile, ImportError, RepositoryOf};
use super::parts::Handout;
use super::recheck::{Tally, recheck};
use super::records::Book;
use super::{html, markdown, rated};
use crate::worker::protocol::{
    AnswerView, BlockView, CheckView, ConversationId, ConversationView, CountsView, FootnoteView,
    InlineView, PlaceView, Rating, SpanView, StatementView, TurnView, WritingState, WrittenView,
};
use crate::worker::serve::views::{self, Measured};

const QUESTION: &str = "how does merge_cookies work";

/// An answer with one statement a footnote, at lines 1 to 2 of each of `paths`.
pub fn answer(question: &str, paths: &[&str]) -> AnswerView {
    let notes = (1..).zip(paths).map(|(number, path)| note(number, path));
    let statements = (1..).zip(paths).map(|(number, _)| StatementView {
        spans: vec![SpanView::Text("It is here.".into())],
        footnotes: vec![number],
    });
    AnswerView {
        question: question.into(),
        asked_at: 1_700_000_000_000.0,
        refined: true,
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
    }
}

fn note(number: u32, path: &str) -> FootnoteView {
    FootnoteView {
        number,
        path: path.into(),
        start: 1,
        end: 2,
        why: "definition".into(),
        check: CheckView::Verified,
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
    let Ok(index) = run_to_end(IndexBuilder::new(repo, Cut::Function));
    index
}

/// What Footnote itself answers.
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
        counts: CountsView {
            statements: 2,
            verified: 1,
            rejected: 1,
            ..CountsView::default()
        },
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

#[test]
fn the_handed_out_page_holds_answers_and_cited_lines_and_leads_to_and_fro() {
    let index = index();
    let conversation = conversation(vec![derived(&index, QUESTION), answer("a?", &["gone.py"])]);
    let page = html::file(&handout(&conversation), &mut Source::new(&index));
    for expected in [
        "<span class=\"no\">1</span>",
        "def</span>",
        "return</span> jar",
        "id=\"q1-0-m1\" href=\"#q1-0-n1\"",
        "id=\"q1-0-n1\"",
        "href=\"#q1-0-m1\"",
        "<span class=\"verdict\">verified</span>",
        "# &lt;b&gt;&amp;</span>",
        "<title>Jars &amp; &lt;script&gt;</title>",
        "The repository has no such lines.",
        "prefers-color-scheme: dark",
    ] {
        assert!(page.contains(expected), "{expected} is not in\n{page}");
    }
}

#[test]
fn the_handed_out_page_needs_nothing_from_outside_and_runs_nothing() {
    let index = index();
    let asked = AnswerView {
        written: Some(written()),
        ..answer("<img src=x onerror=alert(1)>", &["shop/cookies.py"])
    };
    let page = html::file(
        &handout(&conversation(vec![asked])),
        &mut Source::new(&index),
    );
    for forbidden in [
        "<script",
        "<img",
        "<b>",
        "</code>`",
        "src=\"",
        "href=\"http",
        "href=\"javascript",
        "url(",
        "@import",
        "onload=\"",
    ] {
        assert!(!page.contains(forbidden), "{forbidden} is in\n{page}");
    }
    assert!(page.contains(
        "Written by tiny-1 (http://localhost:9). 1 of 2 statements verified, 1 rejected."
    ));
    assert!(page.contains("was shop/&lt;gone&gt;.py:9: there is no such file"));
    assert!(page.contains("Found without a language model"));
}

#[test]
fn markdown_names_question_citations_verdicts_and_model() {
    let asked = AnswerView {
        written: Some(written()),
        ..answer("how *so*?\nTraceback", &["shop/cookies.py"])
    };
    let text = markdown::file(&handout(&conversation(vec![asked])));
    for expected in [
        "# Jars \\& \\<script\\>\n",
        "## how \\*so\\*?\n\n```\nhow *so*?\nTraceback\n```\n",
        "It **adds** \\<b\\>cookies\\</b\\> \\& \\*more\\* [shop/cookies.py:1-2] (rejected: `shop/<gone>.py:9`)see (`javascript:alert(1)`)",
        "````\na = '</code>```'\n````",
        "\n3. one\n",
        "1. `shop/cookies.py:1-2` – verified: definition\n2. rejected, was shop/\\<gone\\>.py:9: there is no such file\n",
        "_Written by tiny-1 (http://localhost:9). 1 of 2 statements verified, 1 rejected._",
        "### Found without a language model\n\nIt is here. [shop/cookies.py:1-2]\n",
    ] {
        assert!(text.contains(expected), "{expected} is not in\n{text}");
    }
}

#[test]
fn an_answer_that_footnote_comes_to_itself_is_verified_again() {
    let index = index();
    let own = derived(&index, QUESTION);
    assert!(!own.statements.is_empty());
    let (again, tally) = recheck(&index, own.clone(), std::slice::from_ref(&own));
    assert_eq!(again, own);
    let statements = own.statements.len() as u32;
    assert_eq!(
        tally,
        Tally {
            statements,
            verified: statements
        }
    );
}

/// Every way to change an answer so that it says something else, and what its footnotes then are.
#[test]
fn a_manipulated_answer_is_not_verified() {
    let index = index();
    let own = derived(&index, QUESTION);
    type Change = fn(&mut AnswerView);
    let changes: [(&str, Change, &str); 7] = [
        (
            "prose",
            |it| {
                it.statements[0]
                    .spans
                    .push(SpanView::Text(" It deletes all.".into()))
            },
            "outside evidence",
        ),
        (
            "name",
            |it| it.statements[0].spans = vec![SpanView::Code("erase_all".into())],
            "rejected",
        ),
        (
            "file",
            |it| {
                it.footnotes
                    .iter_mut()
                    .for_each(|note| note.path = "shop/gone.py".into())
            },
            "rejected",
        ),
        (
            "lines",
            |it| {
                it.footnotes
                    .iter_mut()
                    .for_each(|note| (note.start, note.end) = (900, 901))
            },
            "rejected",
        ),
        (
            "no lines",
            |it| {
                it.footnotes
                    .iter_mut()
                    .for_each(|note| (note.start, note.end) = (0, 0))
            },
            "rejected",
        ),
        (
            "other lines",
            |it| {
                it.footnotes
                    .iter_mut()
                    .for_each(|note| (note.start, note.end) = (1, 1))
            },
            "outside evidence",
        ),
        (
            "verdict",
            |it| {
                it.statements[0].spans = vec![SpanView::Code("erase_all".into())];
                it.footnotes[0].check = CheckView::Repaired {
                    original: "x".into(),
                    why: "y".into(),
                };
            },
            "rejected",
        ),
    ];
    for (what, change, expected) in changes {
        let mut answer = own.clone();
        answer.statements.truncate(1);
        change(&mut answer);
        let (checked, tally) = recheck(&index, answer, std::slice::from_ref(&own));
        assert_eq!(tally.verified, 0, "{what}");
        let words: Vec<_> = checked
            .footnotes
            .iter()
            .map(|note| note.check.word())
            .collect();
        assert!(
            !words.is_empty() && words.iter().all(|word| *word == expected),
            "{what}: {words:?}"
        );
    }
}

#[test]
fn a_footnote_that_no_statement_cites_and_a_statement_without_one_vouch_for_nothing() {
    let index = index();
    let own = derived(&index, QUESTION);
    let mut answer = own.clone();
    answer.statements = vec![StatementView {
        spans: vec![SpanView::Text("All is well.".into())],
        footnotes: vec![77],
    }];
    let (checked, tally) = recheck(&index, answer, &[own]);
    assert_eq!(checked.footnotes, []);
    assert_eq!(
        tally,
        Tally {
            statements: 1,
            verified: 0
        }
    );
}

#[test]
fn a_footnote_of_a_true_and_a_false_statement_becomes_two() {
    let index = index();
    let own = derived(&index, QUESTION);
    let mut answer = own.clone();
    answer.statements.truncate(1);
    let mut lie = answer.statements[0].clone();
    lie.spans = vec![SpanView::Code("erase_all".into())];
    answer.statements.push(lie);
    let (checked, tally) = recheck(&index, answer, &[own]);
    assert_eq!(
        tally,
        Tally {
            statements: 2,
            verified: 1
        }
    );
    let first = &checked.statements[0].footnotes;
    assert!(
        checked.statements[1]
            .footnotes
            .iter()
            .all(|number| !first.contains(number))
    );
}

#[test]
fn excerpts_come_from_the_repository_and_not_from_the_file() {
    let index = index();
    let own = derived(&index, QUESTION);
    let mut answer = own.clone();
    answer.evidence[0].excerpt = "verified: anything".into();
    answer.evidence[1].path = "gone.py".into();
    answer.files.push(crate::worker::protocol::AnswerFileView {
        path: "gone.py".into(),
        confidence: 1.0,
    });
    let (checked, _) = recheck(&index, answer, std::slice::from_ref(&own));
    assert_eq!(checked.evidence[0].excerpt, own.evidence[0].excerpt);
    assert_eq!(checked.evidence.len(), own.evidence.len() - 1);
    assert_eq!(checked.files, own.files);
}

/// What a model wrote, with every statement changed into a false one; the file claims that all is well.
fn lying() -> WrittenView {
    let mut claimed = written();
    claimed.text = "It calls `erase_all` for each jar [shop/cookies.py:1-2].\n\nSee `send` [shop/gone.py:4-5].".into();
    claimed.counts.verified = 2;
    claimed.state = WritingState::Writing;
    claimed
}

#[test]
fn what_a_model_is_said_to_have_written_is_reviewed_and_not_believed() {
    let index = index();
    let checked = |claimed| {
        let asked = AnswerView {
            written: Some(claimed),
            ..answer("a?", &[])
        };
        let (checked, tally) = recheck(&index, asked, &[]);
        (checked.written.unwrap(), tally.verified)
    };
    let (again, verified) = checked(lying());
    assert_eq!((again.counts.verified, verified), (0, 0));
    assert!(again.state.is_over());
    assert!(!again.footnotes.is_empty());
    for note in &again.footnotes {
        assert_eq!(note.check.word(), "rejected", "{note:?}");
    }
    let mut honest = written();
    honest.text = "`merge_cookies` adds cookies to a jar [shop/cookies.py:1-2].".into();
    honest.blocks = vec![BlockView::Paragraph(vec![InlineView::Text(
        "All is verified.".into(),
    )])];
    let (again, verified) = checked(honest.clone());
    assert_eq!((again.counts.statements, verified), (1, 1));
    assert_ne!(
        again.blocks, honest.blocks,
        "the blocks are made from the text"
    );
    honest.sent.clear();
    let (again, verified) = checked(honest);
    assert_eq!(verified, 0, "the model had not seen the lines");
    assert_eq!(again.footnotes[0].check.word(), "outside evidence");
}

#[test]
fn other_files_versions_and_repositories_are_refused_in_a_sentence() {
    let index = index();
    let read = |text: &str| ConversationFile::read(text.as_bytes());
    assert!(matches!(read("PK\u{3}"), Err(ImportError::NotOne(_))));
    assert!(matches!(read("{}"), Err(ImportError::NotOne(_))));
    assert!(matches!(
        read(r#"{"footnote_conversation":1}"#),
        Err(ImportError::NotOne(_))
    ));
    assert_eq!(
        read(r#"{"footnote_conversation":7,"new":1}"#),
        Err(ImportError::Later(7))
    );
    let view = conversation(vec![answer("a?", &["gone.py"])]);
    let file = ConversationFile::new(&handout(&view), repository("other"));
    let refused = Err(ImportError::OtherRepository("<shop>".into()));
    assert_eq!(file.belongs_to(&index, "key"), refused);
    assert_eq!(file.belongs_to(&index, "other"), Ok(()));
    let view = conversation(vec![answer("a?", &["gone.py", "shop/cookies.py"])]);
    let file = ConversationFile::new(&handout(&view), repository("other"));
    assert_eq!(
        file.belongs_to(&index, "key"),
        Ok(()),
        "another version of it"
    );
    let empty = conversation(Vec::new());
    let text = ConversationFile::new(&handout(&empty), repository("key"))
        .write()
        .unwrap();
    assert_eq!(read(&text), Err(ImportError::Empty));
}

#[test]
fn turns_that_claim_one_time_or_none_get_times_of_their_own() {
    let mut view = conversation(vec![
        answer("a?", &[]),
        answer("b?", &[]),
        answer("c?", &[]),
    ]);
    view.turns[2].answer.asked_at = -5.0;
    let text = ConversationFile::new(&handout(&view), repository("key"))
        .write()
        .unwrap();
    let file = ConversationFile::read(text.as_bytes()).unwrap();
    let view = file.into_view(ConversationId(9), 1_800_000_000_000.0);
    let times: Vec<f64> = view.turns.iter().map(|turn| turn.answer.asked_at).collect();
    assert_eq!(
        times,
        [
            1_700_000_000_000.0,
            1_700_000_000_001.0,
            1_800_000_000_000.0
        ]
    );
}

#[test]
fn good_answers_are_a_set_that_the_evaluation_reads_and_bad_ones_have_no_gold() {
    let mut good = answer("how?", &["shop/cookies.py", "shop/sessions.py"]);
    good.footnotes[1].check = CheckView::OutsideEvidence {
        original: "x".into(),
    };
    let by_model = AnswerView {
        written: Some(written()),
        ..answer("why?", &[])
    };
    let at = |at| (ConversationId(5), at);
    let book = Book {
        turns: BTreeMap::from([
            (at(1), good),
            (at(2), by_model),
            (at(3), answer("bad?", &["shop/cookies.py"])),
            (at(4), answer("unrated?", &["shop/cookies.py"])),
        ]),
        ratings: BTreeMap::from([
            (at(1), Rating::Good),
            (at(2), Rating::Good),
            (at(3), Rating::Bad),
        ]),
        ..Book::default()
    };
    let text = rated::set(&book, "shop.zip", Rating::Good).unwrap();
    let set = parse_set(&text).unwrap();
    let queries: Vec<_> = set.iter().map(|item| item.query.as_str()).collect();
    assert_eq!(queries, ["how?", "why?"]);
    for item in &set {
        assert_eq!(item.archive, "shop.zip");
        assert_eq!(item.gold_files, ["shop/cookies.py"]);
        assert_eq!(item.gold_spans[0].lines().to_string(), "1-2");
    }
    let told: serde_json::Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
    assert_eq!(told["model"], "tiny-1");
    assert_eq!(told["footnotes"][1]["verdict"], "rejected");
    let text = rated::set(&book, "shop.zip", Rating::Bad).unwrap();
    let set = parse_set(&text).unwrap();
    assert_eq!((set.len(), set[0].gold_files.len()), (1, 0));
    let told: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        told["footnotes"],
        json!([{"file": "shop/cookies.py", "start": 1, "end": 2, "verdict": "verified"}])
    );
}

fn answers() -> impl Strategy<Value = AnswerView> {
    let check = prop_oneof![
        Just(CheckView::Verified),
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
    fn no_text_becomes_markup_and_nothing_imported_is_verified_unseen(answer in answers()) {
        let index = index();
        let (checked, tally) = recheck(&index, answer.clone(), &[]);
        prop_assert_eq!(tally.verified, 0);
        prop_assert!(checked.footnotes.iter().all(|note| note.check != CheckView::Verified));
        for answer in [answer, checked] {
            let view = conversation(vec![answer]);
            let page = html::file(&handout(&view), &mut Source::new(&index));
            let body = page.split("</head>").nth(1).unwrap();
            let known = ["!doctype", "/", "html", "body", "header", "h1", "h2", "h3", "h4", "p", "main", "article", "section", "div", "ol", "ul", "li", "a", "span", "pre", "code", "strong", "footer", "hr"];
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
