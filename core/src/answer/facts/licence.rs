//! The licence as its own file says it.

use crate::answer::Span;
use crate::answer::notes::{Notes, QUOTED, Source, code, text, tidy};
use crate::index::Index;
use crate::lines::{Line, LineRange};
use crate::source::FileId;

/// States the first line of the licence file's own text.
pub(super) fn state_file(index: &Index, notes: &mut Notes<'_>) {
    let found = index.repo.files.iter().enumerate().find(|(_, file)| {
        let name = file.path.to_lowercase();
        !name.contains('/')
            && ["license", "licence", "copying"]
                .iter()
                .any(|stem| name.starts_with(stem))
    });
    let Some((at, file)) = found else {
        return;
    };
    let Some((row, title)) = file
        .text
        .lines()
        .enumerate()
        .find(|(_, line)| line.chars().any(char::is_alphabetic))
    else {
        return;
    };
    let line = Line(row as u32 + 1);
    let title = title.trim().to_owned();
    let spans: Vec<Span> = vec![code(&file.path), text(format!(" starts with “{title}”."))];
    notes.state(
        tidy(spans),
        &[Source {
            file: FileId(at as u32),
            lines: LineRange::new(line, line),
            quotes: vec![title],
            why: QUOTED.to_owned(),
        }],
    );
}
