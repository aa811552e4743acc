//! Cuts cases out of the files of a repository.

use std::collections::{BTreeMap, BTreeSet};

use super::{Candidate, Case, LEAST_CANDIDATES, MAX_LINES, Mode};
use crate::index::Index;
use crate::index::graph::SymbolId;
use crate::lang::{Language, Role, SymbolKind};
use crate::lines::{Line, LineIndex, LineRange};
use crate::parse;
use crate::random::Random;
use crate::source::FileId;

/// At most `count` cases, the same for the same seed: half of them at first uses, half at random
/// lines, each from another file while there are enough; source files come before tests. `takes`
/// selects the languages.
pub fn cases(
    index: &Index,
    count: usize,
    seed: u64,
    takes: impl Fn(Language) -> bool,
) -> Vec<Case> {
    let mut random = Random::new(seed);
    let mut files: Vec<(bool, FileId)> = Vec::new();
    for (id, (file, parsed)) in (0..)
        .map(FileId)
        .zip(index.repo.files.iter().zip(index.parsed.iter()))
    {
        let role = Role::of(&file.path);
        let is_wanted =
            parsed.language.is_code() && takes(parsed.language) && !is_declared(&file.path);
        if is_wanted && matches!(role, Role::Source | Role::Test) {
            files.push((role == Role::Test, id));
        }
    }
    random.shuffle(&mut files);
    files.sort_by_key(|(is_test, _)| *is_test);
    let mut cases = Vec::new();
    // Once through all files, then a second time for the other kind of line.
    for pass in 0..2 {
        for (at, (_, file)) in files.iter().enumerate() {
            if cases.len() >= count {
                return cases;
            }
            let mode = match (at + pass) % 2 {
                0 => Mode::First,
                _ => Mode::Random,
            };
            cases.extend(of_file(index, *file, mode, &mut random));
        }
    }
    cases
}

/// Whether a file only declares what others define; most such files are written by a tool.
fn is_declared(path: &str) -> bool {
    path.ends_with(".pyi")
        || [".d.ts", ".d.mts", ".d.cts"]
            .iter()
            .any(|it| path.ends_with(it))
}

/// A use of an imported name.
#[derive(Clone, Copy)]
struct Use {
    line: Line,
    symbol: SymbolId,
}

fn of_file(index: &Index, file: FileId, mode: Mode, random: &mut Random) -> Option<Case> {
    let names = imported(index, file);
    let symbols: BTreeSet<SymbolId> = names.values().copied().collect();
    if symbols.len() < LEAST_CANDIDATES {
        return None;
    }
    let (source, parsed) = index.file(file)?;
    let uses = uses(index, file, &names);
    let cut = match mode {
        Mode::First => *uses.first()?,
        Mode::Random => {
            let later = uses.get(1..).filter(|later| !later.is_empty())?;
            *later.get(random.below(later.len()))?
        }
    };
    let mut candidates = Vec::new();
    for symbol in symbols {
        let name = names.iter().find(|(_, it)| **it == symbol);
        let name = name.map_or("", |(name, _)| name.as_str());
        candidates.push(candidate(index, symbol, name)?);
    }
    random.shuffle(&mut candidates);
    let gold = candidates.iter().position(|it| it.symbol == cut.symbol)?;
    let above = cut.line.0.saturating_sub(1) as usize;
    let mut lines = source.text.lines();
    let before: Vec<&str> = lines.by_ref().take(above).collect();
    Some(Case {
        file,
        path: source.path.clone(),
        language: parsed.language,
        line: cut.line,
        mode,
        before: before.join("\n"),
        masked: lines.next()?.to_owned(),
        candidates,
        gold,
    })
}

/// The definitions of other files that a file imports, under the names it uses for them.
fn imported(index: &Index, file: FileId) -> BTreeMap<String, SymbolId> {
    let mut names = BTreeMap::new();
    let imports = index
        .parsed
        .get(file.0 as usize)
        .map(|it| it.imports.as_slice());
    for link in index.graph.imports(file) {
        let Some(symbol) = link.symbol.filter(|symbol| symbol.file != file) else {
            continue;
        };
        let import = imports.and_then(|all| all.get(link.import as usize));
        let named = import.zip(link.name);
        let named = named.and_then(|(import, at)| import.names.get(at as usize));
        let written = named.map(|name| name.alias.as_deref().unwrap_or(&name.name));
        // An import without names binds the last part of its path.
        let path = import
            .map(|import| import.module.as_str())
            .unwrap_or_default();
        let name = written.unwrap_or(path);
        let name = name.rsplit(['.', ':', '/', '\\']).next().unwrap_or(name);
        let is_definition = index.symbol(symbol).is_some_and(|it| {
            !matches!(
                it.kind,
                SymbolKind::Section | SymbolKind::Key | SymbolKind::Module
            )
        });
        if is_definition && !name.is_empty() && name != "*" {
            names.insert(name.to_owned(), symbol);
        }
    }
    names
}

/// The lines after the imports that use an imported name, each with the first name it uses.
fn uses(index: &Index, file: FileId, names: &BTreeMap<String, SymbolId>) -> Vec<Use> {
    let Some((source, parsed)) = index.file(file) else {
        return Vec::new();
    };
    let Some(code) = parse::code(parsed.language, &source.text) else {
        return Vec::new();
    };
    let of_repository = index
        .graph
        .imports(file)
        .iter()
        .filter(|it| it.symbol.is_some());
    let behind = of_repository.map(|link| link.lines.end()).max();
    let is_import = |line: Line| parsed.imports.iter().any(|it| it.lines.contains(line));
    let mut uses: Vec<Use> = Vec::new();
    let mut before = "";
    for token in &code.tokens {
        let bytes = token.bytes.start as usize..token.bytes.end as usize;
        let word = source.text.get(bytes).unwrap_or_default();
        let is_member = matches!(before, "." | "?." | "->");
        before = word;
        let line = token.line;
        let is_new = uses.last().is_none_or(|last| last.line < line);
        let is_behind = behind.is_some_and(|behind| line > behind) && !is_import(line);
        if !is_member
            && is_new
            && is_behind
            && let Some(symbol) = names.get(word)
        {
            uses.push(Use {
                line,
                symbol: *symbol,
            });
        }
    }
    uses
}

fn candidate(index: &Index, symbol: SymbolId, name: &str) -> Option<Candidate> {
    let own = index.symbol(symbol)?;
    let file = index.repo.file(symbol.file)?;
    let last = own.lines.end().0.min(own.lines.start().0 + MAX_LINES - 1);
    let lines = LineRange::new(own.lines.start(), Line(last));
    let code = LineIndex::new(&file.text)
        .slice(&file.text, lines)?
        .to_owned();
    Some(Candidate {
        symbol,
        path: file.path.clone(),
        lines,
        name: name.to_owned(),
        code,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::tests::index;

    const PARTS: &str = "def a():\n    return 1\n\n\ndef b():\n    return 2\n\n\nclass C:\n    pass\n\n\nD = 4\n\n\ndef e():\n    return 5\n";
    const USER: &str = "import os\nfrom parts import a, b, C as K, D, e\n\n# a is told here\n\ndef f(x):\n    \"\"\"Calls b.\"\"\"\n    y = x.a(\"e\")\n    return K(y)\n\n\ndef g():\n    return b() + D\n";

    fn sample() -> Index {
        index(&[
            ("parts.py", PARTS),
            ("user.py", USER),
            ("few.py", "from parts import a\n\na()\n"),
            ("tests/test_user.py", USER),
        ])
    }

    #[test]
    fn a_case_is_the_code_above_a_line_and_what_the_line_uses() {
        let all = cases(&sample(), 10, 1, |_| true);
        let of_user: Vec<&Case> = all.iter().filter(|case| case.path == "user.py").collect();
        assert_eq!(of_user.len(), 2, "a first use and a random one");
        for case in of_user {
            let (line, gold, masked) = match case.mode {
                Mode::First => (9, "K", "    return K(y)"),
                Mode::Random => (13, "b", "    return b() + D"),
            };
            assert_eq!((case.line, case.masked.as_str()), (Line(line), masked));
            assert_eq!(case.before.lines().count() as u32, line - 1);
            let names: BTreeSet<&str> = case.candidates.iter().map(|it| it.name.as_str()).collect();
            assert_eq!(names, BTreeSet::from(["a", "b", "K", "D", "e"]));
            assert_eq!(case.candidates[case.gold].name, gold);
            assert!(!case.is_hard());
            let first = case.candidates.iter().find(|it| it.name == "a").unwrap();
            assert_eq!(first.code, "def a():\n    return 1\n");
        }
    }

    #[test]
    fn cases_are_the_same_for_the_same_seed_and_sources_come_first() {
        let index = sample();
        let of = |seed| cases(&index, 10, seed, |_| true);
        assert_eq!(of(3), of(3));
        assert_eq!(of(3)[0].path, "user.py");
        assert_eq!(cases(&index, 1, 3, |_| true).len(), 1);
        assert_eq!(cases(&index, 9, 3, |it| it == Language::Rust), []);
    }

    #[test]
    fn the_json_of_a_case_names_places_and_no_code() {
        let case = &cases(&sample(), 1, 1, |_| true)[0];
        let json = case.to_json("tea-1.0");
        assert_eq!(json["file"], "user.py");
        assert_eq!(json["difficulty"], "easy");
        assert_eq!(json["candidates"].as_array().unwrap().len(), 5);
        let gold = json["gold"].as_u64().unwrap() as usize;
        assert_eq!(json["candidates"][gold]["path"], "parts.py");
        assert!(!json.to_string().contains("return"));
    }

    #[test]
    fn the_last_lines_skip_those_that_say_nothing() {
        let all = cases(&sample(), 10, 1, |_| true);
        let first = all.iter().find(|case| case.mode == Mode::First).unwrap();
        assert_eq!(
            first.last_lines(2),
            "    \"\"\"Calls b.\"\"\"\n    y = x.a(\"e\")"
        );
    }
}
