//! The kinds of questions, one file each.

mod bases;
mod calls;
mod changelog;
mod commits;
mod documentation;
mod documents;
mod importers;
mod imports;
mod manifest;
mod places;
mod signatures;
mod tests_of;
mod values;

use super::draft::Drafts;
use super::world::World;

/// A kind of question.
pub struct Kind {
    /// The `category` of its items.
    pub name: &'static str,
    /// What it asks, for people.
    pub title: &'static str,
    /// Makes all that the repository gives.
    pub(super) draft: fn(&World<'_>, &mut Drafts),
}

/// All kinds. Those whose questions never hold the name of what answers them come first.
pub const KINDS: &[&Kind] = &[
    &documentation::KIND,
    &documents::KIND,
    &commits::KIND,
    &changelog::KIND,
    &tests_of::KIND,
    &calls::KIND,
    &bases::KIND,
    &imports::KIND,
    &importers::KIND,
    &signatures::KIND,
    &values::KIND,
    &places::KIND,
    &manifest::KIND,
];
