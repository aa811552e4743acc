//! Adds the meaning of the whole file to that of its chunks: a file about something ranks above one
//! that mentions it once.

use std::collections::BTreeMap;

use super::with_gains;
use super::{Group, StepSpec};
use crate::search::params::Param;
use crate::search::{Context, Hit, fusion};
use crate::source::FileId;

/// Gain of the candidates' file that is nearest to the question.
static GAIN: Param = Param::new("file_meaning", 0.1);

pub(super) static FILE_MEANING: StepSpec = StepSpec {
    name: "file-meaning",
    about: "According to the static encoder, the file as a whole is close to the question.",
    why: |_, _| "the whole file is close to the question".to_owned(),
    group: Group::Rule,
    compares: None,
    params: &[&GAIN],
    apply: file_meaning,
};

fn file_meaning(context: &Context<'_>, hits: Vec<Hit>) -> Vec<Hit> {
    let weight = context.params.get(&GAIN);
    let Some(table) = context.table.as_ref().filter(|_| weight > 0.0) else {
        return hits;
    };
    let index = context.index;
    let files = hits
        .iter()
        .filter_map(|hit| Some(index.chunk(hit.chunk)?.file));
    let mut cosines: BTreeMap<FileId, f32> = BTreeMap::new();
    for file in files {
        if !cosines.contains_key(&file)
            && let Some(cosine) = table.cosine_of_all(index.chunks_of(file).map(|(id, _)| id))
        {
            cosines.insert(file, cosine);
        }
    }
    let scale = fusion::scale_of(cosines.values().copied());
    with_gains("file-meaning", hits, |hit| {
        let cosine = cosines.get(&index.chunk(hit.chunk)?.file)?;
        Some(weight * scale(*cosine))
    })
}
