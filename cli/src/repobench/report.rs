//! The figures of all rankings, as a table and as JSON.

use std::collections::BTreeMap;

use footnote_core::eval::unfinished::{Case, Marks, Mode, expected_by_chance, marks, rank};
use serde_json::{Value, json};

/// The constant of reciprocal rank fusion (Cormack et al. 2009).
const RRF: f32 = 60.0;

/// What is kept of a case.
struct Kept {
    language: &'static str,
    is_hard: bool,
    mode: Mode,
    candidates: usize,
    gold: usize,
}

/// The key of a ranking: its place in the table, and a name from the query, the way to compare, and
/// the part of the candidates that is compared.
type Row = (usize, String);

/// The rank of the wanted candidate in every case, by ranking.
#[derive(Default)]
pub struct Report {
    cases: Vec<Kept>,
    names: Vec<String>,
    ranks: BTreeMap<Row, Vec<usize>>,
}

impl Report {
    pub fn is_empty(&self) -> bool {
        self.cases.is_empty()
    }

    /// Starts a case; what is added from now on belongs to it.
    pub fn begin(&mut self, case: &Case) {
        self.cases.push(Kept {
            language: case.language.name(),
            is_hard: case.is_hard(),
            mode: case.mode,
            candidates: case.candidates.len(),
            gold: case.gold,
        });
    }

    /// Adds the scores of the candidates by their code and by their texts. Derives two more
    /// rankings: both fused, and the texts handed to the wrong candidates.
    pub fn add(&mut self, query: &str, ranker: &str, code: &[f32], text: &[f32]) {
        let fused: Vec<f32> = rrf(code)
            .iter()
            .zip(rrf(text))
            .map(|(a, b)| a + b)
            .collect();
        let mut moved = text.to_vec();
        moved.rotate_left(text.len().min(1));
        for (view, scores) in [
            ("code", code),
            ("text", text),
            ("both", &fused),
            ("text of another", &moved),
        ] {
            self.add_one(&format!("{query} | {view}"), ranker, scores);
        }
    }

    /// Adds the scores of the candidates.
    pub fn add_one(&mut self, query: &str, ranker: &str, scores: &[f32]) {
        let name = match query.split_once(" | ") {
            Some((query, view)) => format!("{query} | {ranker} | {view}"),
            None => format!("{query} | {ranker} | –"),
        };
        let at = match self.names.iter().position(|known| *known == name) {
            Some(at) => at,
            None => {
                self.names.push(name.clone());
                self.names.len() - 1
            }
        };
        let gold = self.cases.last().map_or(0, |case| case.gold);
        let ranks = self.ranks.entry((at, name)).or_default();
        ranks.push(rank(scores, gold));
    }

    /// One table per language.
    pub fn table(&self) -> String {
        let languages = self.languages().into_iter();
        languages.map(|language| self.table_of(language)).collect()
    }

    fn table_of(&self, language: &str) -> String {
        let n = |takes: Takes| self.of(language, takes).len();
        let heads: String = COLUMNS
            .iter()
            .map(|(head, ..)| format!(" {head} |"))
            .collect();
        let mut out = format!(
            "\n{language}: {} cases, {} of them hard, {} of a first use, {} first and easy\n\n\
             | query | compared by | of candidates | acc@1 | 95 % | acc@3 |{heads}\n|{}\n",
            n(|_| true),
            n(is_hard),
            n(is_first),
            n(is_xff_easy),
            "---|".repeat(6 + COLUMNS.len()),
        );
        let chance = |takes: Takes| {
            let of = self.of(language, takes).into_iter();
            let counts = of
                .filter_map(|at| self.cases.get(at))
                .map(|it| it.candidates);
            expected_by_chance(&counts.collect::<Vec<_>>())
        };
        out += &line("– | chance | –", None, chance);
        for ((_, name), ranks) in &self.ranks {
            let of = |takes: Takes| self.marks(language, takes, ranks);
            let interval = of(|_| true).interval;
            let interval = Some((interval.low, interval.high));
            out += &line(name, interval, |takes| of(takes).acc);
        }
        out
    }

    /// The same figures as JSON.
    pub fn to_json(&self) -> Value {
        let mut rows = Vec::new();
        for language in self.languages() {
            for ((_, name), ranks) in &self.ranks {
                for (group, takes) in GROUPS {
                    let marks = self.marks(language, takes, ranks);
                    rows.push(json!({
                        "language": language,
                        "ranking": name,
                        "cases": group,
                        "n": marks.n,
                        "acc@1": marks.acc[0],
                        "acc@1_ci95": [marks.interval.low, marks.interval.high],
                        "acc@3": marks.acc[1],
                        "acc@5": marks.acc[2],
                    }));
                }
            }
        }
        json!(rows)
    }

    fn languages(&self) -> Vec<&'static str> {
        let mut languages: Vec<_> = self.cases.iter().map(|case| case.language).collect();
        languages.sort_unstable();
        languages.dedup();
        languages
    }

    /// The cases of a language that `takes` accepts.
    fn of(&self, language: &str, takes: Takes) -> Vec<usize> {
        let cases = self.cases.iter().enumerate();
        let of = cases.filter(|(_, case)| case.language == language && takes(case));
        of.map(|(at, _)| at).collect()
    }

    fn marks(&self, language: &str, takes: Takes, ranks: &[usize]) -> Marks {
        let of = self.of(language, takes).into_iter();
        let of = of.filter_map(|at| ranks.get(at).copied());
        marks(&of.collect::<Vec<usize>>())
    }
}

/// Whether a case is included.
type Takes = fn(&Kept) -> bool;

/// Groups of cases, by name.
const GROUPS: [(&str, Takes); 6] = [
    ("all", |_| true),
    ("easy", is_easy),
    ("hard", is_hard),
    ("first", is_first),
    ("random", |case| !is_first(case)),
    ("first and easy", is_xff_easy),
];

/// The columns after those of all cases: their headings, the cases, and which of the shares.
const COLUMNS: [(&str, Takes, usize); 9] = [
    ("easy @1", is_easy, 0),
    ("easy @3", is_easy, 1),
    ("hard @1", is_hard, 0),
    ("hard @3", is_hard, 1),
    ("hard @5", is_hard, 2),
    ("first @1", is_first, 0),
    ("random @1", |case| !is_first(case), 0),
    ("first and easy @1", is_xff_easy, 0),
    ("first and easy @3", is_xff_easy, 1),
];

fn is_hard(case: &Kept) -> bool {
    case.is_hard
}

fn is_easy(case: &Kept) -> bool {
    !case.is_hard
}

fn is_first(case: &Kept) -> bool {
    case.mode == Mode::First
}

/// The setting that Code2Text measured.
fn is_xff_easy(case: &Kept) -> bool {
    is_easy(case) && is_first(case)
}

/// A row of the table, in per cent.
fn line(name: &str, interval: Option<(f64, f64)>, acc: impl Fn(Takes) -> [f64; 3]) -> String {
    let cent = |share: f64| format!("{:.1}", share * 100.0);
    let interval = interval.map(|(low, high)| format!("{}–{}", cent(low), cent(high)));
    let interval = interval.unwrap_or_else(|| "–".to_owned());
    let [first, third, _] = acc(|_| true);
    let shares = COLUMNS.iter().map(|&(_, takes, at)| {
        let share = acc(takes).get(at).copied().unwrap_or(0.0);
        format!(" {} |", cent(share))
    });
    let shares: String = shares.collect();
    format!(
        "| {name} | {} | {interval} | {} |{shares}\n",
        cent(first),
        cent(third)
    )
}

/// The reciprocal rank of each candidate.
fn rrf(scores: &[f32]) -> Vec<f32> {
    let place = |at: usize| rank(scores, at) as f32 + 1.0;
    (0..scores.len())
        .map(|at| 1.0 / (RRF + place(at)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_fused_by_their_ranks_alone() {
        assert_eq!(rrf(&[0.2, 9.0]), rrf(&[0.1, 0.2]));
        assert!(rrf(&[0.2, 9.0])[1] > rrf(&[0.2, 9.0])[0]);
    }
}
