//! Searches descriptions of chunks for what the answer would say (Code2Text).

use super::{ALL_FILES, CHECKED, Deviation, Preset, footnote};
use crate::pipeline::{Pipeline, Query};
use crate::search::{Lists, Strategy};

const BY_CODE: Deviation = Deviation {
    what: "code writes the text of a chunk until a language model has described it",
    why: "each description takes one request, and nothing is sent unasked",
};

const RANKS: Deviation = Deviation {
    what: "words and meaning of texts and of code are joined by rank, compared by a table of words",
    why: "every chunk of a repository is compared, and a browser does that within a second",
};

const QUESTIONS: Deviation = Deviation {
    what: "a question is asked about, not only unfinished code",
    why: "people ask questions; unfinished code is read as the paper says",
};

const DEVIATIONS: &[Deviation] = &[BY_CODE, RANKS, QUESTIONS, ALL_FILES, CHECKED];

pub(super) static TEXT: Preset = Preset {
    name: "code-as-text",
    title: "Code as text",
    about: "Searches descriptions of what each chunk does, beside its code. A language model can \
            write the descriptions in the laboratory; until then, code writes them (after \
            Code2Text).",
    deviations: DEVIATIONS,
    make: || pipeline(TEXT.name, "original"),
};

pub(super) static AUTO: Preset = Preset {
    name: "code-as-text-auto",
    title: "Code as text, question as text",
    about: "The connected language model turns the question into a description. It is searched for \
            in the descriptions of chunks and in code (Code2Text, Auto).",
    deviations: DEVIATIONS,
    make: || pipeline(AUTO.name, "auto"),
};

pub(super) static PRED: Preset = Preset {
    name: "code-as-text-pred",
    title: "Code as text, predicted line",
    about: "The connected language model predicts the line that would answer. It is searched for \
            in the descriptions of chunks and in code (Code2Text, Pred).",
    deviations: DEVIATIONS,
    make: || pipeline(PRED.name, "pred"),
};

pub(super) static PRED_EXPLAIN: Preset = Preset {
    name: "code-as-text-pred-explain",
    title: "Code as text, predicted and explained",
    about: "The connected language model predicts the line that would answer and explains it. Both \
            are searched for in the descriptions of chunks and in code (Code2Text, Pred+Explain).",
    deviations: DEVIATIONS,
    make: || pipeline(PRED_EXPLAIN.name, "pred-explain"),
};

fn pipeline(name: &str, query: &str) -> Pipeline {
    let own = footnote::make();
    let lists = Lists::from_name("code-and-text").unwrap_or(own.search.lists);
    Pipeline {
        name: name.to_owned(),
        query: Query::from_name(query).unwrap_or_default(),
        search: Strategy::plain(lists),
        rules: false,
        ..own
    }
}
