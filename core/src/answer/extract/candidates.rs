//! Which definitions the hits show, and how useful each one is.

use super::Extract;
use crate::answer::definition::Definition;
use crate::chunk::ChunkId;
use crate::lines::LineIndex;
use crate::search::Hit;

/// Weight of the words shared with name and documentation, relative to the hit's score.
const NAME_SHARE: f32 = 1.0;

pub(super) struct Candidate<'i> {
    pub definition: Definition<'i>,
    pub chunk: ChunkId,
    pub value: f32,
}

impl<'i> Extract<'_, 'i> {
    /// Returns the definitions that the hits show, most useful first. The hit's score and the words
    /// that name and documentation share with the question count equally.
    pub(super) fn candidates(&self, hits: &[&Hit]) -> Vec<Candidate<'i>> {
        let best = hits
            .first()
            .map_or(1.0, |hit| hit.score.max(f32::MIN_POSITIVE));
        let any_wanted = hits.iter().any(|hit| self.is_wanted(hit.chunk));
        let mut candidates: Vec<Candidate<'i>> = Vec::new();
        for hit in hits {
            if any_wanted && !self.is_wanted(hit.chunk) {
                continue;
            }
            for definition in self.definitions_in(hit.chunk).into_iter().take(2) {
                let symbol = definition.symbol;
                let named = self
                    .asked
                    .share(&format!("{} {}", symbol.qualified, symbol.doc));
                if candidates
                    .iter()
                    .all(|known| !known.definition.is(&definition))
                {
                    candidates.push(Candidate {
                        value: hit.score / best + NAME_SHARE * named,
                        chunk: hit.chunk,
                        definition,
                    });
                }
            }
        }
        candidates.sort_by(|a, b| b.value.total_cmp(&a.value));
        candidates
    }

    /// Returns the symbols that a chunk shows, closest to the question first: its own symbol, a
    /// member of a small class, or a constant between symbols that the question names.
    fn definitions_in(&self, chunk: ChunkId) -> Vec<Definition<'i>> {
        let Some((found, (_, parsed))) = self
            .index
            .chunk(chunk)
            .and_then(|found| Some((found, self.index.file(found.file)?)))
        else {
            return Vec::new();
        };
        let own = found
            .symbol
            .and_then(|at| Definition::new(self.index, found.file, at));
        if let Some(own) = own.filter(|own| !own.is_container()) {
            return if own.is_sayable() {
                vec![own]
            } else {
                Vec::new()
            };
        }
        let mut inside: Vec<(f32, Definition<'i>)> = (0..parsed.symbols.len() as u32)
            .filter_map(|at| Definition::new(self.index, found.file, at))
            .filter(|definition| {
                found.lines.encloses(definition.symbol.lines) && definition.is_sayable()
            })
            .map(|definition| (self.closeness(&definition), definition))
            .filter(|(closeness, _)| *closeness > 0.0)
            .collect();
        inside.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.at.cmp(&b.1.at)));
        let mut definitions: Vec<Definition<'i>> = inside
            .into_iter()
            .map(|(_, definition)| definition)
            .collect();
        if let Some(own) = own.filter(|own| definitions.iter().all(|known| !known.is(own))) {
            definitions.push(own);
        }
        definitions
    }

    /// How much a symbol of a chunk that holds several shares with the question: its name counts
    /// most, then its documentation, then its body unless it is a container.
    fn closeness(&self, definition: &Definition<'i>) -> f32 {
        let symbol = definition.symbol;
        let body = match (definition.is_container(), self.index.file(definition.file)) {
            (false, Some((file, _))) => LineIndex::new(&file.text)
                .slice(&file.text, symbol.lines)
                .map_or(0.0, |body| self.asked.overlap(body)),
            _ => 0.0,
        };
        self.asked.overlap(&symbol.name) + 0.5 * self.asked.overlap(&symbol.doc) + 0.25 * body
    }
}
