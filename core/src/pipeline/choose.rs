//! A second stage of the search: a language model chooses the files that answer, from the best that
//! were found (PathFinder, whose model knows the repository by heart and has no first stage).
//!
//! What it names counts only if it is a file of the repository. Its files come first among the
//! hits and are the answer's files; what the search found follows.

use super::{Pipeline, Reader};
use crate::index::Index;
use crate::model::prompt::{Candidate, choose_files, read_files};
use crate::search::{Context, Hit, Question, bring_forward, files_of};
use crate::source::FileId;

/// Names of definitions that a model is shown for each file.
const NAMES: usize = 6;

/// Most files of a choice; PathFinder's answers have one to four.
const MOST_CHOSEN: usize = 8;

/// What a model chose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// Number of files that it was shown.
    pub from: usize,
    /// The files, best first, or why the search decided alone.
    pub files: Result<Vec<FileId>, String>,
    /// What it named that is no file of the repository, or not of the part that is asked about.
    pub unknown: Vec<String>,
}

/// Asks which of the best files of `hits` answer the question; `None` if the pipeline asks no
/// model, or if there is nothing to choose from.
pub(super) async fn choose<R: Reader>(
    pipeline: &Pipeline,
    index: &Index,
    question: &Question,
    hits: &[Hit],
    reader: &R,
) -> Option<Chosen> {
    let most = pipeline.choose?;
    let files = files_of(index, hits, &pipeline.numbers);
    let files = files.get(..most).unwrap_or(&files);
    if files.len() < 2 {
        return None;
    }
    let candidates = files.iter().filter_map(|&file| candidate(index, file));
    let candidates: Vec<Candidate> = candidates.collect();
    let chat = choose_files(question.text(), &index.repo.name, &candidates);
    let named = reader
        .write(chat)
        .await
        .and_then(|reply| read_files(&reply));
    Some(checked(index, question, files.len(), named))
}

/// The named files that exist.
fn checked(
    index: &Index,
    question: &Question,
    from: usize,
    named: Result<Vec<String>, String>,
) -> Chosen {
    let named = match named {
        Ok(named) => named,
        Err(why) => {
            return Chosen {
                from,
                files: Err(why),
                unknown: Vec::new(),
            };
        }
    };
    let within = |file: &FileId| question.limits().is_none_or(|limits| limits.holds(*file));
    let known = |path: &str| index.repo.find(path).filter(within);
    let mut files: Vec<FileId> = named.iter().filter_map(|path| known(path)).collect();
    files.truncate(MOST_CHOSEN);
    let unknown = named.into_iter().filter(|path| known(path).is_none());
    Chosen {
        from,
        unknown: unknown.collect(),
        files: match files.is_empty() {
            true => Err("the model named no file of the repository".to_owned()),
            false => Ok(files),
        },
    }
}

/// The hits with those of the chosen files first.
pub(super) fn applied(context: &Context<'_>, hits: Vec<Hit>, chosen: &Chosen) -> Vec<Hit> {
    match &chosen.files {
        Ok(files) => bring_forward(context, hits, files),
        Err(_) => hits,
    }
}

/// What a model is shown of a file: its path, and what it defines on its top level.
fn candidate(index: &Index, file: FileId) -> Option<Candidate> {
    let (source, parsed) = index.file(file)?;
    let own = parsed.symbols.iter().filter(|it| it.parent.is_none());
    Some(Candidate {
        path: source.path.clone(),
        names: own.take(NAMES).map(|it| it.name.clone()).collect(),
    })
}
