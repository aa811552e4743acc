//! Which files are in a folder or in the project: all, those of a language, modules of code, or
//! tests.

use super::Kind;
use super::listing::in_order;
use super::paths;
use super::subject::Subject;
use super::teller::{Teller, counted};
use super::wording::Read;
use crate::answer::Span;
use crate::answer::notes::{Entry, SEARCHED, Source, code, text};
use crate::lang::{Language, Role};
use crate::lines::{Line, LineRange};
use crate::source::FileId;

/// The words for the files to be listed.
macro_rules! of_files {
    () => {
        "@files|modules|source_files|code_files|test_files|scripts|submodules"
    };
}

pub(super) const KIND: Kind = Kind {
    name: "files",
    wordings: &[
        concat!("ASK? ", of_files!(), " REL X"),
        concat!(
            "ASK? ",
            of_files!(),
            " does|do X contain|have|hold|include|consist_of"
        ),
        "ASK? every|each|any|all @file|module REL X",
        "ASK? every|each|any|all Y @file|module REL X",
        concat!("ASK ", of_files!(), " make_up|makes_up|belong_to X"),
        concat!("how_many ", of_files!(), " REL X"),
        concat!(
            "how_many ",
            of_files!(),
            " does|do X contain|have|hold|include"
        ),
        concat!("ASK? Y ", of_files!(), " REL X"),
        concat!("how_many Y ", of_files!(), " REL X"),
        concat!("ASK? ", of_files!(), " REL?"),
        concat!("how_many ", of_files!(), " REL?"),
        concat!("ASK? Y ", of_files!()),
        concat!("how_many Y ", of_files!(), " REL?"),
        "ASK? @files|modules written_in Y",
        "ASK? @files|modules written_in Y in X",
        "what is in|inside|under X",
        "ASK? contents REL X",
    ],
    state,
};

/// Maximum number of left-out files that are named.
const MAX_SKIPPED: usize = 60;

/// Which files are meant.
struct Filter {
    language: Option<Language>,
    is_code: bool,
    is_test: bool,
    noun: String,
}

impl Filter {
    /// Returns `None` if the words before “files” are anything other than a language or “test”.
    fn new(word: &str, adjective: Option<&str>) -> Option<Self> {
        let lower = adjective.unwrap_or_default().to_lowercase();
        let language = Language::named(&lower).or_else(|| by_name(&lower));
        let is_test = lower == "test" || word == "test files";
        let is_known = matches!(lower.as_str(), "" | "test" | "source" | "code");
        if language.is_none() && !is_known {
            return None;
        }
        let is_code = lower == "source"
            || lower == "code"
            || matches!(
                word,
                "modules" | "module" | "source files" | "code files" | "scripts" | "submodules"
            );
        let noun = match (language, is_test, is_code) {
            (Some(language), ..) => format!("{} file", language.name()),
            (None, true, _) => "test file".to_owned(),
            (None, false, true) => "file of code".to_owned(),
            (None, false, false) => "file".to_owned(),
        };
        Some(Self {
            language,
            is_code,
            is_test,
            noun,
        })
    }

    fn takes(&self, teller: &Teller<'_, '_>, file: FileId) -> bool {
        let Some((source, parsed)) = teller.index.file(file) else {
            return false;
        };
        let of_language = |language: Language| {
            let family = language.is_code() && parsed.language.name() == "TSX";
            parsed.language == language || family && language == Language::TypeScript
        };
        let role = Role::of(&source.path);
        self.language.is_none_or(of_language)
            && (!self.is_test || role == Role::Test && parsed.language.is_code())
            && (!self.is_code || role == Role::Source && parsed.language.is_code())
    }

    fn takes_all(&self) -> bool {
        self.language.is_none() && !self.is_code && !self.is_test
    }

    fn many(&self) -> String {
        match self.noun.strip_suffix(" of code") {
            Some(noun) => format!("{noun}s of code"),
            None => format!("{}s", self.noun),
        }
    }
}

/// Finds a text format by its extension: “yaml files”.
fn by_name(lower: &str) -> Option<Language> {
    let mut all = Language::ALL.iter().copied();
    all.find(|language| {
        language.name().to_lowercase() == lower
            || !lower.is_empty()
                && language
                    .spec()
                    .extensions
                    .contains(&lower.trim_start_matches('.'))
    })
}

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let Some(filter) = Filter::new(&read.word, read.y.as_deref()) else {
        return false;
    };
    let is_everything = read.word.is_empty();
    let Some((files, shown, folder)) = looked_at(teller, &read.x, is_everything) else {
        return false;
    };
    let found: Vec<FileId> = files
        .into_iter()
        .filter(|file| filter.takes(teller, *file))
        .collect();
    list(teller, &filter, in_order(teller, found), shown, &folder)
}

/// Returns the files of a folder or of the project, tests included, and the folder.
fn looked_at(
    teller: &Teller<'_, '_>,
    words: &str,
    is_folder_only: bool,
) -> Option<(Vec<FileId>, Vec<Span>, String)> {
    let all = || (0..teller.index.repo.files.len() as u32).map(FileId);
    let project = || Some((all().collect(), vec![text("The repository")], String::new()));
    if words.is_empty() {
        return project();
    }
    if let Some(folder) = paths::folder(teller.index, words) {
        let inside = all().filter(|file| teller.path(*file).starts_with(&folder));
        return Some((inside.collect(), vec![code(folder.clone())], folder));
    }
    match teller.subject(words)? {
        Subject::Project if !is_folder_only => project(),
        _ => None,
    }
}

fn list(
    teller: &mut Teller<'_, '_>,
    filter: &Filter,
    files: Vec<FileId>,
    shown: Vec<Span>,
    folder: &str,
) -> bool {
    let is_empty = |file: &FileId| teller.file_text(*file).is_empty();
    let (empty, full): (Vec<FileId>, Vec<FileId>) = files.into_iter().partition(is_empty);
    let direct = |file: &&FileId| {
        let rest = teller.path(**file).strip_prefix(folder).unwrap_or_default();
        !rest.contains('/')
    };
    let n_direct = full.iter().filter(direct).count();
    let mut lead = shown;
    if full.is_empty() {
        return none(teller, filter, lead, folder);
    }
    let n = counted(full.len(), &filter.noun, &filter.many());
    lead.push(text(format!(" contains {n}")));
    if n_direct < full.len() && n_direct > 0 {
        lead.push(text(format!(", {n_direct} of them directly")));
    }
    if !empty.is_empty() {
        let names: Vec<String> = empty
            .iter()
            .map(|file| teller.path(*file).to_owned())
            .collect();
        lead.push(text(" (and, without any text, "));
        lead.extend(crate::answer::notes::capped(&names));
        lead.push(text(")"));
    }
    if filter.takes_all() {
        lead.extend(skipped(teller, folder));
    }
    lead.push(text(": "));
    let entries = full.iter().map(|file| Entry {
        name: teller.path(*file).to_owned(),
        detail: String::new(),
        source: first_line(*file, "file"),
    });
    let entries: Vec<Entry> = entries.collect();
    teller.list(lead, entries)
}

/// Lists the files of the folder that were left out when the archive was read: they cannot be
/// cited.
fn skipped(teller: &Teller<'_, '_>, folder: &str) -> Vec<Span> {
    let all = teller.index.repo.skipped.iter();
    let names: Vec<String> = all
        .filter(|skipped| skipped.path.starts_with(folder))
        .map(|skipped| skipped.path.clone())
        .collect();
    if names.is_empty() {
        return Vec::new();
    }
    let more = match names.len() {
        1 => "1 more was".to_owned(),
        n => format!("{n} more were"),
    };
    let lead = format!(" ({more} left out when the archive was read: ");
    let mut spans = vec![text(lead)];
    // They are not in the list below, so this is the only place where they can be read.
    spans.extend(crate::answer::notes::capped_at(&names, MAX_SKIPPED));
    spans.push(text(")"));
    spans
}

fn first_line(file: FileId, why: &str) -> Source {
    Source {
        file,
        lines: LineRange::new(Line(1), Line(1)),
        quotes: Vec::new(),
        why: why.to_owned(),
    }
}

/// States that there are no such files, which the existing files prove.
fn none(teller: &mut Teller<'_, '_>, filter: &Filter, shown: Vec<Span>, folder: &str) -> bool {
    let all = (0..teller.index.repo.files.len() as u32).map(FileId);
    let inside: Vec<FileId> = all
        .filter(|file| {
            teller.path(*file).starts_with(folder) && !teller.file_text(*file).is_empty()
        })
        .collect();
    let n = counted(inside.len(), "file", "files");
    let mut spans = shown;
    spans.push(text(format!(" contains no {}: {n} searched", filter.noun)));
    let sources: Vec<Source> = inside
        .iter()
        .take(8)
        .map(|file| first_line(*file, SEARCHED))
        .collect();
    teller.say(spans, &sources)
}
