//! A second stage of the search: a language model chooses the files that answer, from the best that
//! were found (PathFinder, whose model knows the repository by heart and has no first stage).
//!
//! What it names counts only if it is one of the files that it was shown. Its files come first
//! among the hits and are the answer's files; what the search found follows.

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
    /// What it named that is none of the files it was shown.
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
    let mut files = files_of(index, hits, &pipeline.numbers);
    files.truncate(most);
    let files = reader.shortlist(files);
    let candidates = files.iter();
    let candidates = candidates.filter_map(|&file| Some((file, candidate(index, file)?)));
    let (mut files, candidates): (Vec<FileId>, Vec<Candidate>) = candidates.unzip();
    let (chat, offered) = choose_files(question.text(), &index.repo.name, &candidates);
    if offered < 2 {
        return None;
    }
    files.truncate(offered);
    let shown = candidates.iter().map(Candidate::shown).zip(files);
    let shown: Vec<(String, FileId)> = shown.collect();
    let reply = reader.write(chat).await;
    let named = reply.and_then(|reply| read_files(&reply));
    Some(checked(&shown, named))
}

/// The named files that were shown.
fn checked(shown: &[(String, FileId)], named: Result<Vec<String>, String>) -> Chosen {
    let known = |path: &str| {
        let shown = shown.iter().find(|(shown, _)| shown == path);
        shown.map(|(_, file)| *file)
    };
    let mut unknown = Vec::new();
    let files = named.and_then(|named| {
        let files = named.iter().filter_map(|path| known(path));
        let files: Vec<FileId> = files.take(MOST_CHOSEN).collect();
        unknown = named;
        unknown.retain(|path| known(path).is_none());
        match files.is_empty() {
            true => Err("the model named none of the files it was shown".to_owned()),
            false => Ok(files),
        }
    });
    Chosen {
        from: shown.len(),
        files,
        unknown,
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
