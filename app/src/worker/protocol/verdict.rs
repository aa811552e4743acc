//! The verdicts: one row each, with all texts about it. Page, hover, screen reader, Markdown, HTML
//! and JSON take names, words, sentences and classes from here; `docs/verdicts.md` holds the same
//! sentences.

use footnote_core::answer::review::Standing;
use serde::{Deserialize, Serialize};

/// Shown for imported content that nothing vouches for.
pub const IMPORTED: &str = "imported, not vouched for";

/// The verdict on a footnote or a statement. Better verdicts come first: a statement is as good as
/// the worst of its footnotes.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum VerdictView {
    Proven,
    Supported,
    #[default]
    LinesExist,
    Repaired,
    OutsideEvidence,
    Rejected,
    Contradicted,
    AutoCited,
    Uncited,
}

/// The texts about a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerdictSpec {
    pub verdict: VerdictView,
    /// Its name in files and exports, the same as in the check.
    pub name: &'static str,
    /// Shown beside a footnote, and after a number.
    pub label: &'static str,
    /// Shown after the label if there is room; may be empty.
    pub detail: &'static str,
    /// Its class in style sheets.
    pub class: &'static str,
    pub means: &'static str,
    pub means_not: &'static str,
}

/// All verdicts, in the order of [`VerdictView`].
pub const VERDICTS: [VerdictSpec; 9] = [
    VerdictSpec {
        verdict: VerdictView::Proven,
        name: "proven",
        label: "proven",
        detail: "",
        class: "proven",
        means: "The cited lines prove the whole sentence: it quotes them word for word, it states a fact of \
                the syntax tree, the graph or a manifest that they show, or Footnote itself made it from \
                them. Only this counts as verified.",
        means_not: "It does not mean that the code or its documentation is right, only that it says so.",
    },
    VerdictSpec {
        verdict: VerdictView::Supported,
        name: "supported",
        label: "supported",
        detail: "names found, meaning not checked",
        class: "supported",
        means: "Every name and number of the sentence and nearly all of its words are in the cited \
                lines, and nothing there contradicts it. Its meaning was not checked.",
        means_not: "It does not mean that the sentence is true: it can name the right things \
                    and say something false about them.",
    },
    VerdictSpec {
        verdict: VerdictView::LinesExist,
        name: "lines-exist",
        label: "lines exist",
        detail: "",
        class: "exists",
        means: "The cited lines exist and the model had them. The sentence itself could not be \
                checked.",
        means_not: "It counts neither for the sentence nor against it.",
    },
    VerdictSpec {
        verdict: VerdictView::Repaired,
        name: "repaired",
        label: "repaired",
        detail: "",
        class: "repaired",
        means: "The model cited another place, but it can only have meant the lines shown. Its own \
                citation is shown beside them.",
        means_not: "It does not mean that the sentence follows from these lines; that was not checked.",
    },
    VerdictSpec {
        verdict: VerdictView::OutsideEvidence,
        name: "outside-evidence",
        label: "outside evidence",
        detail: "",
        class: "outside",
        means: "The cited lines exist, but most of them were not sent to the model: it cannot have read \
                them.",
        means_not: "It does not mean that the sentence is false; it may be a lucky guess.",
    },
    VerdictSpec {
        verdict: VerdictView::Rejected,
        name: "rejected",
        label: "rejected",
        detail: "",
        class: "rejected",
        means: "The cited lines do not exist, or do not contain a name that the sentence attributes to them.",
        means_not: "It does not mean that the sentence is false; its source is.",
    },
    VerdictSpec {
        verdict: VerdictView::Contradicted,
        name: "contradicted",
        label: "contradicted",
        detail: "",
        class: "contradicted",
        means: "The cited lines or the graph contradict what the sentence says. A note beside it \
                shows what is there instead.",
        means_not: "It does not mean that every false sentence is found: code finds only what it \
                    can compare.",
    },
    VerdictSpec {
        verdict: VerdictView::AutoCited,
        name: "auto-cited",
        label: "auto-cited",
        detail: "",
        class: "auto",
        means: "The model gave no source. Footnote attached the lines that match the sentence best.",
        means_not: "It does not mean that the model took the sentence from these lines, or that it follows from them.",
    },
    VerdictSpec {
        verdict: VerdictView::Uncited,
        name: "uncited",
        label: "without a source",
        detail: "",
        class: "uncited",
        means: "The sentence has no source, and no lines match it well.",
        means_not: "It does not mean that the sentence is false; there was nothing to check.",
    },
];

/// A word about an answer as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordSpec {
    pub label: &'static str,
    pub means: &'static str,
    pub means_not: &'static str,
}

/// Shown above an answer that may miss its question.
pub const CLOSEST: WordSpec = WordSpec {
    label: "closest I found",
    means: "Nothing in the repository fits the question well; this comes closest. Every \
            sentence still has the lines it was made from.",
    means_not: "It does not mean that the question is answered.",
};

impl VerdictView {
    pub fn spec(self) -> &'static VerdictSpec {
        // Both have the same order; a test checks it.
        VERDICTS.get(self as usize).unwrap_or(&VERDICTS[0])
    }

    /// Returns the verdict with that name in files and exports.
    pub fn from_name(name: &str) -> Option<Self> {
        let mut specs = VERDICTS.iter();
        let spec = specs.find(|spec| spec.name == name)?;
        Some(spec.verdict)
    }

    /// The same verdict as the check's own type.
    pub fn standing(self) -> Standing {
        match self {
            Self::Proven => Standing::Proven,
            Self::Supported => Standing::Supported,
            Self::LinesExist => Standing::LinesExist,
            Self::Repaired => Standing::Repaired,
            Self::OutsideEvidence => Standing::OutsideEvidence,
            Self::Rejected => Standing::Rejected,
            Self::Contradicted => Standing::Contradicted,
            Self::AutoCited => Standing::AutoCited,
            Self::Uncited => Standing::Uncited,
        }
    }

    /// The verdict on a statement whose footnotes have these verdicts. A citation that adds nothing
    /// takes nothing away from a sentence that another citation supports.
    pub fn of_statement(notes: impl IntoIterator<Item = Self>) -> Self {
        let notes: Vec<Self> = notes.into_iter().collect();
        match notes.iter().max() {
            None => Self::Uncited,
            Some(Self::Supported | Self::LinesExist) => {
                notes.into_iter().min().unwrap_or(Self::LinesExist)
            }
            Some(worst) => *worst,
        }
    }

    /// The best possible verdict if it is unknown what a model was sent, or whether a model wrote
    /// it at all.
    pub fn unvouched(self) -> Self {
        match self {
            Self::Proven => Self::Supported,
            other => other,
        }
    }
}

impl From<Standing> for VerdictView {
    fn from(standing: Standing) -> Self {
        match standing {
            Standing::Proven => Self::Proven,
            Standing::Supported => Self::Supported,
            Standing::LinesExist => Self::LinesExist,
            Standing::Repaired => Self::Repaired,
            Standing::OutsideEvidence => Self::OutsideEvidence,
            Standing::Rejected => Self::Rejected,
            Standing::Contradicted => Self::Contradicted,
            Standing::AutoCited => Self::AutoCited,
            Standing::Uncited => Self::Uncited,
        }
    }
}

/// Number of statements per verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountsView([u32; VERDICTS.len()]);

impl CountsView {
    pub fn add(&mut self, verdict: VerdictView, number: u32) {
        if let Some(count) = self.0.get_mut(verdict as usize) {
            *count = count.saturating_add(number);
        }
    }

    pub fn count(&self, verdict: VerdictView) -> u32 {
        self.0.get(verdict as usize).copied().unwrap_or(0)
    }

    /// Number of all statements.
    pub fn statements(&self) -> u32 {
        self.0
            .iter()
            .fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// Returns each verdict that occurs, with its number of statements.
    pub fn each(&self) -> impl Iterator<Item = (&'static VerdictSpec, u32)> {
        let counts = VERDICTS.iter().zip(self.0);
        counts.filter(|(_, count)| *count > 0)
    }

    /// Whether there are statements and all are proven: only then is a tick shown.
    pub fn is_all_proven(&self) -> bool {
        let proven = self.count(VerdictView::Proven);
        proven > 0 && proven == self.statements()
    }

    /// `2 proven, 1 supported (names found, meaning not checked), 1 lines exist`; says so if there
    /// are no statements.
    pub fn told(&self) -> String {
        let parts = self.each().map(|(spec, count)| match spec.detail {
            "" => format!("{count} {}", spec.label),
            detail => format!("{count} {} ({detail})", spec.label),
        });
        let parts: Vec<String> = parts.collect();
        match parts.is_empty() {
            true => "no statement to check".to_owned(),
            false => parts.join(", "),
        }
    }

    /// The same for an answer that may miss its question, where proven statements are not to its
    /// credit.
    pub fn told_as_closest(&self) -> String {
        let (with, they) = match self.statements() {
            1 => ("1 statement with its lines".to_owned(), "it"),
            many => (format!("{many} statements with their lines"), "they"),
        };
        let with = match self.is_all_proven() {
            true => with,
            false => self.told(),
        };
        format!("{with}; {they} may not answer the question")
    }
}

impl FromIterator<VerdictView> for CountsView {
    fn from_iter<T: IntoIterator<Item = VerdictView>>(verdicts: T) -> Self {
        let mut counts = Self::default();
        verdicts
            .into_iter()
            .for_each(|verdict| counts.add(verdict, 1));
        counts
    }
}

impl std::ops::AddAssign for CountsView {
    fn add_assign(&mut self, other: Self) {
        for (spec, number) in other.each() {
            self.add(spec.verdict, number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GLOSSARY: &str = include_str!("../../../../docs/verdicts.md");

    #[test]
    fn every_standing_of_core_has_the_row_of_its_name() {
        for (at, standing) in Standing::ALL.into_iter().enumerate() {
            let verdict = VerdictView::from(standing);
            assert_eq!(verdict.spec().name, standing.name());
            assert_eq!(verdict as usize, at);
            assert_eq!(verdict.spec().verdict, verdict);
            assert_eq!(verdict.standing(), standing);
            assert_eq!(VerdictView::from_name(standing.name()), Some(verdict));
        }
        assert_eq!(VERDICTS.len(), Standing::ALL.len());
        assert_eq!(VerdictView::from_name("verified"), None);
    }

    #[test]
    fn the_glossary_explains_each_verdict_in_the_words_of_the_page() {
        let glossary = GLOSSARY.split_whitespace().collect::<Vec<_>>().join(" ");
        for spec in VERDICTS {
            let heading = format!("## {} ", spec.label);
            for said in [heading.as_str(), spec.means, spec.means_not, spec.name] {
                assert!(glossary.contains(said), "{said} is not in the glossary");
            }
        }
        assert!(glossary.contains(IMPORTED));
        let heading = format!("## {} ", CLOSEST.label);
        for said in [heading.as_str(), CLOSEST.means, CLOSEST.means_not] {
            assert!(glossary.contains(said), "{said} is not in the glossary");
        }
    }

    #[test]
    fn statements_that_may_miss_the_question_are_not_praised_as_proven() {
        use VerdictView as V;
        for (verdicts, told) in [
            (
                vec![V::Proven; 3],
                "3 statements with their lines; they may not answer the question",
            ),
            (
                vec![V::Proven],
                "1 statement with its lines; it may not answer the question",
            ),
            (
                vec![V::Proven, V::Rejected],
                "1 proven, 1 rejected; they may not answer the question",
            ),
        ] {
            let counts: CountsView = verdicts.into_iter().collect();
            assert_eq!(counts.told_as_closest(), told);
        }
    }

    #[test]
    fn a_statement_is_as_good_as_the_worst_of_its_footnotes() {
        use VerdictView as V;
        for (notes, expected) in [
            (vec![], V::Uncited),
            (vec![V::Proven, V::LinesExist], V::Proven),
            (vec![V::Supported, V::LinesExist], V::Supported),
            (vec![V::Proven, V::OutsideEvidence], V::OutsideEvidence),
            (vec![V::Contradicted, V::Rejected], V::Contradicted),
        ] {
            assert_eq!(V::of_statement(notes.clone()), expected, "{notes:?}");
        }
    }

    #[test]
    fn counts_say_what_was_not_checked_and_get_a_tick_only_if_all_are_proven() {
        use VerdictView as V;
        let counts: CountsView = [V::Proven, V::Proven, V::Supported, V::LinesExist]
            .into_iter()
            .collect();
        assert_eq!(
            counts.told(),
            "2 proven, 1 supported (names found, meaning not checked), 1 lines exist"
        );
        assert_eq!((counts.statements(), counts.is_all_proven()), (4, false));
        let proven: CountsView = [V::Proven].into_iter().collect();
        assert!(proven.is_all_proven());
        assert!(!CountsView::default().is_all_proven());
        assert_eq!(CountsView::default().told(), "no statement to check");
    }
}
