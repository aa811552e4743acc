//! Finds questions that are the same or nearly the same, and draws a balanced set from the rest.

use std::collections::BTreeMap;

use crate::embed::Embedding;
use crate::index::Index;

/// Why a question with the same words as another is dropped.
pub(super) const EQUAL: &str = "the set already has the same question";

/// Two questions this similar with different gold have two right answers; only the first is kept.
const SAME: f32 = 0.985;

/// A question in the form for comparisons: its words in lower case.
pub(super) fn normal(question: &str) -> String {
    let words = question.split(|it: char| !(it.is_alphanumeric() || it == '_'));
    let words = words.filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// A question to be compared with those already taken.
pub(super) struct Compared<'q, G> {
    /// Only questions of the same group are compared.
    pub group: usize,
    pub question: &'q str,
    /// The gold of the question.
    pub gold: G,
    /// Whether it names nothing. Questions with a name may be similar and differ only in the name,
    /// so only sentences are compared with those that have different gold.
    pub is_sentence: bool,
}

/// Finds questions that are nearly the same with the static encoder, if there is one.
pub(super) struct Near<G> {
    least: f32,
    is_same: fn(&G, &G) -> bool,
    /// The questions taken: group, vector, gold.
    known: Vec<(usize, Embedding, G)>,
}

impl<G> Near<G> {
    /// Two questions with a cosine of at least `least` count as one if `is_same` holds for their
    /// gold.
    pub(super) fn new(least: f32, is_same: fn(&G, &G) -> bool) -> Self {
        Self {
            least,
            is_same,
            known: Vec::new(),
        }
    }

    pub(super) fn takes(&mut self, index: &Index, it: Compared<'_, G>) -> Result<(), &'static str> {
        let table = index.table();
        let Some(vector) = table.and_then(|table| table.embed(it.question)) else {
            return Ok(());
        };
        for (_, other, gold) in self.known.iter().filter(|(group, ..)| *group == it.group) {
            let cosine = vector.cosine(other);
            if (self.is_same)(gold, &it.gold) && cosine >= self.least {
                return Err("the set already has nearly the same question");
            }
            if it.is_sentence && cosine >= SAME {
                return Err("several places answer nearly the same question");
            }
        }
        self.known.push((it.group, vector, it.gold));
        Ok(())
    }
}

/// What a draw balances: kind, folder and number of gold files.
pub(super) type Place = (usize, String, usize);

/// Draws up to `count`, each time from the kind, folder and number of gold files that have given
/// the fewest so far. Skips those that `takes` refuses.
pub(super) fn draw<T>(
    all: Vec<T>,
    count: usize,
    place: impl Fn(&T) -> Place,
    mut takes: impl FnMut(&T) -> bool,
) -> Vec<T> {
    let mut groups: BTreeMap<Place, Vec<T>> = BTreeMap::new();
    for it in all {
        groups.entry(place(&it)).or_default().push(it);
    }
    let mut given: BTreeMap<usize, usize> = BTreeMap::new();
    let mut taken: BTreeMap<Place, usize> = BTreeMap::new();
    let mut drawn = Vec::new();
    while drawn.len() < count {
        let least = groups.keys().min_by_key(|key| {
            let of_kind = given.get(&key.0).copied().unwrap_or(0);
            (of_kind, taken.get(*key).copied().unwrap_or(0))
        });
        let Some(key) = least.cloned() else {
            break;
        };
        let Some(it) = groups.get_mut(&key).and_then(Vec::pop) else {
            groups.remove(&key);
            continue;
        };
        if takes(&it) {
            *given.entry(key.0).or_default() += 1;
            *taken.entry(key).or_default() += 1;
            drawn.push(it);
        }
    }
    drawn
}

/// The id of a question, the same every time it is made.
pub(super) fn id(kind: &str, question: &str, gold_files: &[String]) -> String {
    let text = format!("{kind}\n{question}\n{}", gold_files.join("\n"));
    let digest = blake3::hash(text.as_bytes()).to_hex();
    format!("{kind}-{}", digest.get(..10).unwrap_or_default())
}
