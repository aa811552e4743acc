//! What the card of an export says about the repository.

use std::collections::BTreeSet;
use std::path::Path;

use footnote_core::eval::Item;
use footnote_core::lab::export::{Repository, missing};

use crate::{Result, archive};

/// The repository of a set, and anything odd about it. Without an archive, only the name in the set
/// is known.
pub fn of(items: &[Item], path: Option<&Path>) -> Result<(Repository, Vec<String>)> {
    let keys: BTreeSet<&str> = items.iter().map(|item| item.archive.as_str()).collect();
    let mut notes = Vec::new();
    if keys.len() > 1 {
        notes.push(format!(
            "The questions are about {} repositories, and the card describes one.",
            keys.len()
        ));
    }
    let Some(path) = path else {
        let name = keys.into_iter().collect::<Vec<_>>().join(", ");
        let repository = Repository {
            name,
            archive_hash: "not known".to_owned(),
            ..Repository::default()
        };
        notes.push(
            "The version and licence of the repository are not known. Name its archive with \
             --archive, so that the card states them."
                .to_owned(),
        );
        return Ok((repository, notes));
    };
    let repo = archive::archive_or_folder(path)?;
    notes.extend(missing(items, &repo));
    let (repository, more) = Repository::of(&repo);
    notes.extend(more);
    Ok((repository, notes))
}
