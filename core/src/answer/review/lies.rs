//! False sentences made from true ones. Takes sentences that the code of the fixtures supports, and
//! changes a number, a name, the polarity, the direction or the lines. None of the false ones may
//! be proven.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::*;
use crate::index::graph::SymbolId;
use crate::index::tests::whole_index;
use crate::lang::SymbolKind;

/// Minimum number of false sentences to test.
const LIES: usize = 200;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path),
        }
    }
}

/// Indexes the repository of the answers and the examples of six languages.
fn index() -> Index {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures");
    let mut paths = Vec::new();
    files(&root.join("answers/repository"), &mut paths);
    for language in ["python", "typescript", "rust", "java", "go", "javascript"] {
        files(&root.join("languages").join(language), &mut paths);
    }
    let texts: Vec<(String, String)> = paths
        .iter()
        .filter(|path| !path.ends_with("expected.txt"))
        .map(|path| {
            let name = path.strip_prefix(&root).unwrap().to_str().unwrap();
            (name.to_owned(), std::fs::read_to_string(path).unwrap())
        })
        .collect();
    let borrowed: Vec<(&str, &str)> = texts
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    whole_index("fixtures-1.0.0", &borrowed)
}

/// A definition as a sentence names it.
#[derive(Clone)]
struct Named {
    id: SymbolId,
    name: String,
    qualified: String,
    place: String,
    /// Another definition of the file, not enclosing this one.
    elsewhere: Option<String>,
}

fn named(index: &Index, id: SymbolId) -> Option<Named> {
    let symbol = index.symbol(id)?;
    let (source, parsed) = index.file(id.file)?;
    let path = &source.path;
    let lines = LineRange::new(symbol.name_line, symbol.lines.end());
    let is_name = symbol.name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let apart = |other: &&crate::lang::Symbol| {
        !other.lines.overlaps(symbol.lines) && other.lines.count() > 1
    };
    let elsewhere = parsed.symbols.iter().find(apart);
    is_name.then(|| Named {
        id,
        name: symbol.name.clone(),
        qualified: symbol.qualified.clone(),
        place: format!("{path}:{lines}"),
        elsewhere: elsewhere.map(|other| {
            let lines = LineRange::new(other.name_line, other.lines.end());
            format!("{path}:{lines}")
        }),
    })
}

fn all(index: &Index) -> Vec<Named> {
    let files = (0..index.parsed.len() as u32).map(FileId);
    let ids = files.flat_map(|file| {
        let count = index.parsed[file.0 as usize].symbols.len() as u32;
        (0..count).map(move |at| SymbolId { file, at })
    });
    ids.filter_map(|id| named(index, id)).collect()
}

/// Sentences with their expected verdicts.
#[derive(Default)]
struct Told {
    truths: Vec<String>,
    lies: Vec<String>,
}

impl Told {
    /// Adds sentences about what `a` calls, with wording that varies by `turn`.
    fn calls(&mut self, index: &Index, a: &Named, names: &[Named], turn: usize) {
        let links = index.graph.callees(a.id);
        let parsed = &index.parsed[a.id.file.0 as usize];
        let called: BTreeSet<&str> = parsed.calls.iter().map(|call| call.name.as_str()).collect();
        let callees: BTreeSet<SymbolId> = links
            .iter()
            .filter(|link| link.is_certain())
            .map(|link| link.callee)
            .collect();
        for callee in callees {
            let Some(b) = named(index, callee).filter(|b| b.name != a.name) else {
                continue;
            };
            let (a_name, b_name, place) = (&a.qualified, &b.name, &a.place);
            self.truths.push(match turn % 3 {
                0 => format!("`{a_name}` calls `{b_name}` [{place}]."),
                1 => format!("`{b_name}` is called by `{a_name}` [{place}]."),
                _ => format!("The function `{b_name}` is invoked from `{a_name}` [{place}]."),
            });
            self.lies
                .push(format!("`{a_name}` does not call `{b_name}` [{place}]."));
            self.lies.push(format!(
                "`{b_name}` is never called by `{a_name}` [{place}]."
            ));
            self.lies.extend(
                a.elsewhere
                    .iter()
                    .map(|other| format!("`{a_name}` calls `{b_name}` [{other}].")),
            );
            let back = index.graph.callees(b.id);
            if !back.iter().any(|link| link.callee == a.id) {
                self.lies
                    .push(format!("`{}` calls `{}` [{place}].", b.qualified, a.name));
                self.lies.push(format!(
                    "`{}` is called by `{}` [{}].",
                    a.name, b.qualified, b.place
                ));
            }
            let other = names.iter().cycle().skip(turn * 7).take(names.len());
            let mut other = other.filter(|other| !called.contains(other.name.as_str()));
            if let Some(c) = other.find(|c| c.name != *b_name && c.name != a.name) {
                self.lies
                    .push(format!("`{a_name}` calls `{}` [{place}].", c.name));
            }
        }
    }

    fn bases(&mut self, index: &Index, class: &Named, turn: usize) {
        let parsed = &index.parsed[class.id.file.0 as usize];
        let bases = parsed
            .bases
            .iter()
            .filter(|base| base.symbol == class.id.at);
        for base in bases.filter(|base| base.name.chars().all(char::is_alphanumeric)) {
            let (name, base, place) = (&class.name, &base.name, &class.place);
            self.truths.push(match turn % 2 {
                0 => format!("`{name}` inherits from `{base}` [{place}]."),
                _ => format!("The class `{name}` is a subclass of `{base}` [{place}]."),
            });
            self.lies
                .push(format!("`{base}` inherits from `{name}` [{place}]."));
            self.lies
                .push(format!("`{name}` does not extend `{base}` [{place}]."));
            self.lies
                .push(format!("`{name}` has no base class [{place}]."));
        }
    }

    fn values(&mut self, index: &Index, constant: &Named) {
        let text = &index.repo.file(constant.id.file).unwrap().text;
        let line = index.symbol(constant.id).unwrap().name_line;
        let written = text.lines().nth(line.0 as usize - 1).unwrap_or_default();
        let value = written.rsplit('=').next().unwrap_or_default().trim();
        let Ok(value) = value.trim_end_matches(';').parse::<u32>() else {
            return;
        };
        let (name, place) = (&constant.name, &constant.place);
        self.truths.push(format!("`{name}` is {value} [{place}]."));
        self.lies
            .push(format!("`{name}` is {} [{place}].", value + 1));
        self.lies.push(format!(
            "The constant `{name}` is set to `{}` [{place}].",
            value * 10 + 3
        ));
        self.lies
            .push(format!("`{name}` is not {value} [{place}]."));
    }

    fn members(&mut self, index: &Index, member: &Named, names: &[Named], turn: usize) {
        let symbol = index.symbol(member.id).unwrap();
        let Some(owner) = symbol.parent else {
            return;
        };
        let owner = SymbolId {
            file: member.id.file,
            at: owner,
        };
        let Some(class) = named(index, owner).filter(|class| class.name != member.name) else {
            return;
        };
        let line = symbol.name_line.0;
        let place = class.place.rsplit_once(':').map_or("", |(path, _)| path);
        self.truths.push(format!(
            "`{}` defines `{}` [{}].",
            class.name, member.name, class.place
        ));
        self.lies.push(format!(
            "`{}` defines `{}` [{place}:{line}].",
            member.name, class.name
        ));
        self.lies.push(format!(
            "`{}` does not define `{}` [{}].",
            class.name, member.name, class.place
        ));
        let text = &index.repo.file(owner.file).unwrap().text;
        let mut others = names.iter().cycle().skip(turn * 11).take(names.len());
        if let Some(other) = others.find(|other| !text.contains(other.name.as_str())) {
            self.lies.push(format!(
                "`{}` defines `{}` [{}].",
                class.name, other.name, class.place
            ));
        }
    }
}

fn told(index: &Index) -> Told {
    let names = all(index);
    let mut told = Told::default();
    for (turn, thing) in names.iter().enumerate() {
        let kind = index.symbol(thing.id).unwrap().kind;
        match kind {
            SymbolKind::Function | SymbolKind::Method => {
                told.calls(index, thing, &names, turn);
                told.members(index, thing, &names, turn);
            }
            SymbolKind::Constant => told.values(index, thing),
            kind if kind.is_container() => told.bases(index, thing, turn),
            _ => {}
        }
    }
    told
}

fn standing(index: &Index, reviewer: &Reviewer, sentence: &str) -> Standing {
    let mut reviewer = reviewer.clone();
    let review = reviewer.advance(index, &Evidence::everything(), sentence, Progress::Finished);
    assert_eq!(review.statements.len(), 1, "{sentence}");
    review.statements[0].standing
}

#[test]
fn no_lie_made_of_a_truth_is_proven_and_most_truths_are() {
    let index = index();
    let told = told(&index);
    assert!(told.lies.len() >= LIES, "only {} lies", told.lies.len());
    let reviewer = Reviewer::new();
    let proven = |sentence: &&String| standing(&index, &reviewer, sentence) == Standing::Proven;
    let believed: Vec<&String> = told.lies.iter().filter(proven).collect();
    assert!(
        believed.is_empty(),
        "{} of {}: {believed:#?}",
        believed.len(),
        told.lies.len()
    );
    let unproven: Vec<&String> = told.truths.iter().filter(|truth| !proven(truth)).collect();
    let share = unproven.len() as f64 / told.truths.len() as f64;
    assert!(
        share < 0.1,
        "{} of {}: {unproven:#?}",
        unproven.len(),
        told.truths.len()
    );
}
