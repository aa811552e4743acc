//! What a lesson says about each way, in sentences.

use super::{Lesson, Passage, Ranked, Way};

impl Way {
    /// Its title.
    pub fn title(self) -> &'static str {
        match self {
            Self::Words => "Words (BM25)",
            Self::Meaning => "Meaning",
            Self::Both => "Both (Grounded)",
            Self::Imports => "Both, and imports",
        }
    }

    /// What it does.
    pub fn about(self) -> &'static str {
        match self {
            Self::Words => "Counts the question's words: rare ones weigh more.",
            Self::Meaning => {
                "Compares vectors: texts that a model reads alike are near each \
                 other."
            }
            Self::Both => "Scales each list from 0 to 1, then adds them.",
            Self::Imports => {
                "Files that import the best ones, or are imported by them, score \
                 higher."
            }
        }
    }
}

/// A number of a way that can be changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slider {
    /// Its name for [`super::Numbers::set`].
    pub name: &'static str,
    /// Its label, with the symbol.
    pub label: &'static str,
    /// Its smallest value.
    pub from: f64,
    /// Its largest value.
    pub to: f64,
    /// Its step.
    pub step: f64,
}

const fn slider(name: &'static str, label: &'static str, to: f64, step: f64) -> Slider {
    Slider {
        name,
        label,
        from: 0.0,
        to,
        step,
    }
}

static WORDS: [Slider; 2] = [
    slider("k1", "repeats k₁", 3.0, 0.1),
    slider("b", "length b", 1.0, 0.05),
];
static MEANING: [Slider; 1] = [slider("k", "candidates k", super::MOST as f64, 1.0)];
static BOTH: [Slider; 1] = [slider("share", "meaning β", 1.0, 0.05)];
static IMPORTS: [Slider; 2] = [
    slider("gamma", "bonus γ", 1.0, 0.05),
    slider("seeds", "files followed", 20.0, 1.0),
];

impl Way {
    /// The sliders for the numbers that it uses.
    pub fn sliders(self) -> &'static [Slider] {
        match self {
            Self::Words => &WORDS,
            Self::Meaning => &MEANING,
            Self::Both => &BOTH,
            Self::Imports => &IMPORTS,
        }
    }
}

impl Lesson {
    /// The rank of the marked passage that a way finds best, and its rank by the way before.
    pub fn said(&self, way: Way) -> String {
        let ranked = self.rank(way);
        let Some(first) = ranked.first() else {
            return match way {
                Way::Meaning => "No passage could be compared by meaning.".to_owned(),
                _ => "No passage was found this way.".to_owned(),
            };
        };
        let title = |at: usize| self.passages.get(at).map_or("", |it| &it.title);
        let best = ranked.iter().position(|it| self.is_marked(it.passage));
        let Some((rank, best)) = best.and_then(|rank| Some((rank, ranked.get(rank)?))) else {
            let best = title(first.passage);
            return format!("{best} comes first; none of the marked passages was found.");
        };
        let here = format!("{} is number {} here", title(best.passage), rank + 1);
        let before = Way::ALL.iter().rev().find(|it| **it < way);
        let Some(&before) = before else {
            return format!("{here}.");
        };
        let was = self.rank(before);
        let was = was.iter().position(|it| it.passage == best.passage);
        let name = match before {
            Way::Words => "words",
            Way::Meaning => "meaning",
            Way::Both | Way::Imports => "both together",
        };
        match was {
            Some(was) if was == rank => format!("{here}, as with {name}."),
            Some(was) => format!("{here}; with {name} it was number {}.", was + 1),
            None => format!("{here}; {name} did not find it."),
        }
    }

    /// What share of the files' lines a model is shown.
    pub fn said_of_shown(&self) -> String {
        if self.shown.is_empty() {
            return "A model sees nothing.".to_owned();
        }
        let lines = |it: &super::Shown| u64::from(it.end.saturating_sub(it.start)) + 1;
        let all: u64 = self.shown.iter().map(lines).sum();
        let left_out: u64 = self.shown.iter().map(|it| u64::from(it.left_out)).sum();
        format!(
            "Of the {all} lines found, a model sees {} in {} tokens; the others say less about \
             the question.",
            all.saturating_sub(left_out),
            self.tokens()
        )
    }

    fn is_marked(&self, passage: usize) -> bool {
        self.passages.get(passage).is_some_and(|it| it.marked)
    }

    /// The gain of a passage from each word of the question, largest first.
    pub fn gains<'p>(&self, passage: &'p Passage) -> Vec<(&'p str, f64)> {
        let of = |term: &'p super::Term| (term.word.as_str(), self.gain_of(passage, term));
        let mut gains: Vec<(&str, f64)> = passage.terms.iter().map(of).collect();
        gains.sort_by(|a, b| b.1.total_cmp(&a.1));
        gains
    }
}

impl Ranked {
    /// The score by its parts: `words 0.36 + meaning 0.55`; for a single list, the passage's name
    /// and its score.
    pub fn shown(&self, way: Way, passage: &Passage) -> String {
        if matches!(way, Way::Words | Way::Meaning) {
            return format!("{} · {:.2}", passage.name(), self.score);
        }
        let parts = [
            ("words", self.words),
            ("meaning", self.meaning),
            ("imports", self.imports),
        ];
        let parts = parts.into_iter().filter(|(_, value)| *value > 0.0);
        let parts: Vec<String> = parts
            .map(|(name, value)| format!("{name} {value:.2}"))
            .collect();
        parts.join(" + ")
    }
}
