#![no_main]

use std::sync::LazyLock;

use footnote_core::cite::{Evidence, Verdict, find};
use footnote_core::answer::review::{Review, Reviewer};
use footnote_core::chunk::Chunking;
use footnote_core::index::{Index, IndexBuilder};
use footnote_core::job::run_to_end;
use footnote_core::source::{Repo, SourceFile};
use libfuzzer_sys::fuzz_target;

static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let file = |path: &str, text: &str| SourceFile { path: path.into(), text: text.into() };
    let repo = Repo {
        name: "courier-1.0".into(),
        files: vec![
            file("docs/überblick.md", "# Ablauf\r\n\r\n`lease` leiht einen Job aus.\r\n"),
            file(
                "src/queue.py",
                "LIMIT = 60\n\nclass Queue:\n    def lease(self):\n        \"\"\"Takes the most urgent job.\"\"\"\n        return 1\n",
            ),
        ],
        ..Repo::default()
    };
    let Ok(index) = run_to_end(IndexBuilder::new(repo, Chunking::FUNCTION));
    index
});

fn whole(text: &str) -> Review {
    Reviewer::new().advance(&INDEX, &Evidence::everything(), text, true).clone()
}

fuzz_target!(|data: (u8, String)| {
    let (step, text) = data;
    for claim in find(&text) {
        assert_eq!(text.get(claim.at.clone()), Some(claim.raw.as_str()));
        assert!(claim.bracket.start <= claim.at.start && claim.at.end <= claim.bracket.end);
    }
    let review = whole(&text);
    for note in &review.notes {
        if let (Some(claim), Verdict::Verified(source)) = (&note.claim, &note.verdict) {
            let file = INDEX.repo.file(source.file()).expect("a verified file exists");
            assert_eq!(file.path, claim.path);
            assert_eq!(Some(source.lines()), claim.lines);
        }
    }
    let mut reviewer = Reviewer::new();
    let step = usize::from(step) + 1;
    for end in (0..text.len()).step_by(step) {
        let part = &text[..text.floor_char_boundary(end)];
        reviewer.advance(&INDEX, &Evidence::everything(), part, false);
    }
    assert_eq!(reviewer.advance(&INDEX, &Evidence::everything(), &text, true), &review);
});
