//! The file and the lines that a claim points at.

use super::attributed::Item;
use super::claim::{Claim, Flaw};
use super::held::Area;
use super::paths::{PathRepair, resolve};
use super::{Evidence, Rejection};
use crate::index::Index;
use crate::lines::{Line, LineIndex, LineRange};
use crate::source::FileId;

/// Where a claim points, before any judgement.
pub(super) struct Place<'i> {
    pub file: Result<(FileId, Option<PathRepair>), Rejection>,
    pub lines: Result<LineRange, Rejection>,
    pub turned: bool,
    area: Option<Area<'i>>,
}

impl Place<'_> {
    pub(crate) fn holds(&self, item: &Item) -> bool {
        self.area.as_ref().is_some_and(|area| area.holds(item))
    }

    /// Returns the cited lines, if they exist.
    pub(super) fn text(&self) -> Option<&str> {
        self.area.as_ref().map(Area::text)
    }

    pub(crate) fn has_verbatim(&self, item: &Item) -> bool {
        self.area
            .as_ref()
            .is_some_and(|area| area.has_verbatim(item))
    }
}

/// Returns what `claim` points at.
pub(super) fn place<'i>(index: &'i Index, evidence: &Evidence, claim: &Claim) -> Place<'i> {
    let file = resolve(index, evidence, &claim.path);
    let malformed = || {
        let flaw = claim.flaw.clone().unwrap_or(Flaw::NoLines);
        Rejection::Malformed {
            flaw,
            path: claim.path.clone(),
        }
    };
    let (lines, turned) = match (claim.lines, &claim.flaw) {
        (Some(lines), _) => (Ok(lines), false),
        (None, Some(Flaw::Reversed { first, last })) => {
            (Ok(LineRange::new(Line(*last), Line(*first))), true)
        }
        (None, _) => (Err(malformed()), false),
    };
    let source = file
        .as_ref()
        .ok()
        .and_then(|(file, _)| index.repo.file(*file));
    let lines = match (lines, source) {
        (Ok(lines), Some(source)) => {
            let line_count = LineIndex::new(&source.text).line_count();
            match lines.end().0 <= line_count {
                true => Ok(lines),
                false => Err(Rejection::OutsideFile {
                    line_count,
                    path: source.path.clone(),
                }),
            }
        }
        (lines, _) => lines,
    };
    let area = match (&file, &lines) {
        (Ok((file, _)), Ok(lines)) => Area::new(index, *file, *lines),
        _ => None,
    };
    Place {
        file,
        lines,
        turned,
        area,
    }
}
