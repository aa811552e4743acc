//! A repository at a glance: its modules, how often each is imported, and where it is entered.

use std::collections::{BTreeMap, BTreeSet};

use super::evidence::{files, import_source};
use super::subject::Subject;
use super::teller::{Teller, counted};
use crate::answer::notes::{Entry, Source, code, text};
use crate::index::graph::{ImportLink, Target};
use crate::lang::SymbolKind;
use crate::lines::{Line, LineRange};
use crate::source::FileId;

/// Maximum number of files at which each is its own module; above it, folders are modules.
const MANY_FILES: usize = 30;

/// A file or folder of the project's own code.
pub(super) struct Module {
    /// Its path; a folder's ends with a slash.
    pub path: String,
    /// Its files, ordered by path.
    pub files: Vec<FileId>,
    /// Other modules that import from it, each with a proving import.
    pub importers: BTreeMap<usize, Source>,
    /// Other modules that it imports from.
    pub imports: BTreeMap<usize, Source>,
}

impl<'i> Teller<'_, 'i> {
    /// Returns the files of the project's own code, below `folder` unless it is empty.
    pub(crate) fn own_files(&self, folder: &str) -> Vec<FileId> {
        let mut own = files(self.index, &Subject::Project);
        own.retain(|file| self.path(*file).starts_with(folder));
        own
    }

    /// Returns the modules of the project's own code below `folder`, the most imported first.
    pub(crate) fn modules(&self, folder: &str) -> Vec<Module> {
        let mut files = self.own_files(folder);
        // A script beside the folder that holds all code does not hide what is in it.
        while let Some(inner) = self.main_folder(&files) {
            files = self.own_files(&inner);
        }
        let by_folder = files.len() > MANY_FILES;
        let mut names: BTreeMap<String, Vec<FileId>> = BTreeMap::new();
        let start = self.common_folder(&files).len();
        for &file in &files {
            let path = self.path(file);
            let name = match path.get(start..).and_then(|rest| rest.split_once('/')) {
                Some((top, _)) if by_folder => {
                    format!("{}{top}/", path.get(..start).unwrap_or_default())
                }
                _ => path.to_owned(),
            };
            names.entry(name).or_default().push(file);
        }
        let mut of_file: BTreeMap<FileId, usize> = BTreeMap::new();
        let mut modules: Vec<Module> = Vec::new();
        for (path, files) in names {
            of_file.extend(files.iter().map(|file| (*file, modules.len())));
            modules.push(Module {
                path,
                files,
                importers: BTreeMap::new(),
                imports: BTreeMap::new(),
            });
        }
        for link in self.index.graph.all_imports() {
            let target = target(link).and_then(|file| of_file.get(&file).copied());
            let (Some(to), Some(&from)) = (target, of_file.get(&link.file)) else {
                continue;
            };
            if to == from {
                continue;
            }
            let source = || import_source(self.index, link);
            if let Some(module) = modules.get_mut(to) {
                module.importers.entry(from).or_insert_with(source);
            }
            if let Some(module) = modules.get_mut(from) {
                module.imports.entry(to).or_insert_with(source);
            }
        }
        modules
    }

    /// Returns the folder below the common one that holds nearly all of many files.
    fn main_folder(&self, files: &[FileId]) -> Option<String> {
        let start = self.common_folder(files).len();
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for file in files {
            let path = self.path(*file);
            let top = path.get(start..).and_then(|rest| rest.find('/'));
            if let Some(inner) = top.and_then(|end| path.get(..start + end + 1)) {
                *counts.entry(inner).or_default() += 1;
            }
        }
        let (inner, n) = counts.into_iter().max_by_key(|(_, n)| *n)?;
        let is_main = files.len() > MANY_FILES && n < files.len() && 10 * n >= 9 * files.len();
        is_main.then(|| inner.to_owned())
    }

    /// Returns the folder that contains all the files, with a trailing slash.
    pub(crate) fn common_folder(&self, files: &[FileId]) -> String {
        let mut paths = files.iter().map(|file| self.path(*file));
        let folder = |path: &str| path.rfind('/').map_or(0, |at| at + 1);
        let Some(first) = paths.next() else {
            return String::new();
        };
        let mut common = first.get(..folder(first)).unwrap_or_default();
        for path in paths {
            while !path.starts_with(common) {
                let cut = common.trim_end_matches('/');
                common = cut.get(..folder(cut)).unwrap_or_default();
            }
        }
        common.to_owned()
    }

    /// States which modules there are, the most imported first, and what the first ones import.
    pub(crate) fn say_modules(&mut self, folder: &str) -> bool {
        let modules = self.modules(folder);
        let mut order: Vec<usize> = (0..modules.len()).collect();
        order.sort_by_key(|at| {
            std::cmp::Reverse(modules.get(*at).map_or(0, |it| it.importers.len()))
        });
        let entries = order
            .iter()
            .filter_map(|at| self.module_entry(&modules, *at));
        let entries: Vec<Entry> = entries.collect();
        if entries.len() < 2 {
            return false;
        }
        let what = match modules.iter().any(|module| module.path.ends_with('/')) {
            true => "modules and folders",
            false => "modules",
        };
        let place = match folder.is_empty() {
            true => text("The project’s own code"),
            false => code(folder),
        };
        let lead = vec![
            place,
            text(format!(
                " consists of {} {what}, the most imported first: ",
                entries.len()
            )),
        ];
        let is_said = self.list(lead, entries);
        for at in order.into_iter().take(4) {
            self.say_imports_of(&modules, at);
        }
        is_said
    }

    fn module_entry(&self, modules: &[Module], at: usize) -> Option<Entry> {
        let module = modules.get(at)?;
        let first = self.lead_file(module)?;
        let n = module.importers.len();
        Some(Entry {
            name: module.path.clone(),
            detail: match n {
                0 => "imported by no other".to_owned(),
                n => format!("imported by {}", counted(n, "module", "modules")),
            },
            source: module
                .importers
                .values()
                .next()
                .cloned()
                .or_else(|| self.first_line(first))?,
        })
    }

    /// Returns the file that stands for a module.
    fn lead_file(&self, module: &Module) -> Option<FileId> {
        let is_lead = |file: &&FileId| {
            let name = self.path(**file).rsplit('/').next().unwrap_or_default();
            ["__init__.", "mod.rs", "index.", "lib.rs"]
                .iter()
                .any(|lead| name.starts_with(lead))
        };
        module
            .files
            .iter()
            .find(is_lead)
            .or(module.files.first())
            .copied()
    }

    /// Returns the first non-blank line of a file.
    pub(crate) fn first_line(&self, file: FileId) -> Option<Source> {
        let row = self
            .file_text(file)
            .lines()
            .position(|line| !line.trim().is_empty())?;
        let line = Line(row as u32 + 1);
        Some(Source {
            file,
            lines: LineRange::new(line, line),
            quotes: Vec::new(),
            why: "file".to_owned(),
        })
    }

    fn say_imports_of(&mut self, modules: &[Module], at: usize) {
        let Some(module) = modules.get(at).filter(|module| !module.imports.is_empty()) else {
            return;
        };
        let entries = module.imports.iter().filter_map(|(to, source)| {
            Some(Entry {
                name: modules.get(*to)?.path.clone(),
                detail: String::new(),
                source: source.clone(),
            })
        });
        let entries: Vec<Entry> = entries.collect();
        self.list(vec![code(&module.path), text(" imports ")], entries);
    }

    /// Returns where a program or a library's user begins, judging by file and definition names.
    pub(crate) fn entry_points(&self) -> Vec<Entry> {
        const NAMES: &[(&str, &str)] = &[
            ("main.rs", "the program’s main file"),
            ("lib.rs", "the root of the library"),
            ("__main__.py", "run by python -m"),
            ("index.js", "the package’s index"),
            ("index.ts", "the package’s index"),
            ("__init__.py", "what importing the package runs"),
        ];
        let files = self.own_files("");
        let depth = |file: &FileId| self.path(*file).matches('/').count();
        let mut found: Vec<Entry> = Vec::new();
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        for (name, detail) in NAMES {
            let named = files
                .iter()
                .filter(|file| self.path(**file).rsplit('/').next() == Some(*name));
            let top = named.min_by_key(|file| depth(file));
            let source = top.and_then(|file| self.first_line(*file));
            if let (Some(file), Some(source)) = (top, source)
                && seen.insert(self.path(*file))
            {
                found.push(Entry {
                    name: self.path(*file).to_owned(),
                    detail: (*detail).to_owned(),
                    source,
                });
            }
        }
        for &file in &files {
            let mains = self.defined_in(file).filter(|(_, symbol)| {
                symbol.kind == SymbolKind::Function
                    && symbol.name == "main"
                    && symbol.parent.is_none()
            });
            found.extend(mains.filter_map(|(id, _)| {
                let mut entry = self.defined(id)?;
                entry.detail = format!("in {}", self.path(file));
                Some(entry)
            }));
            found.extend(self.main_guard(file));
        }
        found
    }

    /// States which file an entry point that defines nothing itself passes on to.
    pub(crate) fn passed_on(&mut self, entries: &[Entry]) {
        for entry in entries {
            let file = entry.source.file;
            let is_empty = self.defined_in(file).next().is_none();
            let links = self.index.graph.imports(file).iter();
            let mut own = links.filter_map(|link| Some((link, target(link)?)));
            let (Some((link, to)), None) = (own.next(), own.next()) else {
                continue;
            };
            if !is_empty {
                continue;
            }
            let source = import_source(self.index, link);
            let spans = vec![
                code(self.path(file)),
                text(" defines nothing itself and passes on to "),
                code(self.path(to)),
            ];
            self.say(spans, &[source]);
        }
    }

    /// Finds `if __name__ == "__main__":`.
    fn main_guard(&self, file: FileId) -> Option<Entry> {
        let row = self
            .file_text(file)
            .lines()
            .position(|line| line.starts_with("if __name__") && line.contains("__main__"))?;
        let line = Line(row as u32 + 1);
        Some(Entry {
            name: self.path(file).to_owned(),
            detail: "can be run as a script".to_owned(),
            source: Source {
                file,
                lines: LineRange::new(line, line),
                quotes: vec!["__main__".to_owned()],
                why: "entry point".to_owned(),
            },
        })
    }
}

fn target(link: &ImportLink) -> Option<FileId> {
    match link.target {
        Target::File(file) => Some(link.symbol.map_or(file, |symbol| symbol.file)),
        _ => None,
    }
}
