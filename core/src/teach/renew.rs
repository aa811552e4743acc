//! A new version of a repository: the taught questions that still hold are kept, and those about
//! files that changed can be made again.

use std::collections::BTreeSet;

use super::examples::words;
use crate::eval::Item;
use crate::index::Index;
use crate::index::taught::Taught;
use crate::search::Question;
use crate::source::FileId;

/// The questions that a teaching passes on to a new version.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Renewed {
    /// Still true as far as code can tell, with the files' present paths.
    pub kept: Vec<Item>,
    /// Number of questions whose files are gone, or that name what their changed files no longer
    /// contain.
    pub dropped: usize,
}

/// Goes through the questions of a teaching that is bound to `index`. A question whose files are
/// unchanged, or only moved, is kept. One with a changed file is kept if all names that it is
/// written with still occur in its files.
pub fn renewed(taught: &Taught, index: &Index) -> Renewed {
    let files = taught.files();
    let changed: BTreeSet<&str> = taught.stale().changed.iter().map(String::as_str).collect();
    let mut renewed = Renewed::default();
    for (at, known) in taught.teaching().memory.questions.iter().enumerate() {
        let present = known.files.iter();
        let present = present.filter_map(|&row| files.get(row as usize).copied().flatten());
        let present: Vec<FileId> = present.collect();
        match holds(index, &known.question, &present, &changed) {
            true => renewed
                .kept
                .push(item(index, at, &known.question, &present)),
            false => renewed.dropped += 1,
        }
    }
    renewed
}

impl Renewed {
    /// Adds those of `made` that lead to a file that changed since it was taught, or that no taught
    /// question leads to. A made question replaces a kept one with the same words about a changed
    /// file, because what it asks for may have moved.
    pub fn with(self, taught: &Taught, index: &Index, made: Vec<Item>) -> Vec<Item> {
        let stale = taught.stale();
        let changed: BTreeSet<&String> = stale.changed.iter().collect();
        let files = taught.files();
        let known = files.iter().flatten();
        let known: BTreeSet<&str> = known
            .filter_map(|&file| Some(index.repo.file(file)?.path.as_str()))
            .collect();
        let is_new = |path: &String| changed.contains(path) || !known.contains(path.as_str());
        let is_about_changes =
            |item: &Item| item.gold_files.iter().any(|path| changed.contains(path));
        let wording = |item: &Item| words(&item.query);
        let wordings: BTreeSet<String> = made.iter().map(wording).collect();
        let (replaced, mut all): (Vec<Item>, Vec<Item>) = self
            .kept
            .into_iter()
            .partition(|item| is_about_changes(item) && wordings.contains(&wording(item)));
        let replaced: BTreeSet<String> = replaced.iter().map(wording).collect();
        all.extend(made.into_iter().filter(|item| {
            item.gold_files.iter().any(is_new) || replaced.contains(&wording(item))
        }));
        all
    }
}

fn holds(index: &Index, text: &str, files: &[FileId], changed: &BTreeSet<&str>) -> bool {
    let sources = || files.iter().filter_map(|&file| index.repo.file(file));
    if files.is_empty() {
        return false;
    }
    if !sources().any(|file| changed.contains(file.path.as_str())) {
        return true;
    }
    let Ok(question) = Question::new(text) else {
        return false;
    };
    let own = |name: &str| name.rsplit(['.', ':']).next().unwrap_or(name).to_owned();
    let mut names = question.names().iter().map(|name| own(name));
    names.all(|name| sources().any(|file| file.text.contains(&name) || file.path.contains(&name)))
}

fn item(index: &Index, at: usize, question: &str, files: &[FileId]) -> Item {
    let paths = files.iter().filter_map(|&file| index.repo.file(file));
    Item {
        id: format!("taught-{at}"),
        archive: index.repo.name.clone(),
        query: question.to_owned(),
        gold_files: paths.map(|file| file.path.clone()).collect(),
        gold_spans: Vec::new(),
        category: None,
        reference_answer: None,
        source: None,
    }
}
