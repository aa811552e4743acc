//! The reading of files, told file by file before it happens: a file that stops the engine is known
//! by what was told last, and the next engine reads without it.

use std::cell::Cell;
use std::convert::Infallible;
use std::rc::Rc;

use footnote_core::index::{Index, IndexBuilder};
use footnote_core::job::{Job, Step};
use footnote_core::source::{Repo, SkipReason};

use crate::worker::protocol::ReadingView;

/// Announcements for one repository: each is a message to the page, so of many files several are
/// told at once.
const ANNOUNCEMENTS: usize = 4_000;

/// What earlier engines did not survive.
#[derive(Clone, Debug, Default)]
pub struct Unread {
    /// Files that are not read again.
    pub files: Vec<String>,
    /// Of these one stopped the engine: each of them is told by itself.
    pub closely: Option<ReadingView>,
}

impl Unread {
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.closely.is_none()
    }

    /// Takes the files that are not read again out of what will be.
    pub fn skip(&self, repo: &mut Repo) {
        if !self.files.is_empty() {
            let is_unread = |path: &String| self.files.contains(path);
            repo.skip(|file| is_unread(&file.path).then_some(SkipReason::StoppedEngine));
        }
    }
}

/// An [`IndexBuilder`] that tells which files it is about to read.
pub struct Reading<T> {
    pub builder: IndexBuilder,
    tell: T,
    /// Files that are told at once.
    every: usize,
    closely: Option<ReadingView>,
    /// How many files were told of so far.
    told: usize,
    /// How many more are told one by one.
    one_by_one: usize,
    is_over: bool,
    /// Files that were taken over from another version.
    pub reused: Rc<Cell<usize>>,
}

impl<T: FnMut(ReadingView)> Reading<T> {
    /// `files` are to be read.
    pub fn new(builder: IndexBuilder, files: usize, unread: &Unread, tell: T) -> Self {
        Self {
            builder,
            tell,
            every: files.div_ceil(ANNOUNCEMENTS).max(1),
            closely: unread.closely.clone(),
            told: 0,
            one_by_one: 0,
            is_over: false,
            reused: Rc::default(),
        }
    }

    fn announce(&mut self) {
        let Some(path) = self.builder.reads_next() else {
            if !self.is_over {
                self.is_over = true;
                (self.tell)(ReadingView::default());
            }
            return;
        };
        if let Some(closely) = self.closely.take_if(|closely| closely.path == path) {
            self.one_by_one = closely.files as usize;
            self.told = self.builder.read();
        }
        if self.builder.read() < self.told {
            return;
        }
        let files = match self.one_by_one.checked_sub(1) {
            Some(rest) => {
                self.one_by_one = rest;
                1
            }
            None => self.every,
        };
        self.told = self.builder.read() + files;
        (self.tell)(ReadingView {
            path: path.to_owned(),
            files: files as u32,
        });
    }
}

impl<T: FnMut(ReadingView)> Job for Reading<T> {
    type Output = Index;
    type Error = Infallible;

    fn step(&mut self) -> Result<Step<Index>, Infallible> {
        self.announce();
        let step = self.builder.step();
        self.reused.set(self.builder.reused());
        step
    }
}

#[cfg(test)]
mod tests {
    use footnote_core::chunk::Chunking;
    use footnote_core::job::run_to_end;
    use footnote_core::source::SourceFile;

    use super::*;

    fn repo(files: usize) -> Repo {
        let file = |at| SourceFile {
            path: format!("{at:05}.txt"),
            text: "a".to_owned(),
        };
        Repo {
            files: (0..files).map(file).collect(),
            ..Repo::default()
        }
    }

    fn view(path: &str, files: u32) -> ReadingView {
        ReadingView {
            path: path.to_owned(),
            files,
        }
    }

    /// What is told while a repository is read.
    fn told(files: usize, unread: &Unread) -> Vec<ReadingView> {
        let mut told = Vec::new();
        let builder = IndexBuilder::new(repo(files), Chunking::FUNCTION);
        let Ok(index) = run_to_end(Reading::new(builder, files, unread, |view| told.push(view)));
        assert_eq!(index.repo.files.len(), files);
        told
    }

    #[test]
    fn each_file_is_told_before_it_is_read_and_the_end_after_the_last() {
        let told = told(2, &Unread::default());
        assert_eq!(
            told,
            [view("00000.txt", 1), view("00001.txt", 1), view("", 0)]
        );
    }

    #[test]
    fn many_files_are_told_several_at_once_except_those_that_stopped_an_engine() {
        let unread = Unread {
            files: Vec::new(),
            closely: Some(view("00004.txt", 2)),
        };
        let told = told(ANNOUNCEMENTS + 1, &unread);
        let first = [
            view("00000.txt", 2),
            view("00002.txt", 2),
            view("00004.txt", 1),
            view("00005.txt", 1),
            view("00006.txt", 2),
        ];
        assert_eq!(told[..5], first);
    }

    #[test]
    fn files_that_stopped_an_engine_are_skipped_with_that_reason() {
        let unread = Unread {
            files: vec!["00001.txt".to_owned()],
            closely: None,
        };
        let mut repo = repo(3);
        unread.skip(&mut repo);
        assert_eq!(repo.files.len(), 2);
        assert_eq!(repo.skipped[0].path, "00001.txt");
        assert_eq!(repo.skipped[0].reason, SkipReason::StoppedEngine);
    }
}
