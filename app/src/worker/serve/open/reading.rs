//! Reads files and announces each one beforehand: if a file stops the engine, the last announcement
//! identifies it, and the next engine leaves it out. A file that stops another worker stops only
//! that worker; the engine then reads it itself.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::rc::Rc;

use footnote_core::index::{BuildStage, Index, IndexBuilder, ReadFile};
use footnote_core::job::{Job, Step};
use footnote_core::source::{Repo, SkipReason};

use crate::worker::protocol::ReadingView;

/// Most announcements per repository. Each is a message to the page and costs both a tenth of a
/// millisecond, so with many files several are announced at a time.
const ANNOUNCEMENTS: usize = 250;

/// Bytes of text in another reader's batch: about 30 ms of work.
pub const BATCH_BYTES: usize = 200_000;

/// Identifies a batch of files given to another reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BatchId(pub u32);

/// Other readers, which work beside the engine.
pub trait Beside {
    /// Whether one of them can take another batch.
    fn has_room(&self) -> bool;

    /// Gives a batch of paths and texts; call it only if there is room. The id differs from that of
    /// every other batch.
    fn give(&self, files: &[(&str, &str)]) -> BatchId;

    /// Takes a finished batch, with what was read of each file, in order; `None` for a file that is
    /// handed back.
    fn take(&self) -> Option<(BatchId, Vec<Option<ReadFile>>)>;
}

/// The files that earlier engines did not survive.
#[derive(Clone, Debug, Default)]
pub struct Unread {
    /// Files that are not read again.
    pub files: Vec<String>,
    /// One of these stopped the engine: each of them is announced separately.
    pub closely: Option<ReadingView>,
}

impl Unread {
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.closely.is_none()
    }

    /// Removes the files that are not to be read again from the repository.
    pub fn skip(&self, repo: &mut Repo) {
        if !self.files.is_empty() {
            let is_unread = |path: &String| self.files.contains(path);
            repo.skip(|file| is_unread(&file.path).then_some(SkipReason::StoppedEngine));
        }
    }
}

/// The other readers, and the places of the files in each of their batches.
pub struct Helped<B> {
    pub readers: B,
    pub away: BTreeMap<BatchId, Vec<usize>>,
}

impl<B: Beside> Helped<B> {
    /// Takes what they have read, and gives them more.
    fn exchange(&mut self, builder: &mut IndexBuilder) {
        while let Some((batch, read)) = self.readers.take() {
            let places = self.away.remove(&batch).unwrap_or_default();
            for (at, read) in places.into_iter().zip(read) {
                builder.put(at, read);
            }
        }
        while self.readers.has_room() {
            let places = builder.offer(BATCH_BYTES);
            if places.is_empty() {
                return;
            }
            let files = places.iter().filter_map(|&at| builder.files().get(at));
            let files: Vec<(&str, &str)> = files
                .map(|file| (file.path.as_str(), file.text.as_str()))
                .collect();
            let batch = self.readers.give(&files);
            self.away.insert(batch, places);
        }
    }
}

/// An [`IndexBuilder`] that announces the files it is about to read.
pub struct Reading<T, B> {
    pub builder: IndexBuilder,
    helped: Option<Helped<B>>,
    tell: T,
    /// Files per announcement.
    every: usize,
    closely: Option<ReadingView>,
    /// Number of files announced so far.
    told: usize,
    /// Number of files still to be announced separately.
    one_by_one: usize,
    is_over: bool,
    /// Number of files taken over from another version.
    pub reused: Rc<Cell<usize>>,
}

impl<T: FnMut(ReadingView), B: Beside> Reading<T, B> {
    /// `files` is the number of files to read.
    pub fn new(
        builder: IndexBuilder,
        helped: Option<Helped<B>>,
        files: usize,
        unread: &Unread,
        tell: T,
    ) -> Self {
        Self {
            builder,
            helped,
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
        if self.builder.stage() != BuildStage::Parse {
            if !self.is_over {
                self.is_over = true;
                (self.tell)(ReadingView::default());
            }
            return;
        }
        let (path, is_early) = match self.builder.reads_next() {
            Some(next) => next,
            None => return,
        };
        if is_early {
            // The files whose turn it is are announced again when it comes.
            self.told = 0;
            let path = path.to_owned();
            return (self.tell)(ReadingView { path, files: 1 });
        }
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

impl<T: FnMut(ReadingView), B: Beside> Job for Reading<T, B> {
    type Output = Index;
    type Error = Infallible;

    fn step(&mut self) -> Result<Step<Index>, Infallible> {
        if let Some(helped) = &mut self.helped {
            helped.exchange(&mut self.builder);
        }
        self.announce();
        let step = self.builder.step();
        self.reused.set(self.builder.reused());
        step
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::cell::RefCell;

    use footnote_core::chunk::Chunking;
    use footnote_core::index::format;
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

    /// The announcements made while a repository is read.
    fn told(files: usize, unread: &Unread) -> Vec<ReadingView> {
        let mut told = Vec::new();
        let helped: Option<Helped<Rc<Slow>>> = None;
        let builder = IndexBuilder::new(repo(files), Chunking::FUNCTION);
        let Ok(index) = run_to_end(Reading::new(builder, helped, files, unread, |view| {
            told.push(view);
        }));
        assert_eq!(index.repo.files.len(), files);
        told
    }

    /// Another reader, which answers a batch when it is given the next one, and hands back the
    /// first one unread.
    #[derive(Default)]
    pub(in super::super) struct Slow {
        given: RefCell<Vec<Vec<SourceFile>>>,
        taken: Cell<usize>,
    }

    impl Beside for Rc<Slow> {
        fn has_room(&self) -> bool {
            self.given.borrow().len() < self.taken.get() + 2
        }

        fn give(&self, files: &[(&str, &str)]) -> BatchId {
            let file = |&(path, text): &(&str, &str)| SourceFile {
                path: path.to_owned(),
                text: text.to_owned(),
            };
            let mut given = self.given.borrow_mut();
            given.push(files.iter().map(file).collect());
            BatchId(given.len() as u32)
        }

        fn take(&self) -> Option<(BatchId, Vec<Option<ReadFile>>)> {
            let given = self.given.borrow();
            let files = given.get(self.taken.get())?;
            self.taken.set(self.taken.get() + 1);
            let is_first = self.taken.get() == 1;
            let read = |file| match is_first {
                true => None,
                false => ReadFile::of(file, Chunking::FUNCTION).ok(),
            };
            let read = files.iter().map(read).collect();
            Some((BatchId(self.taken.get() as u32), read))
        }
    }

    #[test]
    fn files_read_by_others_give_the_same_index() {
        let words = "words of a line\n".repeat(BATCH_BYTES / 64);
        let file = |at: usize| {
            let (extension, text) = match at % 4 {
                0 => ("py", "def f():\n    return 1\n"),
                _ => ("txt", words.as_str()),
            };
            SourceFile {
                path: format!("{at:05}.{extension}"),
                text: text.to_owned(),
            }
        };
        let repo = || Repo {
            files: (0..40).map(file).collect(),
            ..Repo::default()
        };
        let reader = Rc::new(Slow::default());
        let builder = IndexBuilder::new(repo(), Chunking::FUNCTION);
        let helped = Some(Helped {
            readers: Rc::clone(&reader),
            away: BTreeMap::new(),
        });
        let unread = Unread::default();
        let Ok(index) = run_to_end(Reading::new(builder, helped, 40, &unread, |_| {}));
        let Ok(alone) = run_to_end(IndexBuilder::new(repo(), Chunking::FUNCTION));
        assert!(reader.taken.get() > 3, "{}", reader.taken.get());
        let bytes = |index: &Index| -> Vec<Vec<u8>> {
            format::encode(index).map(|it| it.into_bytes()).collect()
        };
        assert!(bytes(&index) == bytes(&alone));
    }

    #[test]
    fn each_file_is_announced_before_it_is_read_and_the_end_after_the_last() {
        let told = told(2, &Unread::default());
        assert_eq!(
            told,
            [view("00000.txt", 1), view("00001.txt", 1), view("", 0)]
        );
    }

    #[test]
    fn many_files_are_announced_several_at_once_except_those_that_stopped_an_engine() {
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
