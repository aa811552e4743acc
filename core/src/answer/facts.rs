//! Facts of manifests: licence, version, dependencies.

use super::notes::Notes;
use crate::index::Index;
use crate::search::Question;

/// States the facts of the repository's manifests that the question asks for.
pub(super) fn state(_index: &Index, _question: &Question, _notes: &mut Notes<'_>) {}
