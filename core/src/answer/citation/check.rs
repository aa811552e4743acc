//! Claim + repository + what was sent → verdict; the rule is in the [module documentation](super).

use std::ops::Range;

use super::attributed::{Item, items};
use super::claim::{Claim, Flaw};
use super::held::{Area, is_known, unknown};
use super::paths::{PathRepair, resolve};
use super::repair::{LineRepair, Repair, innermost, relocate};
use super::scan::{Atom, AtomKind, scan};
use super::words::stands_elsewhere;
use super::{Evidence, Rejection, Verified};
use crate::index::Index;
use crate::lines::{LineIndex, LineRange};
use crate::source::FileId;

/// What a citation came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The lines exist, were sent, and hold what is attributed to them.
    Verified(Verified),
    /// So do those of `source`, which must be what `original` means.
    Repaired {
        source: Verified,
        original: String,
        how: Repair,
    },
    /// The lines exist and hold what is attributed to them, but were not sent.
    OutsideEvidence(Verified),
    Rejected(Rejection),
}

impl Verdict {
    /// The lines that the citation stands for, if they exist.
    pub fn source(&self) -> Option<&Verified> {
        match self {
            Self::Verified(source)
            | Self::OutsideEvidence(source)
            | Self::Repaired { source, .. } => Some(source),
            Self::Rejected(_) => None,
        }
    }
}

/// Checks one citation of `statement`, which is the sentence with all its citations.
pub fn check(index: &Index, evidence: &Evidence, claim: &Claim, statement: &str) -> Verdict {
    let (atoms, _) = scan(statement, 0..statement.len(), true);
    let checked = check_all(index, evidence, statement, 0..statement.len(), &atoms);
    let mut same = checked.into_iter().filter(|(other, _)| {
        other.path == claim.path && other.lines == claim.lines && other.flaw == claim.flaw
    });
    if let Some((_, checked)) = same.next() {
        return checked.verdict;
    }
    // The statement is given without its citation: all of it is said of the claim.
    let items = items(statement, 0..statement.len(), &atoms);
    let group = Group {
        claims: vec![claim.clone()],
        items,
        other: Vec::new(),
    };
    let places = vec![place(index, evidence, claim)];
    let mut verdicts = judge(index, evidence, statement, &group, &places, &[]);
    verdicts.pop().map_or_else(
        || {
            Verdict::Rejected(Rejection::NoSuchFile {
                path: claim.path.clone(),
            })
        },
        |checked| checked.verdict,
    )
}

/// A verdict, and a sentence that says why.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::answer) struct Checked {
    pub verdict: Verdict,
    pub why: String,
}

/// Citations with no word between them, and what they answer for.
struct Group {
    claims: Vec<Claim>,
    items: Vec<Item>,
    /// What the other groups of the statement answer for.
    other: Vec<Item>,
}

/// Checks all citations of the statement at `at` of `text`, in order; `atoms` are those of the statement.
pub(in crate::answer) fn check_all(
    index: &Index,
    evidence: &Evidence,
    text: &str,
    at: Range<usize>,
    atoms: &[Atom],
) -> Vec<(Claim, Checked)> {
    let groups = groups(text, at.clone(), atoms);
    let statement = text.get(at).unwrap_or_default();
    let places: Vec<Vec<Place>> = groups
        .iter()
        .map(|group| {
            group
                .claims
                .iter()
                .map(|claim| place(index, evidence, claim))
                .collect()
        })
        .collect();
    let mut checked = Vec::new();
    for (at, (group, own)) in groups.into_iter().zip(&places).enumerate() {
        let elsewhere: Vec<&Place> = places
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != at)
            .flat_map(|(_, places)| places)
            .collect();
        let verdicts = judge(index, evidence, statement, &group, own, &elsewhere);
        checked.extend(group.claims.into_iter().zip(verdicts));
    }
    checked
}

/// The groups of citations of a statement, with what each answers for.
fn groups(text: &str, at: Range<usize>, atoms: &[Atom]) -> Vec<Group> {
    let mut found: Vec<(Range<usize>, Vec<Claim>)> = Vec::new();
    for atom in atoms {
        let AtomKind::Claims(claims) = &atom.kind else {
            continue;
        };
        let is_next = |group: &(Range<usize>, Vec<Claim>)| {
            text.get(group.0.end..atom.at.start)
                .is_some_and(|between| !has_words(between))
        };
        match found.last_mut().filter(|group| is_next(group)) {
            Some(group) => {
                group.0.end = atom.at.end;
                group.1.extend(claims.iter().cloned());
            }
            None => found.push((atom.at.clone(), claims.clone())),
        }
    }
    // Citations in front: each answers for what follows it.
    let first = found.first().map_or(at.start, |group| group.0.start);
    let is_in_front = text.get(at.start..first).is_some_and(|before| {
        before
            .split_whitespace()
            .filter(|word| has_words(word))
            .count()
            < 2
    });
    let all = items(text, at, atoms);
    let group_of = |item: &Item| {
        let behind = found.iter().position(|group| item.at.start < group.0.start);
        let last = found.len().saturating_sub(1);
        match is_in_front {
            true => behind.map_or(last, |behind| behind.saturating_sub(1)),
            false => behind.unwrap_or(last),
        }
    };
    let owners: Vec<usize> = all.iter().map(group_of).collect();
    let of = |wanted: &dyn Fn(usize) -> bool| {
        let pairs = all.iter().zip(&owners);
        pairs
            .filter(|(_, owner)| wanted(**owner))
            .map(|(item, _)| item.clone())
            .collect()
    };
    let groups = found.iter().enumerate();
    groups
        .map(|(at, (_, claims))| Group {
            claims: claims.clone(),
            items: of(&|owner| owner == at),
            other: of(&|owner| owner != at),
        })
        .collect()
}

fn has_words(text: &str) -> bool {
    let joins = ["and", "also", "see", "cf", "or"];
    text.split(|c: char| !c.is_alphanumeric())
        .any(|word| !word.is_empty() && !joins.contains(&word.to_lowercase().as_str()))
}

/// Where a claim points, before anything is said of it.
struct Place<'i> {
    file: Result<(FileId, Option<PathRepair>), Rejection>,
    lines: Result<LineRange, Rejection>,
    turned: bool,
    area: Option<Area<'i>>,
}

impl Place<'_> {
    fn holds(&self, item: &Item) -> bool {
        self.area.as_ref().is_some_and(|area| area.holds(item))
    }
}

fn place<'i>(index: &'i Index, evidence: &Evidence, claim: &Claim) -> Place<'i> {
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
        (None, Some(Flaw::Reversed { first, last })) => (
            Ok(LineRange::new(
                crate::lines::Line(*last),
                crate::lines::Line(*first),
            )),
            true,
        ),
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

/// The verdicts on a group's citations, one a claim; `places` are where they point, `elsewhere` where those of the
/// other groups do.
fn judge(
    index: &Index,
    evidence: &Evidence,
    statement: &str,
    group: &Group,
    places: &[Place<'_>],
    elsewhere: &[&Place<'_>],
) -> Vec<Checked> {
    let counts = |item: &&Item| !item.is_doubtful || is_known(index, item);
    let own: Vec<&Item> = group.items.iter().filter(counts).collect();
    let is_held = |item: &Item| {
        places
            .iter()
            .chain(elsewhere.iter().copied())
            .any(|place| place.holds(item))
    };
    let missing: Vec<&Item> = own
        .iter()
        .copied()
        .filter(|item| !is_held(item) && (!item.is_context || !is_known(index, item)))
        .collect();
    // A citation that fails by itself answers for what is missing, and its neighbours do not, unless the
    // repository knows nothing of it.
    let fails = |place: &Place<'_>| {
        place.lines.is_err()
            || place.file.is_err()
            || !own.is_empty() && !own.iter().any(|item| place.holds(item))
    };
    let is_blamed = places.iter().any(fails);
    let verdicts = group.claims.iter().zip(places).enumerate();
    verdicts
        .map(|(at, (claim, place))| {
            let invented = missing.iter().any(|item| !is_known(index, item));
            let lacking: Vec<&Item> = match fails(place) {
                true if missing.is_empty() => own.clone(),
                true => missing.clone(),
                false if is_blamed && !invented => Vec::new(),
                false => missing.clone(),
            };
            let others = places
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != at)
                .map(|(_, place)| place);
            let others: Vec<&Place> = others.chain(elsewhere.iter().copied()).collect();
            let wanted: Vec<&Item> = own
                .iter()
                .copied()
                .filter(|item| !item.is_context && !others.iter().any(|other| other.holds(item)))
                .collect();
            let wanted = if wanted.is_empty() {
                own.clone()
            } else {
                wanted
            };
            let case = Case {
                index,
                evidence,
                claim,
                place,
            };
            let nothing_said = own.is_empty() && group.other.is_empty();
            case.decide(statement, &own, &lacking, &wanted, nothing_said)
        })
        .collect()
}

/// One claim to decide on.
struct Case<'a, 'i> {
    index: &'i Index,
    evidence: &'a Evidence,
    claim: &'a Claim,
    place: &'a Place<'i>,
}

impl Case<'_, '_> {
    /// `lacking`: what the lines should hold and do not; `wanted`: what the right lines would hold.
    fn decide(
        &self,
        statement: &str,
        own: &[&Item],
        lacking: &[&Item],
        wanted: &[&Item],
        nothing_said: bool,
    ) -> Checked {
        let (file, path_repair) = match &self.place.file {
            Ok(found) => *found,
            Err(rejection) => return rejected(rejection.clone()),
        };
        let path = self
            .index
            .repo
            .file(file)
            .map_or("", |file| file.path.as_str());
        let repaired_path = path_repair.map(|repair| (repair, path.to_owned()));
        let problem = match (&self.place.lines, lacking.first()) {
            (Err(rejection), _) => Some(rejection.clone()),
            (Ok(_), Some(item)) => Some(missing(self.index, item, path)),
            (Ok(lines), None) => match nothing_said {
                true => stands_elsewhere(self.index, file, *lines, statement).map(|elsewhere| {
                    Rejection::OtherLines {
                        elsewhere,
                        path: path.to_owned(),
                    }
                }),
                false => None,
            },
        };
        let lines = match (&self.place.lines, &problem) {
            (Ok(lines), None) => *lines,
            (_, problem) => {
                let near = self.place.lines.as_ref().ok().copied();
                let is_invented = matches!(
                    problem,
                    Some(Rejection::Invented { .. } | Rejection::OtherLines { .. })
                );
                let moved = match is_invented {
                    true => None,
                    false => relocate(self.index, file, wanted, near),
                };
                let sent = moved.filter(|lines| self.evidence.overlaps(file, *lines));
                return match (sent, problem) {
                    (Some(to), _) => self.repaired(
                        file,
                        to,
                        Repair {
                            path: repaired_path,
                            lines: Some(LineRepair::Moved { to }),
                        },
                    ),
                    (None, Some(problem)) => rejected(problem.clone()),
                    (None, None) => rejected(Rejection::NoSuchFile {
                        path: path.to_owned(),
                    }),
                };
            }
        };
        let turned = self
            .place
            .turned
            .then_some(LineRepair::Turned { to: lines });
        if !self.evidence.overlaps(file, lines) {
            let why =
                "The lines exist, but they were not sent to the model: it cannot have read them.";
            return Checked {
                verdict: Verdict::OutsideEvidence(Verified { file, lines }),
                why: why.to_owned(),
            };
        }
        if repaired_path.is_some() || turned.is_some() {
            return self.repaired(
                file,
                lines,
                Repair {
                    path: repaired_path,
                    lines: turned,
                },
            );
        }
        let why = self.why(file, lines, own);
        Checked {
            verdict: Verdict::Verified(Verified { file, lines }),
            why,
        }
    }

    fn repaired(&self, file: FileId, lines: LineRange, how: Repair) -> Checked {
        let why = format!("Repaired: {how}.");
        let source = Verified { file, lines };
        let original = self.claim.raw.clone();
        Checked {
            verdict: Verdict::Repaired {
                source,
                original,
                how,
            },
            why,
        }
    }

    /// What was found in verified lines.
    fn why(&self, file: FileId, lines: LineRange, own: &[&Item]) -> String {
        let mut held: Vec<String> = own
            .iter()
            .filter(|item| self.place.holds(item))
            .map(|item| format!("“{}”", item.shown))
            .collect();
        held.dedup();
        held.truncate(4);
        let inside = innermost(self.index, file, lines)
            .map_or_else(String::new, |name| format!(" inside {name}"));
        match held.is_empty() {
            true => format!("The lines exist{inside} and were sent."),
            false => format!(
                "The lines exist{inside}, were sent, and hold {}.",
                held.join(", ")
            ),
        }
    }
}

fn missing(index: &Index, item: &Item, path: &str) -> Rejection {
    let path = path.to_owned();
    match unknown(index, item) {
        Some(name) => Rejection::Invented { name, path },
        None => Rejection::QuoteMissing {
            quote: item.shown.clone(),
            path,
        },
    }
}

fn rejected(rejection: Rejection) -> Checked {
    let mut why = rejection.to_string();
    if let Some(first) = why.get(..1).map(str::to_uppercase) {
        why.replace_range(..1, &first);
    }
    why.push('.');
    Checked {
        verdict: Verdict::Rejected(rejection),
        why,
    }
}
