//! The coloured runs of a text. A large file has a hundred thousand of them, and the page reads
//! those of only a few lines, so they are sent and kept as bytes.

use footnote_core::lang::highlight::{Highlight, HighlightClass};
use serde::{Deserialize, Serialize};

/// Each class is at the index that its byte stores.
const CLASSES: [HighlightClass; 7] = [
    HighlightClass::Keyword,
    HighlightClass::String,
    HighlightClass::Comment,
    HighlightClass::Number,
    HighlightClass::Function,
    HighlightClass::Type,
    HighlightClass::Heading,
];

/// Runs in byte order, not overlapping.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Highlights(#[serde(with = "serde_bytes")] Vec<u8>);

/// Start and end (little-endian) and class.
const RUN: usize = 9;

impl Highlights {
    /// Returns the runs that end after byte `at`, in order.
    pub fn beyond(&self, at: usize) -> impl Iterator<Item = Highlight> + '_ {
        let (runs, _) = self.0.as_chunks::<RUN>();
        let ends_before = |run: &[u8; RUN]| number(run, 4) as usize <= at;
        let first = runs.partition_point(ends_before);
        runs.iter().skip(first).filter_map(read)
    }
}

impl FromIterator<Highlight> for Highlights {
    fn from_iter<I: IntoIterator<Item = Highlight>>(runs: I) -> Self {
        let mut packed = Vec::new();
        for Highlight { bytes, class } in runs {
            packed.extend((bytes.start as u32).to_le_bytes());
            packed.extend((bytes.end as u32).to_le_bytes());
            packed.push(class as u8);
        }
        Self(packed)
    }
}

/// `None` for a class of another version.
fn read(run: &[u8; RUN]) -> Option<Highlight> {
    let class = usize::from(*run.last()?);
    Some(Highlight {
        bytes: number(run, 0) as usize..number(run, 4) as usize,
        class: *CLASSES.get(class)?,
    })
}

fn number(run: &[u8; RUN], at: usize) -> u32 {
    let bytes = run.get(at..).and_then(|rest| rest.first_chunk());
    bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(count: usize) -> Vec<Highlight> {
        let run = |at: usize| Highlight {
            bytes: at * 1_000..at * 1_000 + 300,
            class: CLASSES[at % CLASSES.len()],
        };
        (0..count).map(run).collect()
    }

    #[test]
    fn runs_come_back_as_they_were_from_the_first_that_is_not_over() {
        let all = runs(70);
        let packed: Highlights = all.iter().cloned().collect();
        let bytes = postcard::to_stdvec(&packed).unwrap();
        let packed: Highlights = postcard::from_bytes(&bytes).unwrap();
        for (at, first) in [
            (0, 0),
            (299, 0),
            (300, 1),
            (1_000, 1),
            (69_299, 69),
            (69_300, 70),
        ] {
            let found: Vec<_> = packed.beyond(at).collect();
            assert_eq!(found, all[first..], "beyond {at}");
        }
        assert_eq!(Highlights::default().beyond(0).next(), None);
    }

    #[test]
    fn bytes_of_another_version_colour_nothing() {
        let unknown = Highlights([[0; 8].as_slice(), &[200]].concat());
        assert_eq!(unknown.beyond(0).count(), 0);
        assert_eq!(Highlights(vec![1; 5]).beyond(0).count(), 0);
    }
}
