//! What a model was sent: the only lines that it can know.

use std::collections::BTreeMap;

use crate::lines::LineRange;
use crate::source::FileId;

/// Lines of files that were sent to a model, or everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    is_everything: bool,
    /// The ranges of each file in order, none touching another.
    ranges: BTreeMap<FileId, Vec<LineRange>>,
}

impl Evidence {
    /// The whole repository.
    pub fn everything() -> Self {
        Self {
            is_everything: true,
            ..Self::default()
        }
    }

    /// Only these lines.
    pub fn of(ranges: impl IntoIterator<Item = (FileId, LineRange)>) -> Self {
        let mut evidence = Self::default();
        for (file, lines) in ranges {
            evidence.add(file, lines);
        }
        evidence
    }

    /// Adds these lines. Ranges that overlap or touch are merged.
    pub fn add(&mut self, file: FileId, lines: LineRange) {
        let known = self.ranges.entry(file).or_default();
        let (mut first, mut last) = (lines.start(), lines.end());
        known.retain(|other| {
            let touches = other.start().0 <= last.0.saturating_add(1)
                && first.0 <= other.end().0.saturating_add(1);
            if touches {
                first = first.min(other.start());
                last = last.max(other.end());
            }
            !touches
        });
        let at = known.partition_point(|other| other.start() < first);
        known.insert(at, LineRange::new(first, last));
    }

    /// Returns which of these lines were sent, in order.
    pub(crate) fn sent(&self, file: FileId, lines: LineRange) -> Vec<LineRange> {
        if self.is_everything {
            return vec![lines];
        }
        let sent = self.of_file(file).iter();
        sent.filter(|sent| sent.overlaps(lines))
            .map(|sent| {
                let first = sent.start().max(lines.start());
                LineRange::new(first, sent.end().min(lines.end()))
            })
            .collect()
    }

    /// Whether more than half of these lines were sent: one shared line is not enough for a source.
    pub(crate) fn holds_most(&self, file: FileId, lines: LineRange) -> bool {
        let sent = self.sent(file, lines);
        sent.iter().map(|part| part.count()).sum::<u32>() * 2 > lines.count()
    }

    /// Whether all of these lines were sent.
    pub(crate) fn encloses(&self, file: FileId, lines: LineRange) -> bool {
        self.is_everything || self.of_file(file).iter().any(|sent| sent.encloses(lines))
    }

    /// Whether any line of the file was sent.
    pub(crate) fn has_file(&self, file: FileId) -> bool {
        self.is_everything || self.ranges.contains_key(&file)
    }

    /// Whether it is the whole repository.
    pub(crate) fn is_everything(&self) -> bool {
        self.is_everything
    }

    /// Returns the ranges that were named, by file and line; none for [`Evidence::everything`].
    pub fn ranges(&self) -> impl Iterator<Item = (FileId, LineRange)> {
        self.ranges
            .iter()
            .flat_map(|(&file, ranges)| ranges.iter().map(move |&lines| (file, lines)))
    }

    fn of_file(&self, file: FileId) -> &[LineRange] {
        self.ranges.get(&file).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::Line;

    fn lines(start: u32, end: u32) -> LineRange {
        LineRange::new(Line(start), Line(end))
    }

    #[test]
    fn ranges_that_touch_become_one() {
        let file = FileId(0);
        let evidence = Evidence::of([
            (file, lines(10, 12)),
            (file, lines(1, 3)),
            (file, lines(13, 14)),
            (file, lines(2, 5)),
        ]);
        let all: Vec<_> = evidence.ranges().collect();
        assert_eq!(all, [(file, lines(1, 5)), (file, lines(10, 14))]);
        assert!(!evidence.holds_most(file, lines(5, 9)));
        assert!(evidence.holds_most(file, lines(1, 9)));
        assert!(!evidence.holds_most(FileId(1), lines(1, 5)));
        assert_eq!(
            evidence.sent(file, lines(4, 11)),
            [lines(4, 5), lines(10, 11)]
        );
    }

    #[test]
    fn everything_holds_every_line_and_nothing_holds_none() {
        assert!(Evidence::everything().holds_most(FileId(7), lines(1, 1)));
        assert!(!Evidence::default().holds_most(FileId(7), lines(1, 1)));
    }
}
