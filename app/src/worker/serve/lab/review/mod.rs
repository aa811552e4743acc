//! The review of the current set: the reviews of this page's annotator, the files of others, and
//! the key of anonymous answers. [`views`] converts it for the page.

mod blind;
mod serve;
mod views;

use std::collections::{BTreeMap, BTreeSet};

use footnote_core::eval::Item;
use footnote_core::lab::agreement::{Annotations, Key, Merged, Reading, Review, merge, read};

use crate::worker::protocol::{LabBegunView, LabSetView};

/// Most characters of a name, as many as core reads.
const MAX_NAME: usize = 200;
/// Shown until a name has been entered.
const NAMELESS: &str = "you (no name yet)";

/// The reviews of one set.
#[derive(Default)]
struct Said {
    own: BTreeMap<String, Review>,
    /// One per annotator.
    others: Vec<Annotations>,
    key: Option<Key>,
}

/// The questions that a set of answers stands in for.
pub struct Covered {
    pub items: Vec<Item>,
    pub told: LabSetView,
    /// The hash of their set.
    pub set: String,
}

/// The reviews of the current set and of earlier ones.
#[derive(Default)]
pub struct Reviewing {
    annotator: String,
    /// The hash of the set.
    set: String,
    said: Said,
    /// The questions under a set of answers.
    pub covered: Option<Covered>,
    /// Reviews of other sets, by hash; they return when their set does.
    aside: BTreeMap<String, Said>,
}

/// The result of reading a file or setting a name.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Reviews that belong to this page's annotator from now on.
    pub reviews: Vec<Review>,
    /// A sentence for the user.
    pub told: String,
}

impl Reviewing {
    /// Switches to another set.
    pub fn turn_to(&mut self, set: String) {
        let said = std::mem::take(&mut self.said);
        self.aside.insert(std::mem::take(&mut self.set), said);
        self.said = self.aside.remove(&set).unwrap_or_default();
        self.set = set;
        self.covered = None;
    }

    /// Removes some questions of the set for good.
    pub fn without(&mut self, ids: &[String], set: String) {
        self.set = set;
        for id in ids {
            self.said.own.remove(id);
            for other in &mut self.said.others {
                other.reviews.remove(id);
            }
        }
    }

    /// The hash of the current set.
    pub fn set(&self) -> &str {
        &self.set
    }

    /// Restores the saved reviews of this page's annotator. Reviews given since then are kept: they
    /// are newer.
    pub fn restore(&mut self, own: Annotations) {
        if self.annotator.is_empty() {
            self.annotator = own.annotator;
        }
        if self.said.own.is_empty() {
            self.said.own = own.reviews;
        }
    }

    pub fn begun(&self) -> LabBegunView {
        LabBegunView {
            annotator: self.annotator.clone(),
            reviews: self.said.own.values().map(views::view).collect(),
            has_others: !self.said.others.is_empty(),
            has_key: self.said.key.is_some(),
            is_covering: self.covered.is_some(),
        }
    }

    /// The questions that are exported and evaluated.
    pub fn kept(&self, items: &[Item]) -> Vec<Item> {
        self.own().apply(items)
    }

    /// The reviews of this page's annotator, as saved.
    pub fn own(&self) -> Annotations {
        Annotations {
            annotator: self.annotator.clone(),
            set: self.set.clone(),
            reviews: self.said.own.clone(),
        }
    }

    fn put(&mut self, reviews: impl Iterator<Item = Review>) {
        for review in reviews {
            let says_nothing = review == nothing(&review.id);
            match says_nothing {
                true => self.said.own.remove(&review.id),
                false => self.said.own.insert(review.id.clone(), review),
            };
        }
    }

    /// Sets the annotator's name. The reviews in a file with that name belong to this page from now
    /// on.
    fn name(&mut self, name: &str) -> Taken {
        self.annotator = name.trim().chars().take(MAX_NAME).collect();
        let others = &mut self.said.others;
        let same = others
            .iter()
            .position(|it| it.annotator == self.annotator)
            .map(|at| others.remove(at));
        match same {
            None => Taken::default(),
            Some(file) => {
                let told = format!("The reviews by {} are yours now.", file.annotator);
                self.take_over(file, told)
            }
        }
    }

    /// Existing reviews of this page are kept: they are newer than any file.
    fn take_over(&mut self, file: Annotations, told: String) -> Taken {
        let mut taken = Taken {
            told,
            ..Taken::default()
        };
        let mut n_here = 0;
        for (id, review) in file.reviews {
            match self.said.own.contains_key(&id) {
                true => n_here += 1,
                false => {
                    taken.reviews.push(review.clone());
                    self.said.own.insert(id, review);
                }
            }
        }
        if n_here > 0 {
            taken.told += &format!(" Kept as they are on this page: {n_here}.");
        }
        taken
    }

    /// Reads the file of an annotator.
    fn read(&mut self, file_name: &str, text: &str, items: &[Item]) -> Taken {
        let ids: BTreeSet<&str> = items.iter().map(|item| item.id.as_str()).collect();
        let reading = match read(text, &self.set, |id| ids.contains(id)) {
            Ok(reading) => reading,
            Err(error) => {
                return Taken {
                    told: format!("{file_name} was not opened: {error}."),
                    ..Taken::default()
                };
            }
        };
        let told = views::told(file_name, &reading);
        let Reading { annotations, .. } = reading;
        if annotations.annotator == self.annotator {
            return self.take_over(annotations, format!("{told} They are yours."));
        }
        let mut others = self.said.others.iter_mut();
        match others.find(|it| it.annotator == annotations.annotator) {
            Some(known) => known.reviews.extend(annotations.reviews),
            None => self.said.others.push(annotations),
        }
        Taken {
            told,
            ..Taken::default()
        }
    }

    fn forget(&mut self, annotator: &str) {
        self.said.others.retain(|it| it.annotator != annotator);
    }

    /// Everyone with reviews: this page's annotator, then the others.
    fn all(&self) -> Vec<Annotations> {
        let mut own = self.own();
        if own.annotator.is_empty() {
            own.annotator = NAMELESS.to_owned();
        }
        let own = (!own.reviews.is_empty()).then_some(own);
        own.into_iter()
            .chain(self.said.others.iter().cloned())
            .collect()
    }

    fn merged(&self) -> Merged {
        merge(self.all())
    }
}

/// An empty review.
fn nothing(id: &str) -> Review {
    Review {
        id: id.to_owned(),
        ..Review::default()
    }
}

#[cfg(test)]
mod tests;
