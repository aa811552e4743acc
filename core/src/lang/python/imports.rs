//! Python: packages and modules as the import system finds them, without running anything (language
//! reference, section 5: a package folder takes precedence over a module with the same name, a name
//! in the package over a submodule, and absolute imports start at a root of the search path).

use super::FAMILY;
use crate::hash::FastMap;
use crate::lang::resolve::World;
use crate::lang::resolve::names::{ancestors, file_name, folder, shared_folders};
use crate::lang::resolve::{Binds, Found, Place, each_name, is_module_alias, named};
use crate::lang::{Import, Parsed};
use crate::lang::{Language, Role};
use crate::source::{FileId, Repo};

/// Folders that conventionally hold packages; searched for packages without `__init__.py`.
const SOURCE_FOLDERS: [&str; 3] = ["src", "lib", "python"];

/// Where top-level names are found.
#[derive(Default)]
pub(super) struct Roots {
    by_name: FastMap<String, Vec<Root>>,
}

struct Root {
    /// The folder that would be on the search path.
    folder: String,
    is_package: bool,
}

impl Roots {
    pub fn new(repo: &Repo, parsed: &[Parsed]) -> Self {
        let mut roots = Self::default();
        for (file, parsed) in repo.files.iter().zip(parsed) {
            if parsed.language != Language::Python {
                continue;
            }
            let of = folder(&file.path);
            let name = file_name(&file.path);
            let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
            let is_package = stem == "__init__";
            let (top, root) = if is_package {
                (file_name(of), folder(of))
            } else {
                (stem, of)
            };
            let is_inside = !root.is_empty() && is_package_folder(repo, root);
            if top.is_empty() || is_inside || (!is_package && is_package_folder(repo, of)) {
                continue;
            }
            let root = Root {
                folder: root.to_owned(),
                is_package,
            };
            roots.by_name.entry(top.to_owned()).or_default().push(root);
        }
        roots
    }
}

fn roots(world: World<'_>) -> Option<&Roots> {
    world.facts_of(&FAMILY)
}

fn is_package_folder(repo: &Repo, folder: &str) -> bool {
    repo.find(&below(folder, "__init__.py")).is_some()
}

fn below(folder: &str, path: &str) -> String {
    match (folder.is_empty(), path.is_empty()) {
        (true, _) => path.to_owned(),
        (_, true) => folder.to_owned(),
        _ => format!("{folder}/{path}"),
    }
}

pub(super) fn resolve(world: World<'_>, from: FileId, import: &Import) -> Vec<Found> {
    let written: String = import.module.split_whitespace().collect();
    let dots = written.chars().take_while(|c| *c == '.').count();
    let rest = written.get(dots..).unwrap_or_default();
    let module = if dots > 0 {
        relative(world, from, dots, rest)
    } else {
        absolute(world, from, rest)
    };
    let Some(module) = module else {
        let place = if dots > 0 || is_own(world, rest) {
            Place::Missing
        } else {
            Place::Library(rest.split('.').next().unwrap_or(rest).to_owned())
        };
        return each_name(import, &place, Binds::Path);
    };
    if import.names.is_empty() {
        let place = module.file.map_or(Place::Missing, Place::File);
        return vec![Found::new(None, place, Binds::Path)];
    }
    named(import)
        .map(|(at, name)| {
            let own = module.file.map_or(Place::Missing, Place::File);
            if is_module_alias(name) {
                return Found::new(at, own, Binds::Module);
            }
            if name.name == "*" {
                return Found::new(at, own, Binds::All);
            }
            let submodule = submodule(world, &module, &name.name);
            match submodule.filter(|_| !defines(world, &module, &name.name)) {
                Some(file) => Found::new(at, Place::File(file), Binds::Module),
                None => Found::new(at, own, Binds::Name),
            }
        })
        .collect()
}

/// A module or package. A package without `__init__.py` has no file.
struct Module {
    file: Option<FileId>,
    /// The folder of its submodules, if it is a package.
    folder: Option<String>,
}

/// Finds the module at a path without extension.
fn module_at(world: World<'_>, path: &str) -> Option<Module> {
    for init in ["__init__.py", "__init__.pyi"] {
        if let Some(file) = world.find(&below(path, init)) {
            return Some(Module {
                file: Some(file),
                folder: Some(path.to_owned()),
            });
        }
    }
    for extension in ["py", "pyi", "pyx"] {
        if let Some(file) = world.find(&format!("{path}.{extension}")) {
            return Some(Module {
                file: Some(file),
                folder: None,
            });
        }
    }
    None
}

/// Also finds a package without `__init__.py`: a folder with Python files.
fn module_or_namespace(world: World<'_>, path: &str) -> Option<Module> {
    module_at(world, path).or_else(|| {
        let files = world.facts.folders.get(path)?;
        let is_python = |file: &FileId| {
            world
                .parsed(*file)
                .is_some_and(|parsed| parsed.language == Language::Python)
        };
        files.iter().any(is_python).then(|| Module {
            file: None,
            folder: Some(path.to_owned()),
        })
    })
}

fn relative(world: World<'_>, from: FileId, dots: usize, rest: &str) -> Option<Module> {
    let mut base = folder(world.path(from));
    for _ in 1..dots {
        if base.is_empty() {
            return None;
        }
        base = folder(base);
    }
    module_or_namespace(world, &below(base, &rest.replace('.', "/")))
}

fn absolute(world: World<'_>, from: FileId, module: &str) -> Option<Module> {
    let top = module.split('.').next().unwrap_or(module);
    let own = folder(world.path(from));
    let path = module.replace('.', "/");
    let is_above = |root: &Root| {
        root.folder.is_empty()
            || own
                .strip_prefix(root.folder.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let known = roots(world).and_then(|roots| roots.by_name.get(top));
    let mut roots: Vec<&Root> = known
        .into_iter()
        .flatten()
        // A script's folder is on the path of that script only; packages can be installed.
        .filter(|root| is_above(root) || (root.is_package && !is_for_tests(&root.folder, top)))
        .collect();
    roots.sort_by_key(|root| {
        let shared = shared_folders(&root.folder, own);
        (!is_above(root), !root.is_package, std::cmp::Reverse(shared))
    });
    for root in roots {
        if let Some(found) = module_at(world, &below(&root.folder, &path)) {
            return Some(found);
        }
    }
    if !module.contains('.') {
        return None;
    }
    let above = ancestors(own).filter(|folder| !is_package_folder(world.repo, folder));
    let found = above
        .chain(SOURCE_FOLDERS)
        .find_map(|root| module_or_namespace(world, &below(root, &path)));
    found.filter(|found| found.file.is_some() || known.is_some())
}

fn is_for_tests(root: &str, top: &str) -> bool {
    Role::of(&below(root, &format!("{top}/module.py"))) != Role::Source
}

/// Whether the repository contains the package, so that a missing module in it is not a library.
fn is_own(world: World<'_>, module: &str) -> bool {
    let top = module.split('.').next().unwrap_or(module);
    let roots = roots(world).and_then(|roots| roots.by_name.get(top));
    module.contains('.')
        && roots.is_some_and(|roots| {
            let is_own = |root: &Root| root.is_package && !is_for_tests(&root.folder, top);
            roots.iter().any(is_own)
        })
}

fn submodule(world: World<'_>, module: &Module, name: &str) -> Option<FileId> {
    module_at(world, &below(module.folder.as_deref()?, name))?.file
}

/// Whether a package's own file binds `name` to something other than its submodule.
fn defines(world: World<'_>, module: &Module, name: &str) -> bool {
    let Some((file, parsed)) = module
        .file
        .and_then(|file| Some((file, world.parsed(file)?)))
    else {
        return false;
    };
    if world.facts.names.top(world.parsed, file, name).is_some() {
        return true;
    }
    parsed.imports.iter().any(|import| {
        let is_of_package = import.module.chars().all(|c| c == '.')
            || module.folder.as_deref().is_some_and(|folder| {
                let dotted = folder.replace('/', ".");
                dotted == import.module || dotted.ends_with(&format!(".{}", import.module))
            });
        !is_of_package
            && import.names.iter().any(|imported| {
                imported.alias.as_deref().unwrap_or(&imported.name) == name && imported.name != "*"
            })
    })
}
