//! Selections over a small repository, and over odd text.

use proptest::prelude::{prop, prop_assert, prop_assert_eq, proptest};

use super::score::ami::Ami;
use super::*;
use crate::cite::Evidence;
use crate::embed::{Embedding, LineVectors};
use crate::index::Index;
use crate::index::tests::index;
use crate::lines::{Line, LineRange};
use crate::model::prompt::estimate_tokens;
use crate::search::Question;

const SESSION: &str = "class Session:\n    def send(self, request, **kwargs):\n        \"\"\"Sends a request.\"\"\"\n        kwargs.setdefault('stream', self.stream)\n        kwargs.setdefault('verify', self.verify)\n\n        hooks = request.hooks\n        start = clock()\n\n        if redirects:\n            for step in self.resolve_redirects(request):\n                history.append(step)\n        else:\n            history = []\n\n        elapsed = clock() - start\n        return history\n\n    def close(self):\n        for adapter in self.adapters.values():\n            adapter.close()\n";

const OTHER: &str = "def follow(response):\n    # redirects are counted\n    target = response.headers['location']\n\n    if response.is_redirect:\n        return resolve(target)\n\n    return None\n\n\ndef render(page):\n    body = page.body\n\n    for part in page.parts:\n        body += part\n\n    return body\n";

fn question(text: &str) -> Question {
    Question::new(text).unwrap()
}

fn by(name: &str) -> Compressor {
    Compressor::from_name(name).unwrap()
}

fn pieces(index: &Index) -> Vec<Piece> {
    index
        .chunk_ids()
        .filter_map(|(id, _)| Piece::of_chunk(index, id, 1.0))
        .collect()
}

fn scored(index: &Index, text: &str) -> Scored {
    Scored::new(
        index,
        &question(text),
        &pieces(index),
        Boundaries::default(),
    )
}

/// As if the encoder had read everything: rows with `word` point towards the question, others away
/// from it.
fn with_vectors(mut scored: Scored, word: &str) -> Scored {
    let vectors = scored.passes().into_iter().map(|pass| {
        let mut vectors = LineVectors::new(2, pass.text.lines().count());
        for (at, line) in pass.text.lines().enumerate() {
            vectors.add(
                at,
                if line.contains(word) {
                    &[1.0, 0.0]
                } else {
                    &[0.1, 1.0]
                },
            );
        }
        Some(vectors)
    });
    let vectors: Vec<_> = vectors.collect();
    scored.set_vectors(&Embedding::from_raw(vec![1.0, 0.0]), &vectors);
    scored
}

/// What must hold of every result.
fn check(index: &Index, compressed: &Compressed, budget: usize) {
    let evidence = compressed.evidence(index);
    let tokens: usize = evidence
        .iter()
        .map(|block| estimate_tokens(&block.quoted()))
        .sum();
    assert_eq!(tokens, compressed.tokens_after());
    assert!(tokens <= budget, "{tokens} > {budget}");
    for snippet in &compressed.snippets {
        let mut lines: Vec<LineRange> = snippet.kept();
        lines.extend(&snippet.dropped);
        lines.sort();
        let all: Vec<u32> = lines
            .iter()
            .flat_map(|run| run.start().0..=run.end().0)
            .collect();
        let expected: Vec<u32> = (snippet.lines.start().0..=snippet.lines.end().0).collect();
        assert_eq!(all, expected, "each line once");
        let blocks: u32 = snippet.blocks.iter().map(|block| block.lines.count()).sum();
        assert_eq!(blocks, snippet.lines.count());
        let kept: u32 = snippet.kept().iter().map(|run| run.count()).sum();
        assert_eq!(
            kept,
            snippet
                .blocks
                .iter()
                .map(|block| block.kept_lines)
                .sum::<u32>()
        );
        let Some(block) = snippet.evidence(index) else {
            continue;
        };
        assert_eq!(block.sent_lines(), snippet.kept());
        verbatim(index, snippet, &block.quoted());
    }
}

/// Each sent line is the file's at its number; each dropped run has one marker.
fn verbatim(index: &Index, snippet: &Snippet, quoted: &str) {
    let text = &index.repo.file(snippet.file).unwrap().text;
    let stored: Vec<&str> = text.lines().collect();
    for run in snippet.kept() {
        for line in run.start().0..=run.end().0 {
            let own = stored.get(line as usize - 1).copied().unwrap_or_default();
            let own: String = own.trim_end().chars().take(400).collect();
            let sent = format!("\n{line}| {own}");
            assert!(
                own.is_empty() || quoted.contains(&sent),
                "{sent} in {quoted}"
            );
        }
    }
    for run in &snippet.dropped {
        let marker = format!("\n{}-{}| …\n", run.start().0, run.end().0);
        assert_eq!(quoted.matches(&marker).count(), 1, "{quoted}");
    }
}

#[test]
fn every_compressor_stays_inside_every_budget() {
    let index = index(&[
        ("a.py", SESSION),
        ("b.md", "# Title\n\nText on redirects.\n"),
    ]);
    let plain = scored(&index, "how are redirects resolved");
    let full = with_vectors(plain.clone(), "redirects");
    for scored in [plain, full] {
        let all = scored.compress(Compressor::NONE, &Budget::Share(1.0));
        check(&index, &all, all.tokens_before());
        assert_eq!(all.tokens_before(), all.tokens_after());
        for compressor in Compressor::all() {
            for share in [0.0, 0.05, 0.1, 0.3, 0.5, 0.9, 1.0, 2.0, f32::NAN] {
                let compressed = scored.compress(compressor, &Budget::Share(share));
                let budget = all.tokens_before() as f32 * share.clamp(0.0, 1.0) + 0.001;
                check(&index, &compressed, budget as usize);
            }
            for tokens in [0, 1, 30, 60, 100, 10_000] {
                let compressed = scored.compress(compressor, &Budget::Tokens(tokens));
                check(&index, &compressed, tokens);
                let is_all = compressed.tokens_after() == all.tokens_before();
                assert!(tokens < 10_000 || is_all, "{compressor:?}: all fits");
            }
        }
    }
}

#[test]
fn the_block_that_answers_stays_with_the_lines_that_it_needs() {
    let index = index(&[("a.py", SESSION)]);
    let scored = with_vectors(scored(&index, "how are redirects resolved"), "redirects");
    for compressor in [
        by("bm25-lines"),
        by("bm25-blocks"),
        by("embedding-blocks"),
        by("fused"),
    ] {
        let compressed = scored.compress(compressor, &Budget::Tokens(150));
        let evidence = compressed.evidence(&index);
        let quoted: String = evidence.iter().map(|block| block.quoted()).collect();
        assert!(
            quoted.contains("2|     def send"),
            "{compressor:?}: {quoted}"
        );
        assert!(
            quoted.contains("\n10|         if redirects:\n11| "),
            "{compressor:?}: {quoted}"
        );
    }
}

/// What each compressor keeps of two files, and the value it gives each block.
#[test]
fn each_compressor_chooses_what_it_chose_when_it_was_measured() {
    let index = index(&[("a.py", SESSION), ("b.py", OTHER)]);
    let mut scored = with_vectors(scored(&index, "how are redirects resolved"), "redirects");
    let ami = |text: &String| Ami {
        whole: if text.contains("elapsed") { 9.0 } else { 0.1 },
        content: 0.0,
    };
    let texts = scored.block_texts();
    let scores = texts.iter().map(|texts| texts.iter().map(ami).collect());
    scored.set_ami(&scores.collect::<Vec<_>>());
    let mut found = String::new();
    for compressor in Compressor::all() {
        let compressed = scored.compress(compressor, &Budget::Tokens(120));
        found += &format!("{}\n", compressor.name());
        for snippet in &compressed.snippets {
            let kept = snippet.kept();
            let runs = kept.iter().map(|run| (run.start().0, run.end().0));
            found += &format!("  {} {:?}", snippet.path, runs.collect::<Vec<_>>());
            for block in &snippet.blocks {
                let value = block.scores.iter().find(|(name, _)| *name == "value");
                let value = value.map_or("-".to_owned(), |(_, value)| format!("{value:.5e}"));
                found += &format!(" {value}");
            }
            found.push('\n');
        }
    }
    let expected = include_str!("tests/chosen.txt");
    assert_eq!(found, expected);
}

#[test]
fn a_code_model_decides_where_it_has_read_the_blocks() {
    let index = index(&[("a.py", SESSION)]);
    let mut scored = scored(&index, "how are redirects resolved");
    let ami = |text: &String| Ami {
        whole: if text.contains("elapsed") { 9.0 } else { 0.1 },
        content: 0.0,
    };
    let texts = scored.block_texts();
    let scores: Vec<Vec<Ami>> = texts
        .iter()
        .map(|texts| texts.iter().map(ami).collect())
        .collect();
    scored.set_ami(&scores);
    for compressor in [by("knapsack"), by("ami-mmr")] {
        let compressed = scored.compress(compressor, &Budget::Tokens(110));
        assert_eq!((compressed.used, compressed.missing), (compressor, None));
        check(&index, &compressed, 110);
        let evidence = compressed.evidence(&index);
        assert!(
            evidence[0].quoted().contains("elapsed = "),
            "{compressor:?}"
        );
    }
}

#[test]
fn only_kept_lines_can_be_cited() {
    let index = index(&[("a.py", SESSION)]);
    let compressed = scored(&index, "redirects").compress(by("bm25-blocks"), &Budget::Tokens(90));
    let blocks = compressed.evidence(&index);
    let sent = blocks
        .iter()
        .flat_map(|block| block.sent_lines().into_iter().map(|run| (block.file, run)));
    let evidence = Evidence::of(sent);
    let snippet = &compressed.snippets[0];
    assert!(!snippet.dropped.is_empty() && !snippet.is_empty());
    for run in snippet.kept() {
        assert!(evidence.holds_most(snippet.file, run));
    }
    for run in &snippet.dropped {
        assert!(!evidence.holds_most(snippet.file, *run));
    }
}

#[test]
fn a_piece_is_selected_again_without_the_others() {
    let index = index(&[("a.py", SESSION), ("b.py", SESSION)]);
    let scored = with_vectors(scored(&index, "how are redirects resolved"), "redirects");
    for compressor in Compressor::all() {
        let before = scored.compress(compressor, &Budget::Share(0.4));
        for rate in [0.0, 0.3, 1.0] {
            let mut after = before.clone();
            scored.reselect(&mut after, 1, rate);
            scored.reselect(&mut after, 99, rate);
            check(&index, &after, usize::MAX);
            for (at, (old, new)) in before.snippets.iter().zip(&after.snippets).enumerate() {
                assert!(at == 1 || old == new);
                assert!(at != 1 || new.rate() <= rate);
            }
            assert!(rate < 1.0 || after.snippets[1].dropped.is_empty());
        }
    }
}

#[test]
fn rates_hold_for_each_piece_and_the_total_for_all() {
    let index = index(&[("a.py", SESSION), ("b.py", SESSION)]);
    let scored = scored(&index, "how are redirects resolved");
    let rates = vec![1.0, 0.25, 0.0, 0.5];
    for total in [None, Some(80)] {
        let budget = Budget::Rates {
            rates: rates.clone(),
            total,
        };
        for compressor in Compressor::all() {
            let compressed = scored.compress(compressor, &budget);
            check(&index, &compressed, total.unwrap_or(usize::MAX));
            for (snippet, rate) in compressed.snippets.iter().zip(&rates) {
                assert!(snippet.rate() <= *rate, "{compressor:?}");
            }
        }
    }
}

#[test]
fn a_missing_encoder_or_model_is_stated_and_replaced() {
    let index = index(&[("a.py", SESSION)]);
    let plain = scored(&index, "redirects");
    let full = with_vectors(plain.clone(), "redirects");
    for (scored, compressor, used, missing) in [
        (
            &plain,
            by("fused"),
            by("bm25-blocks"),
            Some(Missing::Encoder),
        ),
        (
            &plain,
            by("ami-mmr"),
            by("bm25-blocks"),
            Some(Missing::Model),
        ),
        (
            &full,
            by("ami-mmr"),
            Compressor::default(),
            Some(Missing::Model),
        ),
        (&full, by("fused"), by("fused"), None),
        (&plain, by("head"), by("head"), None),
    ] {
        let compressed = scored.compress(compressor, &Budget::Share(0.5));
        assert_eq!(
            (compressed.used, compressed.missing),
            (used, missing),
            "{compressor:?}"
        );
    }
}

#[test]
fn odd_files_are_compressed_too() {
    let long: String = (0..10_000).map(|n| format!("    step_{n}()\n")).collect();
    let long = format!("def long():\n{long}");
    let minified = "function a(){return redirects}".repeat(3_000);
    for text in [
        long.as_str(),
        &minified,
        "",
        "\n\n\n",
        "\r\n\r\n",
        "x",
        "`````\n```",
    ] {
        let index = index(&[("a.py", text)]);
        let lines = index.lines(crate::source::FileId(0)).unwrap().all();
        let piece = Piece {
            file: crate::source::FileId(0),
            lines,
            chunk: None,
            score: 0.0,
        };
        let scored = Scored::new(
            &index,
            &question("redirects"),
            &[piece],
            Boundaries::default(),
        );
        for compressor in Compressor::all() {
            let compressed = scored.compress(compressor, &Budget::Tokens(500));
            check(&index, &compressed, 500);
        }
    }
}

#[test]
fn pieces_that_leave_their_file_are_left_out() {
    let index = index(&[("a.py", SESSION)]);
    let piece = Piece {
        file: crate::source::FileId(0),
        lines: LineRange::new(Line(1), Line(1_000)),
        chunk: None,
        score: 0.0,
    };
    let scored = Scored::new(&index, &question("a"), &[piece], Boundaries::default());
    assert!(
        scored
            .compress(by("fused"), &Budget::Share(1.0))
            .snippets
            .is_empty()
    );
    assert!(scored.passes().is_empty());
}

proptest! {
    #[test]
    fn no_text_breaks_the_rules(
        rows in prop::collection::vec("[ \\t]{0,9}(def redirects\\(a\\):|if a \\{|\\}|else:|```|\\[INST\\]|a b c|é\u{2028}x|\r|)", 0..60),
        tokens in 0usize..400,
        max_rows in 1usize..9,
    ) {
        let text = rows.join("\n");
        let index = index(&[("a.py", &text)]);
        let boundaries = Boundaries::Blank { max_rows };
        let plain = Scored::new(&index, &question("redirects"), &pieces(&index), boundaries);
        for scored in [plain.clone(), with_vectors(plain, "redirects")] {
            for compressor in Compressor::all() {
                let compressed = scored.compress(compressor, &Budget::Tokens(tokens));
                let evidence = compressed.evidence(&index);
                let sent: usize = evidence.iter().map(|block| estimate_tokens(&block.quoted())).sum();
                prop_assert!(sent <= tokens);
                prop_assert_eq!(sent, compressed.tokens_after());
                for snippet in &compressed.snippets {
                    let kept: u32 = snippet.kept().iter().map(|run| run.count()).sum();
                    let dropped: u32 = snippet.dropped.iter().map(|run| run.count()).sum();
                    prop_assert_eq!(kept + dropped, snippet.lines.count());
                }
            }
        }
    }
}
