//! `--shard I/N`: one of several machines takes its share of a list of archives.

use std::str::FromStr;

/// A share of a list: every `count`-th item, starting at `start`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    start: usize,
    count: usize,
}

impl Shard {
    /// The items of this share. The shares of one list have every item once, whichever machine
    /// asks, as long as the list is the same.
    pub fn of<T: Clone>(self, items: &[T]) -> Vec<T> {
        items
            .iter()
            .skip(self.start)
            .step_by(self.count)
            .cloned()
            .collect()
    }
}

impl FromStr for Shard {
    type Err = String;

    /// `2/5` is the second of five.
    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(number, count)| {
            Some((number.parse::<usize>().ok()?, count.parse::<usize>().ok()?))
        });
        match numbers {
            Some((number, count)) if (1..=count).contains(&number) => Ok(Self {
                start: number - 1,
                count,
            }),
            _ => Err("write the share as I/N, from 1/N to N/N".to_owned()),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_each_archive_once_and_differ_by_one_at_most() {
        for (items, count) in [(0, 1), (1, 3), (7, 3), (9, 3), (100, 7)] {
            let items: Vec<usize> = (0..items).collect();
            let shares = (1..=count).map(|number| {
                let shard: Shard = format!("{number}/{count}").parse().unwrap();
                shard.of(&items)
            });
            let shares: Vec<Vec<usize>> = shares.collect();
            let mut all = shares.concat();
            all.sort_unstable();
            assert_eq!(all, items);
            let sizes = shares.iter().map(Vec::len);
            assert!(sizes.clone().max().unwrap() - sizes.min().unwrap() <= 1);
        }
    }

    #[test]
    fn shares_that_cannot_be_are_refused() {
        for text in [
            "", "1", "0/3", "4/3", "1/0", "0/0", "-1/3", "1/3/5", "a/b", "1/ 3",
        ] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
