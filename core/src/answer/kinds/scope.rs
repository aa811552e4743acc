//! Which files a question is about: all, those of a folder or a language, or the tests.

use super::evidence;
use super::subject::Subject;
use super::teller::Teller;
use crate::answer::Span;
use crate::answer::notes::{Source, code, text};
use crate::lang::{Language, Role};
use crate::source::FileId;

/// Words that only say that files are meant.
const AROUND: [&str; 22] = [
    "the",
    "a",
    "any",
    "all",
    "our",
    "this",
    "in",
    "under",
    "within",
    "inside",
    "of",
    "file",
    "files",
    "code",
    "folder",
    "directory",
    "dir",
    "module",
    "package",
    "repository",
    "repo",
    "project",
];

/// Files in order: sources, then tests, then the rest.
pub(super) struct Scope {
    pub files: Vec<FileId>,
    /// The files as the subject of a sentence.
    pub shown: Vec<Span>,
}

impl Scope {
    /// Reads words such as `java`, `src/requests` or `the tests`, or no words. Returns `None` if
    /// they name no files.
    pub(crate) fn read(teller: &Teller<'_, '_>, words: &str) -> Option<Self> {
        let plain = words.replace(['`', '"', '“', '”', ','], " ");
        let mut language = None;
        let mut role = None;
        let mut rest: Vec<&str> = Vec::new();
        for word in plain.split_whitespace() {
            let lower = word.to_lowercase();
            match lower.as_str() {
                "source" | "sources" | "production" => role = Some(Role::Source),
                "test" | "tests" if !is_folder(teller, &lower) => role = Some(Role::Test),
                other if AROUND.contains(&other) => {}
                other => match Language::named(other).filter(|found| found.is_code()) {
                    Some(found) => language = Some(found.name()),
                    None => rest.push(word),
                },
            }
        }
        let (mut files, place) = place(teller, &rest.join(" "))?;
        let mut shown = match place {
            Some(place) => vec![code(place)],
            None => vec![text("The repository")],
        };
        if let Some(language) = language {
            files.retain(|file| of_language(teller, *file) == Some(language));
            shown = vec![text(format!("The {language} code"))];
        }
        if let Some(role) = role {
            files.retain(|file| Role::of(teller.path(*file)) == role);
        }
        files.sort_by_key(|file| (rank(teller.path(*file)), *file));
        (!files.is_empty()).then_some(Self { files, shown })
    }

    /// Cites what was searched in vain: the first file stands for all.
    pub(crate) fn searched(&self, teller: &Teller<'_, '_>) -> Vec<Source> {
        let first = self.files.first().copied().into_iter().collect();
        let subject = Subject::Files(first, String::new());
        evidence::whole(teller.index, &subject)
            .into_iter()
            .collect()
    }

    /// Keeps only the files that hold code.
    pub(crate) fn only_code(mut self, teller: &Teller<'_, '_>) -> Self {
        self.files.retain(|file| {
            let file = teller.index.file(*file);
            file.is_some_and(|(_, parsed)| parsed.language.is_code())
        });
        self
    }
}

/// Returns a file's position in a list: sources, tests, the rest, and last what tools generate from
/// sources.
pub(super) fn rank(path: &str) -> u8 {
    match Role::of(path) {
        _ if is_made(path) => 4,
        Role::Source => 0,
        Role::Test => 1,
        Role::Example => 2,
        _ => 3,
    }
}

/// Whether a file is in a folder of generated files or of copies of other projects.
pub(super) fn is_made(path: &str) -> bool {
    ["dist/", "build/", "bundles/", "vendor/", "node_modules/"]
        .iter()
        .any(|folder| path.starts_with(folder))
}

fn of_language(teller: &Teller<'_, '_>, file: FileId) -> Option<&'static str> {
    let (_, parsed) = teller.index.file(file)?;
    Some(parsed.language.name())
}

fn is_folder(teller: &Teller<'_, '_>, name: &str) -> bool {
    let prefix = format!("{name}/");
    let mut files = teller.index.repo.files.iter();
    files.any(|file| file.path.starts_with(&prefix))
}

/// Returns the files that a path names, and the path as shown; all files if there are no words.
fn place(teller: &Teller<'_, '_>, words: &str) -> Option<(Vec<FileId>, Option<String>)> {
    let all = || (0..).map(FileId).zip(&teller.index.repo.files);
    if words.is_empty() {
        return Some((all().map(|(id, _)| id).collect(), None));
    }
    let name = words.trim_start_matches("./").trim_matches('/');
    if teller.index.repo.find(name).is_none() {
        let inside = |prefix: &str| -> Vec<FileId> {
            let found = all().filter(|(_, file)| file.path.starts_with(prefix));
            found.map(|(id, _)| id).collect()
        };
        let prefix = format!("{name}/");
        let found = inside(&prefix);
        if !found.is_empty() {
            return Some((found, Some(name.to_owned())));
        }
        let nested = format!("/{prefix}");
        let deeper = all().find_map(|(_, file)| {
            let at = file.path.find(&nested)?;
            file.path.get(..at + nested.len())
        });
        if let Some(prefix) = deeper {
            return Some((
                inside(prefix),
                Some(prefix.trim_end_matches('/').to_owned()),
            ));
        }
    }
    match teller.subject(words)? {
        Subject::Files(files, name) => Some((files, Some(name))),
        Subject::Project => Some((all().map(|(id, _)| id).collect(), None)),
        _ => None,
    }
}
