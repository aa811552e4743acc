//! The verdicts on the citations of one group; the rule is in the [module documentation](super).

use super::attributed::{Item, Need};
use super::check::{Checked, Verdict};
use super::claim::Claim;
use super::groups::Group;
use super::held::{is_known, unknown};
use super::instead::instead;
use super::paths::PathRepair;
use super::place::Place;
use super::repair::{LineRepair, Repair, innermost, relocate};
use super::vocabulary::is_denial;
use super::words::stands_elsewhere;
use super::{Evidence, Rejection, Verified};
use crate::index::Index;
use crate::lines::LineRange;
use crate::source::FileId;

/// Returns the verdicts on a group's citations, one per claim; `places` are where they point,
/// `elsewhere` where those of the other groups do.
pub(super) fn judge(
    index: &Index,
    evidence: &Evidence,
    statement: &str,
    group: &Group,
    places: &[Place<'_>],
    elsewhere: &[&Place<'_>],
) -> Vec<Checked> {
    // What a sentence denies need not occur in the lines.
    let denies = is_denial(statement);
    let counts = |item: &&Item| {
        let is_name = matches!(item.need, Need::Words { .. } | Need::File(_));
        (!item.is_doubtful || is_known(index, item))
            && !(denies && is_name && !places.iter().any(|place| place.holds(item)))
    };
    let scene = Scene {
        index,
        own: group.items.iter().filter(counts).collect(),
        places,
        elsewhere,
    };
    let names_nothing = scene.own.is_empty() && group.other.is_empty();
    let missing = scene.missing();
    let claims = group.claims.iter().zip(places).enumerate();
    claims
        .map(|(at, (claim, place))| {
            let case = Case {
                index,
                evidence,
                claim,
                place,
                own: &scene.own,
                lacking: scene.lacking(place, &missing),
                wanted: scene.wanted(at),
                // Only a statement that names nothing is compared by its words.
                compared: names_nothing.then_some(statement),
            };
            case.decide()
        })
        .collect()
}

/// A group of citations among those of its statement.
struct Scene<'a, 'i> {
    index: &'i Index,
    /// What the group answers for.
    own: Vec<&'a Item>,
    places: &'a [Place<'i>],
    elsewhere: &'a [&'a Place<'i>],
}

impl<'a, 'i> Scene<'a, 'i> {
    fn all(&self) -> impl Iterator<Item = &Place<'i>> {
        self.places.iter().chain(self.elsewhere.iter().copied())
    }

    /// Returns what no citation holds: inventions, and what is not excused as context.
    fn missing(&self) -> Vec<&'a Item> {
        let is_missing = |item: &&&Item| match unknown(self.index, item) {
            Some(_) => !self.all().any(|place| place.has_verbatim(item)),
            None => !item.is_context && !self.all().any(|place| place.holds(item)),
        };
        self.own.iter().filter(is_missing).copied().collect()
    }

    /// Whether a citation is false, whatever its neighbours hold.
    fn fails(&self, place: &Place<'_>) -> bool {
        place.lines.is_err()
            || place.file.is_err()
            || !self.own.is_empty() && !self.own.iter().any(|item| place.holds(item))
    }

    /// Returns what `place` is to blame for. A citation that fails by itself answers for everything
    /// missing and its neighbours do not, unless the repository does not know it.
    fn lacking(&self, place: &Place<'_>, missing: &[&'a Item]) -> Vec<&'a Item> {
        let is_invented = || missing.iter().any(|item| !is_known(self.index, item));
        let is_blamed = || self.places.iter().any(|place| self.fails(place));
        match self.fails(place) {
            true if missing.is_empty() => self.own.clone(),
            false if is_blamed() && !is_invented() => Vec::new(),
            _ => missing.to_vec(),
        }
    }

    /// Returns what the right lines of the citation at `at` would hold: everything that its
    /// neighbours do not.
    fn wanted(&self, at: usize) -> Vec<&'a Item> {
        let neighbours = || {
            let own = self
                .places
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != at);
            own.map(|(_, place)| place)
                .chain(self.elsewhere.iter().copied())
        };
        let is_wanted =
            |item: &&&Item| !item.is_context && !neighbours().any(|other| other.holds(item));
        let wanted: Vec<&Item> = self.own.iter().filter(is_wanted).copied().collect();
        if wanted.is_empty() {
            self.own.clone()
        } else {
            wanted
        }
    }
}

/// One claim to decide.
struct Case<'a, 'i> {
    index: &'i Index,
    evidence: &'a Evidence,
    claim: &'a Claim,
    place: &'a Place<'i>,
    /// What is said about the lines.
    own: &'a [&'a Item],
    /// What they should hold but do not.
    lacking: Vec<&'a Item>,
    /// What the right lines would hold.
    wanted: Vec<&'a Item>,
    /// The statement, if it is compared by its words.
    compared: Option<&'a str>,
}

impl Case<'_, '_> {
    fn decide(&self) -> Checked {
        let (file, path_repair) = match &self.place.file {
            Ok(found) => *found,
            Err(rejection) => return rejected(rejection.clone()),
        };
        let path = self
            .index
            .repo
            .file(file)
            .map_or("", |file| file.path.as_str());
        let path_repair = path_repair.map(|repair| (repair, path.to_owned()));
        match self.lines(file, path) {
            Ok(lines) => self.held(file, lines, path_repair),
            Err(problem) => self.moved(file, path_repair, problem),
        }
    }

    /// Returns the lines if they hold what is said about them.
    fn lines(&self, file: FileId, path: &str) -> Result<LineRange, Rejection> {
        let lines = self.place.lines.clone()?;
        if let Some(item) = self.lacking.first() {
            return Err(missing(self.index, item, path));
        }
        let elsewhere = self
            .compared
            .and_then(|statement| stands_elsewhere(self.index, file, lines, statement));
        match elsewhere {
            Some(elsewhere) => Err(Rejection::OtherLines {
                elsewhere,
                path: path.to_owned(),
            }),
            None => Ok(lines),
        }
    }

    /// Returns the verdict on lines that hold what is said about them.
    fn held(&self, file: FileId, lines: LineRange, path: Option<(PathRepair, String)>) -> Checked {
        let source = Verified { file, lines };
        if !self.evidence.holds_most(file, lines) {
            let why = "The lines exist, but most of them were not sent to the model: it cannot have read them.";
            return Checked {
                verdict: Verdict::OutsideEvidence(source),
                why: why.to_owned(),
            };
        }
        let turned = self
            .place
            .turned
            .then_some(LineRepair::Turned { to: lines });
        if path.is_some() || turned.is_some() {
            return self.repaired(
                source,
                Repair {
                    path,
                    lines: turned,
                },
            );
        }
        let why = self.why(file, lines);
        Checked {
            verdict: Verdict::LinesExist(source),
            why,
        }
    }

    /// Returns the verdict on lines that do not: other lines of the file may hold it, if they were
    /// sent.
    fn moved(
        &self,
        file: FileId,
        path: Option<(PathRepair, String)>,
        problem: Rejection,
    ) -> Checked {
        if matches!(
            problem,
            Rejection::Invented { .. } | Rejection::OtherLines { .. }
        ) {
            return rejected(problem);
        }
        let near = self.place.lines.as_ref().ok().copied();
        let found = relocate(self.index, file, &self.wanted, near);
        match found.filter(|to| self.evidence.holds_most(file, *to)) {
            Some(to) => {
                let lines = Some(LineRepair::Moved { to });
                self.repaired(Verified { file, lines: to }, Repair { path, lines })
            }
            // Only what the citation itself names is denied: a guessed path may be the wrong one.
            None if path.is_none() && !self.place.turned => {
                self.denied(file).unwrap_or_else(|| rejected(problem))
            }
            None => rejected(problem),
        }
    }

    /// Returns the verdict on a quotation or a number for which the lines say something else.
    fn denied(&self, file: FileId) -> Option<Checked> {
        let lines = self.place.lines.as_ref().ok()?;
        let item = self.lacking.first()?;
        let instead = instead(self.place.text()?, item)?;
        if !self.evidence.holds_most(file, *lines) {
            return None;
        }
        let source = Verified {
            file,
            lines: *lines,
        };
        Some(Checked {
            why: format!("The lines do not contain “{}”. {instead}", item.shown),
            verdict: Verdict::Contradicted { source, instead },
        })
    }

    fn repaired(&self, source: Verified, how: Repair) -> Checked {
        let why = format!("Repaired: {how}.");
        let original = self.claim.raw.clone();
        let verdict = Verdict::Repaired {
            source,
            original,
            how,
        };
        Checked { verdict, why }
    }

    /// Describes what was found in verified lines.
    fn why(&self, file: FileId, lines: LineRange) -> String {
        let held = self.own.iter().filter(|item| self.place.holds(item));
        let mut held: Vec<String> = held.map(|item| format!("“{}”", item.shown)).collect();
        held.dedup();
        held.truncate(4);
        let inside = innermost(self.index, file, lines)
            .map_or_else(String::new, |name| format!(" inside {name}"));
        match held.is_empty() {
            true => format!("The lines exist{inside} and were sent."),
            false => format!(
                "The lines exist{inside}, were sent, and contain {}.",
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
