//! Lines of a file in the form that a model reads.

use super::desk::Desk;
use crate::lines::{Line, LineRange};
use crate::model::prompt::{estimate_tenths, fence};
use crate::source::FileId;

/// Least number of bytes of code per token, line numbers included; used to plan a length before the
/// lines are counted.
const BYTES_PER_TOKEN: usize = 2;

/// Most pieces that a long file is cut into; the rest is taken to be data.
const MAX_PIECES: u32 = 6;

/// Approximate tokens of a file, without reading it.
pub(super) fn planned(desk: &Desk, file: FileId) -> usize {
    desk.text(file).len() / BYTES_PER_TOKEN
}

/// The lines of a file, in pieces of approximately `room` tokens at most.
pub(super) fn pieces(desk: &Desk, file: FileId, room: usize) -> Vec<LineRange> {
    let Some(lines) = desk.index.lines(file) else {
        return Vec::new();
    };
    let n = planned(desk, file).div_ceil(room.max(1)).max(1) as u32;
    let of_each = lines.line_count().div_ceil(n.min(MAX_PIECES)).max(1);
    let starts = (1..=lines.line_count()).step_by(of_each as usize);
    let ends = |start: u32| (start + of_each - 1).min(lines.line_count());
    starts
        .map(|start| LineRange::new(Line(start), Line(ends(start))))
        .collect()
}

/// Lines of a file, named, numbered and fenced, and their range: lines at the end that do not fit
/// into `room` tokens are left out. `None` if no line fits.
pub(super) fn excerpt(
    desk: &Desk,
    file: FileId,
    lines: LineRange,
    room: usize,
) -> Option<(String, LineRange)> {
    let path = desk.path(file);
    let text = desk.index.lines(file)?.slice(desk.text(file), lines)?;
    let (first, last) = fence::frame(path, lines, text);
    let mut left = room * 10;
    left = left.checked_sub(estimate_tenths(&first) + estimate_tenths(&last))?;
    let mut end = None;
    for (number, row) in (lines.start().0..).zip(text.lines()) {
        let cost = estimate_tenths(&fence::line(Line(number), row));
        if cost > left {
            break;
        }
        left -= cost;
        end = Some(Line(number));
    }
    let shown = LineRange::new(lines.start(), end?);
    let text = desk.index.lines(file)?.slice(desk.text(file), shown)?;
    Some((fence::quote(path, shown, text), shown))
}
