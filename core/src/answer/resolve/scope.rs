//! Files and folders that a question names as its scope: `@src/app.py how is it started?`,
//! `@lib/ who calls f?`

use std::collections::BTreeSet;

use super::facts::{self, Fact};
use super::{Resolved, in_words, listed};
use crate::answer::joined;
use crate::answer::path_search::paths_like;
use crate::index::Index;
use crate::lang::Language;
use crate::search::{Question, Within, unfinished};
use crate::source::FileId;

/// Maximum number of places that a name may mean; they are all taken. If there are more, none is.
const MAX_PLACES: usize = 8;

/// Maximum number of paths named in a note.
const MAX_NAMED: usize = 3;

/// Words that lead to a scope and mean nothing without it.
const BEFORE: [&str; 6] = ["in", "inside", "within", "under", "from", "of"];

/// Reads a question that follows the `earlier` ones of its conversation, oldest first: its scope,
/// then its words.
pub fn resolve(index: &Index, question: &Question, earlier: &[&str]) -> Resolved {
    // In code, `@` begins a decorator, and what looks misspelt is a name.
    if unfinished::is_asked(question.text()) {
        return Resolved::as_written(question);
    }
    let earlier: Vec<String> = earlier
        .iter()
        .map(|text| Scoped::read(index, text).map_or_else(|| (*text).to_owned(), |it| it.rest))
        .collect();
    let earlier: Vec<&str> = earlier.iter().map(String::as_str).collect();
    let Some((plain, scoped)) = split(index, question) else {
        return in_words(index, question, &earlier);
    };
    let resolved = in_words(index, &plain, &earlier);
    Resolved {
        reading: resolved.reading,
        note: joined(scoped.note(index), resolved.note),
        question: match scoped.within() {
            Some(within) => resolved.question.within(within),
            None => resolved.question,
        },
    }
}

/// Returns the question with its scope, its words unchanged.
pub fn scoped(index: &Index, question: Question) -> Question {
    if unfinished::is_asked(question.text()) {
        return question;
    }
    let Some((plain, scoped)) = split(index, &question) else {
        return question;
    };
    match scoped.within() {
        Some(within) => plain.within(within),
        None => plain,
    }
}

/// Splits the question from its scope; `None` if it names no scope, or is nothing else.
fn split(index: &Index, question: &Question) -> Option<(Question, Scoped)> {
    let scoped = Scoped::read(index, question.text())?;
    let plain = Question::new(&scoped.rest).ok()?;
    Some((plain, scoped))
}

/// The scope that a question names, and its other words.
struct Scoped {
    rest: String,
    places: Vec<Place>,
    /// What the files must also have.
    facts: Vec<Fact>,
    /// Names that can mean several places.
    ambiguous: Vec<String>,
    /// Names that can mean too many places to be taken, and how many.
    vague: Vec<(String, usize)>,
    /// Names that mean no place.
    unknown: Vec<String>,
}

/// A file, or a folder with everything in it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    /// A folder's path ends with `/`.
    path: String,
    files: Vec<FileId>,
}

impl Place {
    fn new(path: &str, first: FileId) -> Self {
        Self {
            path: path.to_owned(),
            files: vec![first],
        }
    }
}

impl Scoped {
    /// Returns `None` if the text names no scope.
    fn read(index: &Index, text: &str) -> Option<Self> {
        if !text.contains('@') {
            return None;
        }
        let mut found = Self {
            rest: String::new(),
            places: Vec::new(),
            facts: Vec::new(),
            ambiguous: Vec::new(),
            vague: Vec::new(),
            unknown: Vec::new(),
        };
        for piece in text.split_inclusive(char::is_whitespace) {
            let is_first = found.rest.trim().is_empty();
            if !found.take(index, piece.trim_end(), is_first) {
                found.rest.push_str(piece);
            }
        }
        let has_place = !found.places.is_empty() || !found.facts.is_empty();
        let is_none = !has_place && found.vague.is_empty() && found.unknown.is_empty();
        (!is_none).then_some(found)
    }

    /// Takes a word if it names a scope; returns whether it did.
    fn take(&mut self, index: &Index, word: &str, is_first: bool) -> bool {
        let Some(name) = word.strip_prefix('@') else {
            return false;
        };
        let name = name.trim_end_matches([',', ';', ':', '?', '!', ')']);
        let name = name.trim_start_matches("./");
        if name.trim_matches('/').is_empty() || is_package(index, name) {
            return false;
        }
        if let Some(fact) = Fact::read(index, name) {
            self.facts.push(fact);
            self.drop_word_before();
            return true;
        }
        // A decorator looks the same.
        let is_path = name.contains('/') || has_known_extension(name);
        let places = places(index, name).or_else(|| places(index, name.trim_end_matches('.')));
        match places {
            Some(places) if places.len() > MAX_PLACES && (is_path || is_first) => {
                self.vague.push((name.to_owned(), places.len()));
            }
            Some(places) if is_path || is_first => {
                if places.len() > 1 {
                    self.ambiguous.push(name.to_owned());
                }
                let new = places.into_iter();
                let new: Vec<Place> = new.filter(|place| !self.places.contains(place)).collect();
                self.places.extend(new);
            }
            None if is_path => self.unknown.push(name.to_owned()),
            _ => return false,
        }
        self.drop_word_before();
        true
    }

    /// Drops the preposition before a scope: “who calls f in @lib/” continues without its “in”.
    fn drop_word_before(&mut self) {
        let kept = self.rest.trim_end();
        let start = kept.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        let last = kept.get(start..).unwrap_or_default().to_lowercase();
        if start > 0 && BEFORE.contains(&last.as_str()) {
            self.rest.truncate(start);
        }
    }

    fn within(&self) -> Option<Within> {
        let places = self.places.iter();
        let files = places.flat_map(|place| place.files.iter().copied());
        let facts = self.facts.iter().filter(|fact| !fact.files.is_empty());
        // A file must lie in one of the places, if any is named, and have every fact asked for.
        let mut sets: Vec<BTreeSet<FileId>> = facts.clone().map(|it| it.files.clone()).collect();
        if !self.places.is_empty() {
            sets.push(files.collect());
        }
        let files = sets.into_iter().reduce(|all, set| &all & &set)?;
        let names = self.places.iter().map(|place| place.path.clone());
        let names = names.chain(facts.map(|fact| fact.name.clone()));
        (!files.is_empty()).then(|| Within::new(names.collect(), files))
    }

    /// Returns what the reader should know about how the scope was read.
    fn note(&self, index: &Index) -> Option<String> {
        let ambiguous = self.ambiguous.iter().map(|name| {
            let meant = self.places.iter().filter(|place| is_end(place, name));
            let meant: Vec<String> = meant.map(|place| place.path.clone()).collect();
            format!(
                "`{name}` can mean {}. All of them were searched.",
                some(&meant)
            )
        });
        let rest = match self.places.is_empty() {
            true => " The whole repository was searched.",
            false => "",
        };
        let vague = self.vague.iter().map(|(name, n)| {
            format!("`{name}` can mean {n} places. Write more of its path.{rest}")
        });
        let unknown = self.unknown.iter().map(|name| {
            let near = paths_like(index, name.trim_end_matches('/'), MAX_NAMED);
            let near = match near.is_empty() {
                true => String::new(),
                false => format!(" The closest: {}.", some(&near)),
            };
            format!("This repository has no file or folder `{name}`.{near}{rest}")
        });
        let facts = facts::note(&self.facts, self.within().is_some());
        let all = ambiguous.chain(vague).chain(unknown).chain(facts);
        let all: Vec<String> = all.collect();
        (!all.is_empty()).then(|| all.join(" "))
    }
}

/// Lists some paths: `a`, `b` and 3 more.
fn some(paths: &[String]) -> String {
    let shown = paths.iter().take(MAX_NAMED);
    let mut shown: Vec<String> = shown.map(|path| format!("`{path}`")).collect();
    let more = paths.len() - shown.len();
    shown.extend((more > 0).then(|| format!("{more} more")));
    listed(&shown)
}

/// Whether `@name` is an npm package that is imported or that a manifest names.
fn is_package(index: &Index, name: &str) -> bool {
    let package = format!("@{name}");
    let package = package.trim_end_matches('/');
    let below = format!("{package}/");
    let mut libraries = index.graph.libraries();
    if libraries.any(|(_, known)| known == package || known.starts_with(&below)) {
        return true;
    }
    let quoted = format!("\"{package}\"");
    let mut files = index.repo.files.iter();
    let is_manifest = |path: &str| path == "package.json" || path.ends_with("/package.json");
    name.contains('/') && files.any(|it| is_manifest(&it.path) && it.text.contains(&quoted))
}

fn has_known_extension(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|extension| {
        let mut all = Language::ALL.iter();
        all.any(|language| language.spec().extensions.contains(&extension))
    })
}

/// Returns the files and folders that a name can mean: by the whole path, else by its end, else by
/// its end without the extension; ignoring case if nothing matches exactly.
fn places(index: &Index, name: &str) -> Option<Vec<Place>> {
    let plain = name.trim_matches('/');
    if plain.is_empty() {
        return None;
    }
    let wants_folder = name.ends_with('/');
    let same = |a: &str, b: &str| a == b;
    let alike = |a: &str, b: &str| a.eq_ignore_ascii_case(b);
    let found = by_end(index, plain, wants_folder, same);
    found.or_else(|| by_end(index, plain, wants_folder, alike))
}

fn by_end(
    index: &Index,
    name: &str,
    wants_folder: bool,
    is_same: impl Fn(&str, &str) -> bool,
) -> Option<Vec<Place>> {
    let ends = |path: &str| is_end_of(path, name, &is_same);
    let mut folders: Vec<Place> = Vec::new();
    let mut files: Vec<Place> = Vec::new();
    let mut stems: Vec<Place> = Vec::new();
    for (id, file) in (0..).map(FileId).zip(&index.repo.files) {
        let path = file.path.as_str();
        let mut cuts = path.match_indices('/').map(|(at, _)| at);
        // The outermost folder with that name contains the others.
        let folder = cuts.find(|at| path.get(..*at).is_some_and(ends));
        if let Some(folder) = folder.and_then(|at| path.get(..=at)) {
            // Files are in path order, so those of a folder follow each other.
            match folders.last_mut().filter(|known| known.path == folder) {
                Some(known) => known.files.push(id),
                None => folders.push(Place::new(folder, id)),
            }
        }
        let stem = path.rsplit_once('.').map(|(stem, _)| stem);
        if !wants_folder && ends(path) {
            files.push(Place::new(path, id));
        } else if !wants_folder && stem.is_some_and(ends) {
            stems.push(Place::new(path, id));
        }
    }
    let is_whole = |place: &&Place| is_same(place.path.trim_end_matches('/'), name);
    if let Some(whole) = files.iter().chain(&folders).find(is_whole) {
        return Some(vec![whole.clone()]);
    }
    let mut found = [files, folders, stems].into_iter();
    found.find(|places| !places.is_empty())
}

/// Whether a path is `end`, or ends with `/` and `end`.
fn is_end_of(path: &str, end: &str, is_same: impl Fn(&str, &str) -> bool) -> bool {
    let Some(start) = path.len().checked_sub(end.len()) else {
        return false;
    };
    let is_part = start == 0 || path.as_bytes().get(start - 1) == Some(&b'/');
    is_part && path.get(start..).is_some_and(|last| is_same(last, end))
}

/// Whether `name` can mean a place.
fn is_end(place: &Place, name: &str) -> bool {
    let path = place.path.trim_end_matches('/');
    let name = name.trim_matches('/');
    let alike = |a: &str, b: &str| a.eq_ignore_ascii_case(b);
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    is_end_of(path, name, alike) || is_end_of(stem, name, alike)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::tests::index;

    const FILES: &[(&str, &str)] = &[
        ("src/mail/office.py", "def send(it):\n    return it\n"),
        ("src/mail/parts.py", "def pack(it):\n    return it\n"),
        ("lib/parts.py", "def fold(it):\n    return it\n"),
        ("lib/README.md", "# Folding\n"),
        (
            "web/package.json",
            "{\"name\": \"@mail/web\", \"version\": \"1.0.0\"}\n",
        ),
        ("web/src/a.ts", "import { x } from '@other/lib';\n"),
    ];

    /// Returns the words, the names of the scope, and the note.
    fn read(text: &str) -> (String, Vec<String>, Option<String>) {
        let index = index(FILES);
        let resolved = resolve(&index, &Question::new(text).unwrap(), &[]);
        let limits = resolved.question.limits();
        let names = limits.map_or_else(Vec::new, |within| within.names().to_vec());
        (resolved.question.text().to_owned(), names, resolved.note)
    }

    #[test]
    fn a_fact_at_its_sign_limits_a_question_to_files_that_match_it() {
        let (pack, none) = ("src/mail/", "No file matches all");
        for (text, rest, names, said) in [
            (
                "@imports:@other/lib what is x",
                "what is x",
                &["imports:@other/lib"][..],
                None,
            ),
            (
                "@holds:function who packs",
                "who packs",
                &["holds:function"],
                None,
            ),
            (
                "@module:mail.parts who packs",
                "who packs",
                &["module:mail.parts"],
                None,
            ),
            (
                "@src/mail/ @holds:function who packs",
                "who packs",
                &[pack, "holds:function"],
                None,
            ),
            (
                "@lib/ @imports:@other/lib who folds",
                "who folds",
                &[],
                Some(none),
            ),
            (
                "@holds:class who folds",
                "who folds",
                &[],
                Some("No file matches"),
            ),
        ] {
            let (words, scope, note) = read(text);
            assert_eq!(
                (words.trim(), scope.as_slice()),
                (rest, &to_owned(names)[..]),
                "{text}"
            );
            let note = note.unwrap_or_default();
            assert_eq!(said.is_some(), !note.is_empty(), "{text}: {note}");
            assert!(note.contains(said.unwrap_or_default()), "{text}: {note}");
        }
    }

    fn to_owned(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn a_path_at_its_sign_is_the_scope_of_a_question() {
        for (text, rest, names) in [
            (
                "@src/mail/office.py how is it sent",
                "how is it sent",
                &["src/mail/office.py"][..],
            ),
            (
                "@office.py how is it sent",
                "how is it sent",
                &["src/mail/office.py"],
            ),
            (
                "@office how is it sent",
                "how is it sent",
                &["src/mail/office.py"],
            ),
            ("@mail/ how is it sent", "how is it sent", &["src/mail/"]),
            ("@mail how is it sent", "how is it sent", &["src/mail/"]),
            (
                "@LIB/readme.md what is folded",
                "what is folded",
                &["lib/README.md"],
            ),
            ("who calls fold in @lib/?", "who calls fold", &["lib/"]),
            (
                "@lib/, @src/ who calls fold?",
                "who calls fold?",
                &["lib/", "src/"],
            ),
        ] {
            let (words, scope, note) = read(text);
            assert_eq!(
                (words.trim(), scope.as_slice(), note),
                (
                    rest,
                    &names.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>()[..],
                    None
                ),
                "{text}"
            );
        }
    }

    #[test]
    fn decorators_and_packages_are_not_a_scope() {
        for text in [
            "what does @property do",
            "who imports @other/lib?",
            "what is @mail/web for",
            "where is @office used",
            "mail me at a@lib/parts.py",
        ] {
            assert_eq!(read(text), (text.to_owned(), Vec::new(), None));
        }
    }

    #[test]
    fn ambiguous_and_unknown_file_names_are_reported() {
        let (_, names, note) = read("@parts.py what is folded");
        assert_eq!(names, ["lib/parts.py", "src/mail/parts.py"]);
        assert_eq!(
            note.unwrap(),
            "`parts.py` can mean `lib/parts.py` and `src/mail/parts.py`. All of them were searched."
        );
        let (words, names, note) = read("@src/mail/offices.py how is it sent");
        assert_eq!((words.as_str(), names.len()), ("how is it sent", 0));
        let note = note.unwrap();
        assert!(
            note.starts_with("This repository has no file or folder `src/mail/offices.py`. The closest: `src/mail/office.py`"),
            "{note}"
        );
        assert!(
            note.ends_with("The whole repository was searched."),
            "{note}"
        );
    }

    #[test]
    fn a_follow_up_leans_on_the_words_of_the_question_before() {
        let index = index(FILES);
        let question = Question::new("and what does it call?").unwrap();
        let resolved = resolve(&index, &question, &["@lib/ who calls fold?"]);
        assert_eq!(resolved.question.text(), "what does fold call?");
        assert!(resolved.question.limits().is_none());
    }
}
