//! Requests that only read the open repository: a file, the skipped files, symbols, the graph.

use std::rc::Rc;

use footnote_core::answer;
use footnote_core::describe::doubts;
use footnote_core::index::Index;
use footnote_core::lang::highlight;
use footnote_core::lines::{Line, LineRange};
use footnote_core::source::FileId;

use super::repo::OpenRepo;
use super::services::Services;
use super::shelf::Shelf;
use super::{graph, meant, notices, uses, views};
use crate::worker::protocol::{
    DefinitionView, DescribedView, FileView, GraphEvent, GraphRequest, JobId, Notice, PathsView,
    PeekView, PlaceView, SourceEvent, SourceRequest,
};

/// Lines shown in a quick preview.
const PEEK_LINES: u32 = 12;

/// Reads from the open repository.
pub struct Looker {
    services: Rc<Services>,
    shelf: Rc<Shelf>,
}

impl Looker {
    pub fn new(services: &Rc<Services>, shelf: &Rc<Shelf>) -> Self {
        Self {
            services: Rc::clone(services),
            shelf: Rc::clone(shelf),
        }
    }

    pub fn serve_source(&self, job: JobId, request: SourceRequest) {
        match request {
            SourceRequest::Peek(place) => self.send_peek(job, place),
            SourceRequest::File { path } => self.send_file(job, &path),
            SourceRequest::Skipped => self.send_skipped(job),
            SourceRequest::Symbols { query, limit } => self.send_symbols(job, &query, limit),
            SourceRequest::Paths { written, limit } => self.send_paths(job, written, limit),
            SourceRequest::Meant { path, line, name } => self.send_meant(job, &path, line, &name),
        }
    }

    fn send_file(&self, job: JobId, path: &str) {
        let Some(open) = self.shelf.current() else {
            return self.services.fail(job, notices::nothing_open());
        };
        let view = open
            .index
            .repo
            .find(path)
            .and_then(|file| file_view(&open, file));
        match view {
            Some(view) => self.services.end(job, SourceEvent::File(view)),
            None => self.services.fail(job, missing(&open, path)),
        }
    }

    fn send_peek(&self, job: JobId, place: PlaceView) {
        let Some(open) = self.shelf.current() else {
            return self.services.fail(job, notices::nothing_open());
        };
        match peek(&open.index, &place, PEEK_LINES) {
            Some(view) => self.services.end(job, SourceEvent::Peek(view)),
            None => self.services.fail(job, notices::no_such_lines(&place.path)),
        }
    }

    fn send_skipped(&self, job: JobId) {
        match self.shelf.current() {
            Some(open) => self
                .services
                .end(job, SourceEvent::Skipped(views::skipped(&open.index))),
            None => self.services.fail(job, notices::nothing_open()),
        }
    }

    fn send_symbols(&self, job: JobId, query: &str, limit: u32) {
        match self.shelf.current() {
            Some(open) => {
                let found = views::find_symbols(&open.index, query, limit as usize);
                self.services.end(job, SourceEvent::Symbols(found));
            }
            None => self.services.fail(job, notices::nothing_open()),
        }
    }

    fn send_paths(&self, job: JobId, written: String, limit: u32) {
        let Some(open) = self.shelf.current() else {
            return self.services.fail(job, notices::nothing_open());
        };
        let paths = answer::paths_like(&open.index, &written, limit as usize);
        let view = PathsView { written, paths };
        self.services.end(job, SourceEvent::Paths(view));
    }

    fn send_meant(&self, job: JobId, path: &str, line: u32, name: &str) {
        let Some(open) = self.shelf.current() else {
            return self.services.fail(job, notices::nothing_open());
        };
        match meant::of_name(&open.index, path, line, name) {
            Some(view) => self.services.end(job, SourceEvent::Meant(view)),
            None => self.services.fail(job, missing(&open, path)),
        }
    }

    pub fn serve_graph(&self, job: JobId, request: GraphRequest) {
        let Some(open) = self.shelf.current() else {
            return self.services.fail(job, notices::nothing_open());
        };
        match request {
            GraphRequest::Around {
                seeds,
                expanded,
                placed,
            } => {
                let view = graph::around(&open.index, &seeds, &expanded, &placed);
                self.services.end(job, GraphEvent::Around(view));
            }
            GraphRequest::Uses { path } => match uses::of_file(&open.index, &path) {
                Some(view) => self.services.end(job, GraphEvent::Uses(view)),
                None => self.services.fail(job, missing(&open, &path)),
            },
        }
    }
}

/// Why a file cannot be shown: one of several repositories may have made room for others since.
fn missing(open: &OpenRepo, path: &str) -> Notice {
    let across = open.across.borrow();
    let gone = across.as_ref().and_then(|across| across.gone(path));
    match gone {
        Some(repository) => notices::made_room(repository),
        None => notices::no_such_file(path),
    }
}

/// Returns the first `most` lines of a place, highlighted.
pub fn peek(index: &Index, place: &PlaceView, most: u32) -> Option<PeekView> {
    let file = index.repo.find(&place.path)?;
    let (source, parsed) = index.file(file)?;
    let all = LineRange::new(Line(place.start), Line(place.end));
    let shown = all.count().min(most);
    let lines = LineRange::new(all.start(), Line(all.start().0 + shown - 1));
    let bytes = index.lines(file)?.bytes(lines)?;
    let inside = |span: highlight::Highlight| {
        let (start, end) = (
            span.bytes.start.max(bytes.start),
            span.bytes.end.min(bytes.end),
        );
        (start < end).then(|| highlight::Highlight {
            bytes: start - bytes.start..end - bytes.start,
            class: span.class,
        })
    };
    let highlights = highlight::highlight(parsed.language, &source.text);
    Some(PeekView {
        place: place.clone(),
        text: source.text.get(bytes.clone())?.to_owned(),
        highlights: highlights.into_iter().filter_map(inside).collect(),
        more: all.count() - shown,
    })
}

/// Returns the descriptions of lines of a file that language models wrote.
fn described(open: &OpenRepo, file: FileId) -> Vec<DescribedView> {
    let index = &open.index;
    let written = open.written.borrow();
    let Some(written) = written.as_ref().filter(|written| !written.0.is_empty()) else {
        return Vec::new();
    };
    let of_file = index.chunk_ids().filter(|(_, it)| it.file == file);
    let of_file = of_file.filter_map(|(chunk, it)| {
        let text = written.of(index, chunk)?;
        Some(DescribedView {
            start: it.lines.start().0,
            end: it.lines.end().0,
            text: text.text.clone(),
            model: text.model.clone(),
            is_doubtful: !doubts(index, chunk, &text.text).is_empty(),
        })
    });
    of_file.collect()
}

fn file_view(open: &OpenRepo, file: FileId) -> Option<FileView> {
    let index = &open.index;
    let (source, parsed) = index.file(file)?;
    let highlights = highlight::highlight(parsed.language, &source.text);
    let symbols = parsed.symbols.iter();
    Some(FileView {
        path: source.path.clone(),
        text: source.text.clone(),
        highlights: highlights.into_iter().collect(),
        definitions: symbols
            .map(|symbol| DefinitionView {
                title: format!("{} {}", symbol.kind.name(), symbol.qualified),
                start: symbol.lines.start().0,
                end: symbol.lines.end().0,
            })
            .collect(),
        described: described(open, file),
        names: answer::names_in(index, file)
            .into_iter()
            .map(str::to_owned)
            .collect(),
    })
}
