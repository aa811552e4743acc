//! The wire's footnotes, and what a reader is told of one. Page, HTML and Markdown take number, place, verdict and remark
//! from here, and differ only in how they set them.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FootnoteView {
    pub number: u32,
    pub path: String,
    pub start: u32,
    pub end: u32,
    /// `definition`, `the quoted words`, `called by 1` …
    pub why: String,
    pub check: CheckView,
}

/// What came of the check of one footnote.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum CheckView {
    /// The file and the lines exist, were sent, and hold what the statement attributes to them.
    #[default]
    Verified,
    /// The model named another place; this is the one that it must have meant, and why.
    Repaired { original: String, why: String },
    /// The lines exist, but the model had not seen them.
    OutsideEvidence { original: String },
    /// There is no such source; the footnote leads nowhere.
    Rejected { original: String, why: String },
    /// The model cited nothing; these lines fit its statement best.
    AutoCited,
}

impl CheckView {
    /// The word that stands beside the footnote.
    pub fn word(&self) -> &'static str {
        match self {
            CheckView::Verified => "verified",
            CheckView::Repaired { .. } => "repaired",
            CheckView::OutsideEvidence { .. } => "outside evidence",
            CheckView::Rejected { .. } => "rejected",
            CheckView::AutoCited => "auto-cited",
        }
    }

    /// The class of its marker, which gives it its colour.
    pub fn class(&self) -> &'static str {
        match self {
            CheckView::Verified => "verified",
            CheckView::Repaired { .. } => "repaired",
            CheckView::OutsideEvidence { .. } => "outside",
            CheckView::Rejected { .. } => "rejected",
            CheckView::AutoCited => "auto",
        }
    }

    /// What the reader should know beside the word; empty for what was verified as it stood.
    pub fn about(&self) -> String {
        match self {
            CheckView::Verified => String::new(),
            CheckView::Repaired { original, why } => format!("the model said {original}: {why}"),
            CheckView::OutsideEvidence { .. } => "exists, but the model had not seen it".into(),
            CheckView::Rejected { original, why } => format!("the model said {original}: {why}"),
            CheckView::AutoCited => "best match for a statement without a source".into(),
        }
    }

    /// Whether there are lines to be shown.
    pub fn leads_somewhere(&self) -> bool {
        !matches!(self, CheckView::Rejected { .. })
    }
}

/// Where a footnote is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShownIn {
    /// In the page, under what was found without a language model.
    Found,
    /// In the page, under what a language model wrote.
    Written,
    /// In a file, whose reader may know nothing of Footnote.
    File,
}

/// What a reader is told of a footnote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToldNote {
    pub number: u32,
    /// `path:start-end`; none if the footnote leads nowhere.
    pub place: Option<String>,
    /// What a model cited where it stood otherwise.
    pub original: Option<String>,
    pub is_verified: bool,
    /// The word of the verdict.
    pub word: &'static str,
    /// The verdict's class, which gives it its colour.
    pub class: &'static str,
    /// What the verdict leaves to be said; may be empty.
    pub remark: String,
}

impl FootnoteView {
    pub fn told(&self, shown_in: ShownIn) -> ToldNote {
        let original = match &self.check {
            CheckView::Repaired { original, .. }
            | CheckView::OutsideEvidence { original }
            | CheckView::Rejected { original, .. } => Some(original.clone()),
            CheckView::Verified | CheckView::AutoCited => None,
        };
        ToldNote {
            number: self.number,
            place: self.check.leads_somewhere().then(|| self.place()),
            original,
            is_verified: self.check == CheckView::Verified,
            word: self.check.word(),
            class: self.check.class(),
            remark: self.remark(shown_in),
        }
    }

    /// `path:start-end`, or `path:line` for one line.
    pub fn place(&self) -> String {
        place(&self.path, self.start, self.end)
    }

    fn remark(&self, shown_in: ShownIn) -> String {
        let was = |original: &str, why: &str| format!("was {original}: {why}");
        match (shown_in, &self.check) {
            (ShownIn::Found, CheckView::Rejected { original, why }) => was(original, why),
            (ShownIn::Found, CheckView::OutsideEvidence { .. }) => {
                "imported; Footnote itself does not come to it".into()
            }
            (ShownIn::Found, _) | (ShownIn::Written, CheckView::Verified) => self.why.clone(),
            (ShownIn::Written, check) => check.about(),
            (ShownIn::File, CheckView::Verified | CheckView::AutoCited) => self.why.clone(),
            (
                ShownIn::File,
                CheckView::Repaired { original, why } | CheckView::Rejected { original, why },
            ) => was(original, why),
            (ShownIn::File, CheckView::OutsideEvidence { original }) => format!("was {original}"),
        }
    }
}

impl ToldNote {
    /// Verdict and remark on one line.
    pub fn verdict(&self) -> String {
        let Self { word, remark, .. } = self;
        match (&self.original, remark.as_str()) {
            (None, "") => (*word).to_owned(),
            (None, remark) => format!("{word}: {remark}"),
            (Some(_), remark) => format!("{word}, {remark}"),
        }
    }
}

/// `path:start-end`, or `path:line` for one line: a citation as it is copied, and as a model writes it.
pub fn place(path: &str, start: u32, end: u32) -> String {
    match start == end {
        true => format!("{path}:{start}"),
        false => format!("{path}:{start}-{end}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_voice_says_of_a_verdict_what_its_reader_can_know() {
        let (original, why) = ("a.py:9".to_owned(), "no such file".to_owned());
        let rejected = CheckView::Rejected {
            original: original.clone(),
            why: why.clone(),
        };
        let repaired = CheckView::Repaired {
            original: original.clone(),
            why,
        };
        let outside = CheckView::OutsideEvidence { original };
        for (check, found, written, file, verdict) in [
            (
                CheckView::Verified,
                "definition",
                "definition",
                "definition",
                "verified: definition",
            ),
            (
                CheckView::AutoCited,
                "definition",
                "best match for a statement without a source",
                "definition",
                "auto-cited: definition",
            ),
            (
                repaired,
                "definition",
                "the model said a.py:9: no such file",
                "was a.py:9: no such file",
                "repaired, was a.py:9: no such file",
            ),
            (
                outside,
                "imported; Footnote itself does not come to it",
                "exists, but the model had not seen it",
                "was a.py:9",
                "outside evidence, was a.py:9",
            ),
            (
                rejected,
                "was a.py:9: no such file",
                "the model said a.py:9: no such file",
                "was a.py:9: no such file",
                "rejected, was a.py:9: no such file",
            ),
        ] {
            let leads = check.leads_somewhere();
            let note = FootnoteView {
                number: 1,
                path: "b.py".into(),
                start: 1,
                end: 2,
                why: "definition".into(),
                check,
            };
            for (shown_in, remark) in [
                (ShownIn::Found, found),
                (ShownIn::Written, written),
                (ShownIn::File, file),
            ] {
                assert_eq!(note.told(shown_in).remark, remark, "{:?}", note.check);
            }
            let told = note.told(ShownIn::File);
            assert_eq!(told.verdict(), verdict);
            assert_eq!(told.place, leads.then(|| "b.py:1-2".to_owned()));
        }
    }

    #[test]
    fn one_line_is_cited_by_its_number_alone() {
        assert_eq!(place("a.py", 7, 7), "a.py:7");
        assert_eq!(place("a.py", 7, 9), "a.py:7-9");
    }
}
