//! Resolves the imports of unfinished code, by the rules of its language.

use super::read::Code;
use crate::index::Index;
use crate::index::graph::{Binds, SymbolId, Target};
use crate::lang::resolve::names::folder;
use crate::lang::resolve::{Facts, Found, Guest, Place, World, package_key};
use crate::lang::{Import, ImportedName};
use crate::lines::Line;
use crate::source::FileId;

/// Maximum number of files examined for one name: chains of re-exports can be long, and circular.
const MAX_LOOKS: u32 = 24;

/// Maximum number of the code's imports that are followed.
const MAX_IMPORTS: usize = 400;

/// Maximum number of folders in which code without a path is tried, and of imports tried there.
const MAX_FOLDERS: usize = 300;
const MAX_TRIED: usize = 8;

/// What one imported name leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Leads {
    Symbol(SymbolId),
    /// A whole file, by the name or by its members.
    File(FileId),
    /// A file of the repository that does not have the name.
    Nameless(FileId),
    /// All names of a file.
    All(FileId),
    /// Something else: a library, or a file that does not exist.
    Outside,
}

/// One imported name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Imported {
    /// The name that the code uses.
    pub name: String,
    pub line: Line,
    pub leads: Leads,
}

/// Returns all imported names, in order.
pub(super) fn imported(index: &Index, facts: &Facts, code: &Code) -> Vec<Imported> {
    let path = match &code.path {
        Some(path) => path.clone(),
        None => likely_path(index, facts, code),
    };
    let imports = code.parsed.imports.iter().take(MAX_IMPORTS);
    imports
        .flat_map(|import| of_import(index, facts, code, &path, import))
        .collect()
}

fn of_import(
    index: &Index,
    facts: &Facts,
    code: &Code,
    path: &str,
    import: &Import,
) -> Vec<Imported> {
    let mut all: Vec<Imported> = Vec::new();
    for found in follow_as(index, facts, code, path, import) {
        let named = found.name.and_then(|at| import.names.get(at as usize));
        let local = local_name(code, import, named, found.binds);
        let leads = leads(index, &found, named, &local);
        let imported = Imported {
            name: local,
            line: import.lines.start(),
            leads,
        };
        // One name can lead to several files of a package: a definition is most specific.
        match all
            .iter_mut()
            .find(|it| it.name == imported.name && found.binds != Binds::All)
        {
            Some(known) if matches!(known.leads, Leads::Symbol(_)) => {}
            Some(known) => *known = imported,
            None => all.push(imported),
        }
    }
    all
}

/// Follows the import as if it stood in a file at `path`.
fn follow_as(index: &Index, facts: &Facts, code: &Code, path: &str, import: &Import) -> Vec<Found> {
    let family = code.parsed.language.spec().family;
    let packages = (family.packages)(path, &code.parsed.packages);
    let package = packages.first().map(|name| package_key(family, name));
    let world = World {
        repo: &index.repo,
        parsed: &index.parsed,
        facts,
        guest: Some(Guest {
            path,
            text: &code.text,
            parsed: &code.parsed,
            package: package.as_deref(),
        }),
    };
    let leads = |found: &Vec<Found>| found.iter().any(|it| matches!(it.place, Place::File(_)));
    let id = FileId(index.repo.files.len() as u32);
    let found = (family.resolve)(world, id, import);
    if leads(&found) {
        return found;
    }
    // Some languages locate a file by what names it, and nothing names the code's own file yet.
    let mut again = stand_ins(index, code, path).into_iter().map(|file| {
        let guest = None;
        (family.resolve)(World { guest, ..world }, file, import)
    });
    again.find(leads).unwrap_or(found)
}

/// Returns the file at a path, or some in the same language beside it: a file does not import
/// itself.
fn stand_ins(index: &Index, code: &Code, path: &str) -> Vec<FileId> {
    const MOST: usize = 3;
    const ROOTS: [&str; 4] = ["lib.rs", "main.rs", "mod.rs", "__init__.py"];
    if let Some(file) = index.repo.find(path) {
        return vec![file];
    }
    let folder = folder(path);
    let start = match folder.is_empty() {
        true => String::new(),
        false => format!("{folder}/"),
    };
    let beside = index.repo.below(&start).filter(|file| {
        let rest = file.path.get(start.len()..).unwrap_or_default();
        !rest.contains('/')
    });
    let beside = beside.filter_map(|file| index.repo.find(&file.path));
    let of_family = beside.filter(|file| {
        let parsed = index.parsed.get(file.0 as usize);
        parsed.is_some_and(|it| it.language.spec().family == code.parsed.language.spec().family)
    });
    let mut all: Vec<FileId> = of_family.collect();
    all.sort_by_key(|file| {
        let path = index.repo.file(*file).map_or("", |file| &file.path);
        let name = path.rsplit('/').next().unwrap_or(path);
        (ROOTS.contains(&name), *file)
    });
    all.truncate(MOST);
    all
}

fn local_name(code: &Code, import: &Import, named: Option<&ImportedName>, binds: Binds) -> String {
    let family = code.parsed.language.spec().family;
    let name = match named {
        Some(name) => match name.alias.as_deref() {
            Some(alias) => alias,
            None => (family.local_name)(&name.name),
        },
        None if binds == Binds::Path => &import.module,
        None => (family.local_name)(&import.module),
    };
    name.to_owned()
}

fn leads(index: &Index, found: &Found, named: Option<&ImportedName>, local: &str) -> Leads {
    let Place::File(file) = found.place else {
        return Leads::Outside;
    };
    match found.binds {
        Binds::All => Leads::All(file),
        Binds::Module | Binds::Path => match named {
            // In JVM languages, `import a.b.C` binds the class.
            _ if is_type(local) => {
                definition(index, file, local).map_or(Leads::File(file), Leads::Symbol)
            }
            _ => Leads::File(file),
        },
        Binds::Name => {
            let wanted = named.map_or(local, |name| name.name.as_str());
            let wanted = wanted.rsplit(['.', ':']).next().unwrap_or(wanted);
            let by_local = || definition(index, file, local).filter(|_| wanted == "default");
            match definition(index, file, wanted).or_else(by_local) {
                Some(symbol) => Leads::Symbol(symbol),
                None if wanted == "default" || wanted == "*" => Leads::File(file),
                None => Leads::Nameless(file),
            }
        }
    }
}

fn is_type(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

/// Resolves `name` at the top level of a file, through re-exports.
pub(super) fn definition(index: &Index, file: FileId, name: &str) -> Option<SymbolId> {
    look(index, file, name, &mut MAX_LOOKS.clone())
}

fn look(index: &Index, file: FileId, name: &str, looks: &mut u32) -> Option<SymbolId> {
    *looks = looks.checked_sub(1)?;
    if let Some(symbol) = index.names().top(&index.parsed, file, name) {
        return Some(symbol);
    }
    let parsed = index.parsed.get(file.0 as usize)?;
    let links = index.graph.imports(file);
    let binds = |link: &&crate::index::graph::ImportLink| {
        let import = parsed.imports.get(link.import as usize);
        let named = import.zip(link.name);
        let named = named.and_then(|(import, at)| import.names.get(at as usize));
        named.is_some_and(|it| it.alias.as_deref().unwrap_or(&it.name) == name)
    };
    if let Some(symbol) = links.iter().filter(binds).find_map(|link| link.symbol) {
        return Some(symbol);
    }
    let stars = links.iter().filter(|link| link.binds == Binds::All);
    let files: Vec<FileId> = stars
        .filter_map(|link| match link.target {
            Target::File(target) if target != file => Some(target),
            _ => None,
        })
        .collect();
    files
        .into_iter()
        .find_map(|target| look(index, target, name, looks))
}

/// Returns where code without a path most likely belongs: the folder in which most of its imports
/// lead to files.
fn likely_path(index: &Index, facts: &Facts, code: &Code) -> String {
    let family = code.parsed.language.spec().family;
    let extension = code
        .parsed
        .language
        .spec()
        .extensions
        .first()
        .unwrap_or(&"txt");
    let in_folder = |folder: &str| match folder.is_empty() {
        true => format!("unfinished.{extension}"),
        false => format!("{folder}/unfinished.{extension}"),
    };
    let tried = code.parsed.imports.iter().take(MAX_TRIED);
    let tried: Vec<&Import> = tried.collect();
    if tried.is_empty() {
        return in_folder("");
    }
    let files = index.repo.files.iter().zip(index.parsed.iter());
    let of_family = files.filter(|(_, parsed)| parsed.language.spec().family == family);
    let mut folders: Vec<&str> = of_family.map(|(file, _)| folder(&file.path)).collect();
    folders.sort_by_key(|it| (it.matches('/').count(), *it));
    folders.dedup();
    folders.truncate(MAX_FOLDERS);
    let mut best = (0, String::new());
    for folder in std::iter::once("").chain(folders) {
        let path = in_folder(folder);
        let lead = tried.iter().filter(|import| {
            let found = follow_as(index, facts, code, &path, import);
            found.iter().any(|it| matches!(it.place, Place::File(_)))
        });
        let n = lead.count();
        if n > best.0 || best.1.is_empty() {
            best = (n, path);
        }
        if best.0 == tried.len() {
            break;
        }
    }
    best.1
}
