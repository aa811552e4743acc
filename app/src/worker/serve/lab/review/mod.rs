//! The review of the set that is worked on: what this page's annotator says, the files of others,
//! and the key of answers whose makers are hidden. [`views`] is what the page is told of it.

mod blind;
mod serve;
mod views;

use std::collections::{BTreeMap, BTreeSet};

use footnote_core::eval::Item;
use footnote_core::lab::agreement::{Annotations, Key, Merged, Reading, Review, merge, read};

use crate::worker::protocol::{LabBegunView, LabSetView};

/// Characters of a name at most, as core reads them.
const MAX_NAME: usize = 200;
/// What stands in the place of a name that was not typed in.
const NAMELESS: &str = "you (no name yet)";

/// What is said of one set.
#[derive(Default)]
struct Said {
    own: BTreeMap<String, Review>,
    /// One an annotator.
    others: Vec<Annotations>,
    key: Option<Key>,
}

/// The questions that a set of answers was made of.
pub struct Covered {
    pub items: Vec<Item>,
    pub told: LabSetView,
    /// Hash of their set.
    pub set: String,
}

/// What is said of the set that is worked on, and of those before.
#[derive(Default)]
pub struct Reviewing {
    annotator: String,
    /// Hash of the set.
    set: String,
    said: Said,
    /// What lies below a set of answers.
    pub covered: Option<Covered>,
    /// Of other sets, by their hashes: it is there again when its set is.
    aside: BTreeMap<String, Said>,
}

/// What came of a file or of a name.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Reviews that are this page's annotator's from now on.
    pub reviews: Vec<Review>,
    /// A sentence for the user.
    pub told: String,
}

impl Reviewing {
    /// Another set is worked on.
    pub fn turn_to(&mut self, set: String) {
        let said = std::mem::take(&mut self.said);
        self.aside.insert(std::mem::take(&mut self.set), said);
        self.said = self.aside.remove(&set).unwrap_or_default();
        self.set = set;
        self.covered = None;
    }

    /// Some questions of the set are gone for good.
    pub fn without(&mut self, ids: &[String], set: String) {
        self.set = set;
        for id in ids {
            self.said.own.remove(id);
            for other in &mut self.said.others {
                other.reviews.remove(id);
            }
        }
    }

    /// The hash of the set that is worked on.
    pub fn set(&self) -> &str {
        &self.set
    }

    /// What this page's annotator said before the page was left.
    /// What is said here already stays: it is newer.
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

    /// What this page's annotator said, as it is saved.
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

    /// Somebody types a name in. What a file of that name says is this page's from now on.
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

    /// What was said here already stays: it is newer than any file.
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
            taken.told += &format!(" Kept as you gave them on this page: {n_here}.");
        }
        taken
    }

    /// Takes in the file of an annotator.
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

    /// All who said something: this page's annotator, then the others.
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

/// A review that says nothing.
fn nothing(id: &str) -> Review {
    Review {
        id: id.to_owned(),
        ..Review::default()
    }
}

#[cfg(test)]
mod tests;
