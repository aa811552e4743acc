//! Turns errors into what the user reads: what happened, why, and what to do next.

mod lab;

pub use lab::*;

use footnote_core::changes::NamedVersion;
use footnote_core::index::file::FileError;
use footnote_core::index::format::FormatError;
use footnote_core::model::protocol::{Failure, SecretError, Service};
use footnote_core::pipeline::SetError;
use footnote_core::search::QuestionError;
use footnote_core::source::SourceError;

use super::export::ExportError;
use super::server::ServerError;
use crate::platform::fetch::FetchError;
use crate::platform::http::own_origin;
use crate::platform::idb::StorageError;
use crate::worker::protocol::{Notice, NoticeKind};

fn notice(kind: NoticeKind, what: impl Into<String>, next: impl Into<String>) -> Notice {
    Notice {
        what: what.into(),
        next: next.into(),
        kind,
    }
}

/// The archive or folder cannot be used. The error's own sentence says what to do.
pub fn bad_source(error: &SourceError) -> Notice {
    notice(
        NoticeKind::BadInput,
        error.to_string(),
        "Your saved repositories are still there.",
    )
}

pub fn unreadable(name: &str, detail: &str) -> Notice {
    notice(
        NoticeKind::BadInput,
        format!("The browser could not read the file ({detail}): {name}"),
        "Check that it was not moved or deleted, and drop it again.",
    )
}

pub fn sample_missing(error: &FetchError) -> Notice {
    notice(
        NoticeKind::BadInput,
        format!("{error}."),
        "Drop an archive of your own instead.",
    )
}

/// An index file is refused. The error's own sentences say what to do.
pub fn refused_index_file(name: &str, error: &FileError) -> Notice {
    notice(
        NoticeKind::BadInput,
        format!("{name} was not opened. {error}."),
        "Your saved repositories are still there.",
    )
}

/// What an index file says of its files is not what their text says.
pub fn index_file_differs(name: &str) -> Notice {
    notice(
        NoticeKind::BadInput,
        format!(
            "The index file of {name} does not match its own text: another version of Footnote \
             made it, or somebody changed it. Footnote indexed the text again."
        ),
        "Answers that were based on the file are gone. Ask important questions again.",
    )
}

pub fn no_index_file(error: &FetchError) -> Notice {
    notice(
        NoticeKind::BadInput,
        format!("{error}."),
        "Check the address after “?index=”, or drop the file here.",
    )
}

pub fn no_index_list(detail: &str) -> Notice {
    notice(
        NoticeKind::BadInput,
        format!("This site lists no index files: {detail}."),
        "Name a file after “?index=”, or drop an archive.",
    )
}

pub fn no_such_index(name: &str) -> Notice {
    notice(
        NoticeKind::BadInput,
        format!("This site has no index file of a repository called {name}."),
        "Check the name after “?index=”, or drop an archive.",
    )
}

/// The page's own site cannot be asked for what it holds.
pub fn no_server(detail: &str) -> Notice {
    notice(
        NoticeKind::BadInput,
        format!("This site did not list its repositories: {detail}."),
        "Try again in a moment, or drop an archive.",
    )
}

pub fn no_search(error: &ServerError) -> Notice {
    notice(
        NoticeKind::BadQuestion,
        format!("The server did not answer: {error}."),
        "Ask again in a moment. Repositories that are open here answer without it.",
    )
}

pub fn found_nowhere(searched: u32) -> Notice {
    notice(
        NoticeKind::BadQuestion,
        format!("Nothing in the {searched} repositories on this server fits the question."),
        "Use words that the code would use, or open the repository that you mean.",
    )
}

/// A repository that the server found is left out.
pub fn not_read_across(name: &str, detail: &str) -> Notice {
    notice(
        NoticeKind::BadInput,
        format!("{name} was left out of the answer: {detail}."),
        "Ask again to try it once more.",
    )
}

/// The server found repositories, and none of them could be read.
pub fn none_read() -> Notice {
    notice(
        NoticeKind::BadQuestion,
        "None of the repositories that the server found could be read.",
        "The messages say why. Ask again in a moment.",
    )
}

pub fn refused_token(detail: &str) -> Notice {
    notice(
        NoticeKind::BadInput,
        format!("The access token cannot be used: {detail}."),
        "Check it, or ask whoever runs this server for another one.",
    )
}

pub fn bad_token(error: &SecretError) -> Notice {
    notice(
        NoticeKind::BadInput,
        format!("{error}."),
        "An access token begins with “footnote_”. Ask whoever runs this server for one.",
    )
}

pub fn interrupted_often(name: &str) -> Notice {
    notice(
        NoticeKind::BadInput,
        format!("Reading was interrupted three times, so it was not restarted: {name}"),
        "Drop it again, or drop only the part you want to ask about.",
    )
}

pub fn bad_question(error: &QuestionError) -> Notice {
    notice(NoticeKind::BadQuestion, error.to_string(), "")
}

pub fn no_such_strategy(names: &[String]) -> Notice {
    notice(
        NoticeKind::BadQuestion,
        format!("There is no strategy called {}.", names.join(", ")),
        "Reload the page; it will then offer only those the engine has.",
    )
}

pub fn no_trace() -> Notice {
    notice(
        NoticeKind::BadQuestion,
        "The engine was restarted and lost the trace.",
        "Choose the strategy again, then save.",
    )
}

pub fn no_such_pipeline(name: &str) -> Notice {
    notice(
        NoticeKind::BadQuestion,
        format!("There is no pipeline called {name}."),
        "Reload the page; it will then offer only those the engine has.",
    )
}

pub fn wrong_setting(error: &SetError) -> Notice {
    notice(
        NoticeKind::BadQuestion,
        format!("The pipeline cannot be changed: {error}."),
        "Reset it and change one number at a time.",
    )
}

pub fn no_comparison() -> Notice {
    notice(
        NoticeKind::BadQuestion,
        "The engine was restarted and lost the comparison.",
        "Choose the pipelines again, then save.",
    )
}

pub fn no_lesson() -> Notice {
    notice(
        NoticeKind::BadQuestion,
        "The engine was restarted and lost the lesson.",
        "Open the lesson again, then save.",
    )
}

pub fn not_a_lesson(name: &str, why: &str) -> Notice {
    notice(
        NoticeKind::BadInput,
        format!("{name} cannot be shown as a lesson: {why}."),
        "Drop a lesson that Footnote saved as HTML, unchanged.",
    )
}

pub fn no_context() -> Notice {
    notice(
        NoticeKind::BadQuestion,
        "The engine was restarted and lost these lines.",
        "Choose the strategy again.",
    )
}

pub fn code_model(why: &str) -> Notice {
    notice(
        NoticeKind::BadInput,
        format!("This model cannot be used: {why}."),
        "Footnote keeps using the one it had.",
    )
}

pub fn encoder(why: &str) -> Notice {
    notice(
        NoticeKind::BadInput,
        format!("This encoder cannot be used: {why}."),
        "Footnote keeps using the one it had. Choose an encoder exported to one ONNX file, with its tokenizer.json.",
    )
}

pub fn gpu_lost(why: &str) -> Notice {
    notice(
        NoticeKind::WorkerDied,
        format!("The GPU failed: {why}."),
        "Nothing is lost: the processor continues the GPU’s work.",
    )
}

pub fn not_exported(error: &ExportError) -> Notice {
    match error {
        ExportError::NoSuchFormat(_) => notice(
            NoticeKind::BadQuestion,
            error.to_string(),
            "Reload the page; it will then offer only those the engine has.",
        ),
        ExportError::NotWritten(error) => internal(&error.to_string()),
    }
}

pub fn nothing_to_export() -> Notice {
    notice(
        NoticeKind::BadQuestion,
        "This conversation has no answer yet.",
        "Ask something first, then save it.",
    )
}

/// No answer was rated `word`.
pub fn nothing_rated(word: &str) -> Notice {
    notice(
        NoticeKind::BadQuestion,
        format!("No answer about this repository is rated {word}."),
        "Rate answers with the thumbs below them, then save the set.",
    )
}

pub fn not_imported(what: String, next: &str) -> Notice {
    notice(NoticeKind::BadInput, what, next)
}

/// `what` was saved by a later version of Footnote, and is therefore not changed.
pub fn saved_by_later(what: &str) -> Notice {
    notice(
        NoticeKind::BadInput,
        format!("A later version of Footnote saved {what}, so it was left as it is."),
        "Use that version to change it.",
    )
}

pub fn no_such_lines(path: &str) -> Notice {
    notice(
        NoticeKind::Internal,
        format!("The repository has no such lines: {path}"),
        "Choose another footnote.",
    )
}

pub fn nothing_open() -> Notice {
    notice(
        NoticeKind::BadQuestion,
        "No repository is open.",
        "Drop an archive first, or choose a saved repository.",
    )
}

pub fn no_such_file(path: &str) -> Notice {
    notice(
        NoticeKind::Internal,
        format!("The repository has no such file: {path}"),
        "Choose a file from the list.",
    )
}

/// A file is of a repository that questions over all repositories brought, and that made room.
pub fn made_room(repository: &str) -> Notice {
    let name = NamedVersion::of(repository).name;
    notice(
        NoticeKind::BadQuestion,
        format!("{repository} is no longer open here: later questions opened others in its place."),
        format!("To read it again, ask about it by name: “what is in {name}?”"),
    )
}

pub fn not_saved() -> Notice {
    notice(
        NoticeKind::BadInput,
        "This repository is no longer saved here.",
        "Drop its archive again.",
    )
}

pub fn other_version(name: &str, detail: &str) -> Notice {
    notice(
        NoticeKind::OtherVersion,
        format!("{name} was saved by another version of Footnote and cannot be opened ({detail})."),
        "Drop its archive again, or delete it from the list.",
    )
}

/// A saved index cannot be read: it is from another version, or damaged.
pub fn unreadable_index(name: &str, error: &FormatError) -> Notice {
    let detail = match error {
        FormatError::OtherVersion { found } => {
            return other_version(name, &format!("format {found}"));
        }
        FormatError::Missing { section } => format!("the part “{section}” is missing"),
        FormatError::Damaged { section, detail } => format!("part “{section}”: {detail}"),
    };
    let name = match name {
        "?" => "The saved data of this repository",
        name => name,
    };
    notice(
        NoticeKind::Damaged,
        format!("{name} is damaged in this browser and cannot be opened as it is ({detail})."),
        "Its files are damaged too. Drop its archive again, or delete it from the list.",
    )
}

/// Adds to the notice of a damaged repository that its files are intact.
pub fn can_be_rebuilt(damaged: Notice) -> Notice {
    Notice {
        next: "Its files are intact: rebuild it from them, or delete it from the list.".into(),
        ..damaged
    }
}

/// Something could not be saved or read; the open repository still works.
pub fn storage(error: &StorageError) -> Notice {
    match error {
        StorageError::Full => notice(
            NoticeKind::StorageFull,
            "The browser has no space left for this page, so it could not save this.",
            "You can keep asking, but a reload will lose it. Delete saved repositories to make room; everything saved before is intact.",
        ),
        StorageError::Unavailable(_) => notice(
            NoticeKind::StorageUnavailable,
            format!("Nothing can be saved: {error}."),
            "You can keep asking, but a reload will lose everything. To keep it, use a window that is not private.",
        ),
        StorageError::Failed(_) => notice(
            NoticeKind::Internal,
            format!("This could not be saved: {error}."),
            "You can keep asking, but a reload may lose it. Everything saved before is intact.",
        ),
    }
}

/// The connected language model did not do what it was asked to.
pub fn service(service: &Service, failure: &Failure) -> Notice {
    notice(
        NoticeKind::Service,
        failure.what(),
        failure.next(service, &own_origin()),
    )
}

pub fn no_connection() -> Notice {
    notice(
        NoticeKind::Service,
        "No language model is connected.",
        "Connect one, or continue without it.",
    )
}

pub fn internal(detail: &str) -> Notice {
    notice(
        NoticeKind::Internal,
        format!("Footnote hit an internal error: {detail}."),
        "Reload the page. Your saved data is intact.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_distinguished_from_another_version() {
        let damaged = FormatError::Damaged {
            section: "words",
            detail: "it ends too early".into(),
        };
        for (error, kind, words) in [
            (damaged, NoticeKind::Damaged, "damaged"),
            (
                FormatError::Missing { section: "chunks" },
                NoticeKind::Damaged,
                "damaged",
            ),
            (
                FormatError::OtherVersion { found: 9 },
                NoticeKind::OtherVersion,
                "another version",
            ),
        ] {
            let notice = unreadable_index("flask", &error);
            assert_eq!(notice.kind, kind, "{error}");
            assert!(notice.what.contains(words), "{}", notice.what);
        }
    }

    #[test]
    fn storage_errors_keep_their_kind() {
        for (error, kind) in [
            (StorageError::Full, NoticeKind::StorageFull),
            (
                StorageError::Unavailable("private".into()),
                NoticeKind::StorageUnavailable,
            ),
            (StorageError::Failed("io".into()), NoticeKind::Internal),
        ] {
            let notice = storage(&error);
            assert_eq!(notice.kind, kind);
            assert!(notice.next.contains("keep asking"), "{notice:?}");
        }
    }

    #[test]
    fn a_bad_archive_is_named() {
        let error = SourceError::NotAnArchive {
            name: "photo.jpg".into(),
        };
        let notice = bad_source(&error);
        assert_eq!(notice.kind, NoticeKind::BadInput);
        assert!(notice.what.contains("photo.jpg"), "{notice:?}");
    }
}
