//! Footnotes on the wire, and what a reader sees of one. Page, HTML and Markdown all take number,
//! place, verdict and remark from here, and differ only in layout.

use serde::{Deserialize, Serialize};

use super::verdict::{IMPORTED, VerdictSpec, VerdictView};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FootnoteView {
    pub number: u32,
    pub path: String,
    pub start: u32,
    pub end: u32,
    /// For example `definition`, `the quoted words`, `called by 1`; a sentence if a model wrote the
    /// statement.
    pub why: String,
    pub check: CheckView,
    /// The statement was imported from a file, and only its lines could be checked.
    pub is_imported: bool,
}

/// The result of checking one footnote; a [`VerdictView`] without the data that goes with it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum CheckView {
    Proven,
    Supported,
    #[default]
    LinesExist,
    /// What the lines say instead, as a sentence.
    Contradicted {
        instead: String,
    },
    /// The model cited another place; this is the one it must have meant, and why.
    Repaired {
        original: String,
        why: String,
    },
    OutsideEvidence {
        original: String,
    },
    /// The footnote leads nowhere.
    Rejected {
        original: String,
        why: String,
    },
    AutoCited,
}

impl CheckView {
    pub fn verdict(&self) -> VerdictView {
        match self {
            CheckView::Proven => VerdictView::Proven,
            CheckView::Supported => VerdictView::Supported,
            CheckView::LinesExist => VerdictView::LinesExist,
            CheckView::Contradicted { .. } => VerdictView::Contradicted,
            CheckView::Repaired { .. } => VerdictView::Repaired,
            CheckView::OutsideEvidence { .. } => VerdictView::OutsideEvidence,
            CheckView::Rejected { .. } => VerdictView::Rejected,
            CheckView::AutoCited => VerdictView::AutoCited,
        }
    }

    /// The same check without proof: at best what [`VerdictView::unvouched`] allows.
    pub fn unvouched(self) -> Self {
        match self {
            CheckView::Proven => CheckView::Supported,
            other => other,
        }
    }

    /// Whether there are lines to show.
    pub fn leads_somewhere(&self) -> bool {
        !matches!(self, CheckView::Rejected { .. })
    }
}

/// Where a footnote is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShownIn {
    /// In the page.
    Page,
    /// In a file whose reader may never have heard of Footnote.
    File,
}

/// What a reader sees of a footnote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToldNote {
    pub number: u32,
    /// `path:start-end`; `None` if the footnote leads nowhere.
    pub place: Option<String>,
    /// The model's own citation, if it was different.
    pub original: Option<String>,
    pub verdict: &'static VerdictSpec,
    /// What the verdict leaves unsaid; may be empty.
    pub remark: String,
    /// What the lines say, where the sentence says something else.
    pub instead: Option<String>,
}

impl FootnoteView {
    pub fn told(&self, shown_in: ShownIn) -> ToldNote {
        let original = match &self.check {
            CheckView::Repaired { original, .. }
            | CheckView::OutsideEvidence { original }
            | CheckView::Rejected { original, .. } => Some(original.clone()),
            _ => None,
        };
        let instead = match &self.check {
            CheckView::Contradicted { instead } => Some(instead.clone()),
            _ => None,
        };
        let remark = match (self.is_imported, self.remark(shown_in)) {
            (false, remark) => remark,
            (true, remark) if remark.is_empty() => IMPORTED.to_owned(),
            (true, remark) => format!("{IMPORTED}; {remark}"),
        };
        ToldNote {
            number: self.number,
            place: self.check.leads_somewhere().then(|| self.place()),
            original,
            verdict: self.check.verdict().spec(),
            remark,
            instead,
        }
    }

    /// `path:start-end`, or `path:line` for one line.
    pub fn place(&self) -> String {
        place(&self.path, self.start, self.end)
    }

    /// Who made the citation.
    fn author(&self) -> &'static str {
        match self.is_imported {
            true => "file",
            false => "model",
        }
    }

    fn remark(&self, shown_in: ShownIn) -> String {
        match (&self.check, shown_in) {
            // Already shown as `instead`.
            (CheckView::Contradicted { instead }, _) if self.why == *instead => String::new(),
            (
                CheckView::Repaired { original, why } | CheckView::Rejected { original, why },
                ShownIn::Page,
            ) => format!("the {} said {original}: {why}", self.author()),
            (
                CheckView::Repaired { original, why } | CheckView::Rejected { original, why },
                ShownIn::File,
            ) => format!("was {original}: {why}"),
            (CheckView::OutsideEvidence { .. }, ShownIn::Page) => {
                "exists, but the model had not seen most of it".to_owned()
            }
            (CheckView::OutsideEvidence { original }, ShownIn::File) => format!("was {original}"),
            (CheckView::AutoCited, ShownIn::Page) => {
                "best match for a statement without a source".to_owned()
            }
            _ => self.why.clone(),
        }
    }
}

impl ToldNote {
    pub fn is_proven(&self) -> bool {
        self.verdict.verdict == VerdictView::Proven
    }

    /// Verdict, remark and correction on one line.
    pub fn line(&self) -> String {
        let label = self.verdict.label;
        let said = [
            self.remark.as_str(),
            self.instead.as_deref().unwrap_or_default(),
        ];
        let said: Vec<&str> = said.into_iter().filter(|said| !said.is_empty()).collect();
        match said.is_empty() {
            true => label.to_owned(),
            false => format!("{label}: {}", said.join("; ")),
        }
    }
}

/// `path:start-end`, or `path:line` for one line: the form in which a citation is copied and in
/// which models write it.
pub fn place(path: &str, start: u32, end: u32) -> String {
    match start == end {
        true => format!("{path}:{start}"),
        false => format!("{path}:{start}-{end}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(check: CheckView) -> FootnoteView {
        FootnoteView {
            number: 1,
            path: "b.py".into(),
            start: 1,
            end: 2,
            why: "names: send".into(),
            check,
            is_imported: false,
        }
    }

    #[test]
    fn each_place_explains_a_verdict_by_what_its_reader_can_know() {
        let (original, why) = ("a.py:9".to_owned(), "no such file".to_owned());
        let both = (original.clone(), why.clone());
        let instead = "Line 2 returns `False`.".to_owned();
        for (check, page, line) in [
            (CheckView::Proven, "names: send", "proven: names: send"),
            (
                CheckView::Supported,
                "names: send",
                "supported: names: send",
            ),
            (
                CheckView::LinesExist,
                "names: send",
                "lines exist: names: send",
            ),
            (
                CheckView::AutoCited,
                "best match for a statement without a source",
                "auto-cited: names: send",
            ),
            (
                CheckView::Contradicted { instead },
                "names: send",
                "contradicted: names: send; Line 2 returns `False`.",
            ),
            (
                CheckView::Repaired {
                    original: both.0,
                    why: both.1,
                },
                "the model said a.py:9: no such file",
                "repaired: was a.py:9: no such file",
            ),
            (
                CheckView::OutsideEvidence {
                    original: original.clone(),
                },
                "exists, but the model had not seen most of it",
                "outside evidence: was a.py:9",
            ),
            (
                CheckView::Rejected { original, why },
                "the model said a.py:9: no such file",
                "rejected: was a.py:9: no such file",
            ),
        ] {
            let note = note(check);
            assert_eq!(note.told(ShownIn::Page).remark, page, "{:?}", note.check);
            let told = note.told(ShownIn::File);
            assert_eq!(told.line(), line);
            let leads = note.check.leads_somewhere();
            assert_eq!(told.place, leads.then(|| "b.py:1-2".to_owned()));
            assert_eq!(told.is_proven(), note.check == CheckView::Proven);
        }
    }

    #[test]
    fn an_imported_footnote_says_so_and_is_never_proven() {
        for check in [CheckView::Proven, CheckView::Supported] {
            let note = FootnoteView {
                is_imported: true,
                ..note(check.unvouched())
            };
            let told = note.told(ShownIn::Page);
            assert_eq!(told.verdict.name, "supported");
            assert_eq!(told.remark, "imported, not vouched for; names: send");
        }
    }

    #[test]
    fn the_correction_of_a_contradicted_footnote_is_stated_once() {
        let instead = "Line 2 returns `False`.".to_owned();
        let note = FootnoteView {
            why: instead.clone(),
            ..note(CheckView::Contradicted { instead })
        };
        let told = note.told(ShownIn::Page);
        assert_eq!(told.line(), "contradicted: Line 2 returns `False`.");
    }

    #[test]
    fn one_line_is_cited_by_its_number_alone() {
        assert_eq!(place("a.py", 7, 7), "a.py:7");
        assert_eq!(place("a.py", 7, 9), "a.py:7-9");
    }
}
