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
    /// What it asks about, for people.
    pub title: &'static str,
    /// Makes all drafts of this kind that the repository has.
    pub(super) draft: fn(&World<'_>, &mut Drafts),
}

/// All kinds. First come those whose questions never contain the name of what answers them.
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
