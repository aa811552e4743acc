//! Tests of exports and of the question set.

use std::collections::BTreeMap;

use footnote_core::eval::set::parse_set;
use serde_json::json;

use super::*;

#[test]
fn the_handed_out_page_holds_answers_and_cited_lines_with_links_both_ways() {
    let index = index();
    let conversation = conversation(vec![derived(&index, QUESTION), answer("a?", &["gone.py"])]);
    let page = html::file(&handout(&conversation), &index);
    for expected in [
        "<span class=\"no\">1</span>",
        "def</span>",
        "return</span> jar",
        "id=\"q1-0-m1\" href=\"#q1-0-n1\"",
        "id=\"q1-0-n1\"",
        "href=\"#q1-0-m1\"",
        "<span class=\"verdict\">proven</span>",
        "<li class=\"note proven\"",
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
    let page = html::file(&handout(&conversation(vec![asked])), &index);
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
    assert!(page.contains("Written by tiny-1 (http://localhost:9). 1 proven, 1 rejected."));
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
        "1. `shop/cookies.py:1-2` – proven: definition\n2. rejected: was shop/\\<gone\\>.py:9: there is no such file\n",
        "_Written by tiny-1 (http://localhost:9). 1 proven, 1 rejected._",
        "### Found without a language model\n\nIt is here. [shop/cookies.py:1-2]\n",
    ] {
        assert!(text.contains(expected), "{expected} is not in\n{text}");
    }
}

#[test]
fn a_contradicted_statement_says_so_and_what_is_there_instead() {
    let instead = "Line 3 returns `jar`.";
    let mut asked = answer("how?", &["shop/cookies.py"]);
    asked.footnotes[0].check = CheckView::Contradicted {
        instead: instead.into(),
    };
    let view = conversation(vec![asked]);
    let page = html::file(&handout(&view), &index());
    for expected in [
        "<span class=\"wrong\">It is here.</span>",
        "<p class=\"instead\">Line 3 returns `jar`.</p>",
        "1 contradicted.",
    ] {
        assert!(page.contains(expected), "{expected} is not in\n{page}");
    }
    let text = markdown::file(&handout(&view));
    for expected in [
        "It is here. [shop/cookies.py:1-2] (contradicted)",
        "– contradicted: definition; Line 3 returns \\`jar\\`.",
    ] {
        assert!(text.contains(expected), "{expected} is not in\n{text}");
    }
}

#[test]
fn exports_open_lists_and_say_that_an_answer_is_only_the_closest() {
    let mut asked = answer("how?", &["shop/cookies.py", "shop/sessions.py"]);
    asked.fit = FitView::Closest;
    asked.note = Some("Did you mean `send`?".into());
    asked.statements.truncate(1);
    asked.statements[0].items = [("jar", ""), ("send_all", "in shop")]
        .map(|(name, detail)| ItemView {
            name: name.into(),
            detail: detail.into(),
            footnote: 2,
        })
        .into();
    let view = conversation(vec![asked]);
    let made = "1 statement with its lines; it may not answer the question.";
    let page = html::file(&handout(&view), &index());
    for expected in [
        "<p>Closest I found:</p>",
        "<code>send_all</code> – in shop",
        "href=\"#q1-0-n2\"",
        "<dt>closest I found</dt>",
        made,
    ] {
        assert!(page.contains(expected), "{expected} is not in\n{page}");
    }
    assert!(!page.contains("1 proven"), "{page}");
    let text = markdown::file(&handout(&view));
    for expected in [
        "Did you mean \\`send\\`?\n\nClosest I found:\n\nIt is here.",
        "- `jar` [shop/sessions.py:1-2]\n",
        "- `send_all` – in shop [shop/sessions.py:1-2]\n",
        made,
    ] {
        assert!(text.contains(expected), "{expected} is not in\n{text}");
    }
}

#[test]
fn exports_mark_imported_parts_and_explain_the_verdicts() {
    let mut asked = answer("how?", &["shop/cookies.py"]);
    asked.is_imported = true;
    asked.footnotes[0].is_imported = true;
    asked.footnotes[0].check = CheckView::Supported;
    asked.written = Some(WrittenView {
        is_imported: true,
        origin: String::new(),
        ..written()
    });
    let view = conversation(vec![asked]);
    let page = html::file(&handout(&view), &index());
    let text = markdown::file(&handout(&view));
    for expected in [
        "Said to be written by “tiny-1” (imported, not vouched for).",
        "Said to be made without a language model (imported, not vouched for).",
        "imported, not vouched for; definition",
    ] {
        assert!(page.contains(expected), "{expected} is not in\n{page}");
        assert!(text.contains(expected), "{expected} is not in\n{text}");
    }
    for spec in crate::worker::protocol::VERDICTS {
        assert!(page.contains(spec.means), "{} is not explained", spec.label);
    }
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
        json!([{"file": "shop/cookies.py", "start": 1, "end": 2, "verdict": "proven"}])
    );
}
