//! Notices about errors in the laboratory.

use footnote_core::lab::export::ExportError as TuningError;
use footnote_core::lab::judge::PlanError;
use footnote_core::teach::TeachError;

use super::notice;
use crate::worker::protocol::{Notice, NoticeKind};

pub fn not_a_set(file_name: &str, why: &str) -> Notice {
    notice(
        NoticeKind::BadQuestion,
        format!("{file_name} cannot be used as a question set: {why}."),
        "Choose a file with one JSON object per line, each with id, archive, query and gold_files.",
    )
}

pub fn no_set() -> Notice {
    notice(
        NoticeKind::BadQuestion,
        "The engine was restarted and lost the question set.",
        "Make or open the set under “1 Questions”, then open your review file.",
    )
}

pub fn no_questions_below() -> Notice {
    notice(
        NoticeKind::BadQuestion,
        "There are no questions to go back to.",
        "Make or open the set under “1 Questions”.",
    )
}

pub fn other_model(model: &str) -> Notice {
    notice(
        NoticeKind::BadQuestion,
        format!("Nothing was sent: {model} is connected now, not the model you were shown."),
        "Estimate the cost again.",
    )
}

pub fn no_annotator() -> Notice {
    notice(
        NoticeKind::BadQuestion,
        "A review file carries its reviewer’s name, and you have not typed one yet.",
        "Type your name, then save.",
    )
}

pub fn nothing_to_hide() -> Notice {
    notice(
        NoticeKind::BadQuestion,
        "There are no questions, or fewer than two pipelines, so there is nothing to hide.",
        "Make questions or open a set, and tick at least two pipelines.",
    )
}

pub fn no_key() -> Notice {
    notice(
        NoticeKind::BadQuestion,
        "The key to these answers is missing, so Footnote cannot tell which pipeline made them.",
        "Open the key that was saved when the answers were made.",
    )
}

pub fn not_a_key(file_name: &str, why: &str) -> Notice {
    notice(
        NoticeKind::BadQuestion,
        format!("{file_name} is not the key to these answers: {why}."),
        "Choose the file that was saved as the key when the answers were made.",
    )
}

pub fn nothing_to_evaluate() -> Notice {
    notice(
        NoticeKind::BadQuestion,
        "There are no questions or no pipelines to evaluate.",
        "Make questions or open a set, and tick at least one pipeline.",
    )
}

pub fn two_pipelines_wanted() -> Notice {
    notice(
        NoticeKind::BadInput,
        "A pipeline cannot be compared with itself.",
        "Choose two different ones.",
    )
}

pub fn no_pairs() -> Notice {
    notice(
        NoticeKind::BadInput,
        "There are no answers to compare.",
        "Have two pipelines answer questions of the set first.",
    )
}

pub fn not_judged(error: &PlanError) -> Notice {
    notice(
        NoticeKind::BadInput,
        format!("Nothing was sent: {error}."),
        "Choose other pipelines, or more questions.",
    )
}

/// Nothing can be exported for tuning.
pub fn not_taught(error: &TeachError) -> Notice {
    notice(
        NoticeKind::BadQuestion,
        format!("The repository was not taught. {error}."),
        "What it was taught before still applies.",
    )
}

pub fn not_a_teaching(file_name: &str, why: &str) -> Notice {
    notice(
        NoticeKind::BadQuestion,
        format!("{file_name} cannot be used: {why}."),
        "Choose a file that Footnote saved under “Teach”.",
    )
}

pub fn nothing_taught() -> Notice {
    notice(
        NoticeKind::BadQuestion,
        "This repository has not been taught yet.",
        "Teach it first.",
    )
}

pub fn other_encoder() -> Notice {
    notice(
        NoticeKind::BadQuestion,
        "This was taught with a different encoder than this page uses.",
        "Teach the repository again.",
    )
}

pub fn other_repository() -> Notice {
    notice(
        NoticeKind::BadQuestion,
        "This was taught on another repository: none of its files is here.",
        "Open the repository that it belongs to, or teach this one.",
    )
}

pub fn no_tuning_set(error: &TuningError) -> Notice {
    notice(
        NoticeKind::BadInput,
        format!("Nothing was saved: {error}."),
        "Make or open more questions, or keep fewer for validation.",
    )
}

/// `requests` requests were answered with something else than requested, twice each.
pub fn unread_judgements(requests: u32) -> Notice {
    let what = match requests {
        1 => "One reply of the model could not be read".to_owned(),
        n => format!("{n} replies of the model could not be read"),
    };
    notice(
        NoticeKind::Service,
        format!("{what}; the scores of those snippets decide how much of them is kept."),
        "Move the sliders, or try a larger model.",
    )
}

pub fn no_descriptions(file_name: &str, why: &str) -> Notice {
    notice(
        NoticeKind::BadQuestion,
        format!("{file_name} cannot be used: {}.", why.trim_end_matches('.')),
        "Choose a file that Footnote saved under “Describe”, or that “footnote describe” wrote.",
    )
}
