//! JavaScript and TypeScript: relative paths with added extensions and index files, `paths` and
//! `baseUrl` of tsconfig, and packages that the repository itself contains (Node.js documentation,
//! "Modules: Packages"; TypeScript handbook, "Modules – Reference").

use serde_json::Value;

use super::FAMILY;
use crate::hash::FastMap;
use crate::lang::Import;
use crate::lang::resolve::World;
use crate::lang::resolve::names::{ancestors, file_name, folder, join};
use crate::lang::resolve::{Binds, Found, Place, named};
use crate::source::{FileId, Repo};

/// Extensions to add to a path, in TypeScript's order, then those that only bundlers know.
const EXTENSIONS: [&str; 12] = [
    "ts", "tsx", "d.ts", "js", "jsx", "mts", "cts", "mjs", "cjs", "json", "vue", "svelte",
];

/// Folders of built files, which have sources elsewhere.
const BUILT: [&str; 8] = ["dist", "lib", "build", "out", "esm", "cjs", "types", "es"];

/// Maximum number of `extends` of a tsconfig that are followed.
const MAX_EXTENDS: usize = 8;

/// The contents of tsconfig and package files.
#[derive(Default)]
pub(super) struct Projects {
    /// By folder.
    configs: FastMap<String, Config>,
    /// Packages of the repository, by name.
    packages: FastMap<String, Package>,
}

#[derive(Clone, Default)]
struct Config {
    base: Option<String>,
    /// Pattern and replacements, relative to the repository.
    paths: Vec<(String, Vec<String>)>,
}

struct Package {
    folder: String,
    /// Subpath (`.`, `./sub`) and the files it may lead to, as written.
    entries: Vec<(String, Vec<String>)>,
}

impl Projects {
    pub fn new(repo: &Repo) -> Self {
        let mut projects = Self::default();
        for file in &repo.files {
            let name = file_name(&file.path);
            let is_config = name.ends_with(".json")
                && (name.starts_with("tsconfig") || name.starts_with("jsconfig"));
            if is_config {
                let config = config(repo, &file.path, 0);
                let known = projects
                    .configs
                    .entry(folder(&file.path).to_owned())
                    .or_default();
                // `tsconfig.json` may only refer to a `tsconfig.app.json` beside it.
                known.base = known.base.take().or(config.base);
                known.paths.extend(config.paths);
            } else if name == "package.json"
                && let Ok(Value::Object(package)) = serde_json::from_str(&file.text)
                && let Some(Value::String(name)) = package.get("name")
            {
                let package = Package {
                    folder: folder(&file.path).to_owned(),
                    entries: entries(&package),
                };
                projects.packages.entry(name.clone()).or_insert(package);
            }
        }
        projects
            .configs
            .retain(|_, config| config.base.is_some() || !config.paths.is_empty());
        projects
    }
}

/// Reads `baseUrl` and `paths` of a tsconfig, including what it extends.
fn config(repo: &Repo, path: &str, depth: usize) -> Config {
    let text = repo
        .find(path)
        .and_then(|file| repo.file(file))
        .map(|file| file.text.as_str());
    let value = text.and_then(|text| serde_json::from_str::<Value>(&plain_json(text)).ok());
    let (Some(value), own) = (value, folder(path)) else {
        return Config::default();
    };
    let parents: Vec<&str> = match value.get("extends") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let mut config_ = Config::default();
    for parent in parents.into_iter().filter(|_| depth < MAX_EXTENDS) {
        let below = |name: &str| join(own, name).map(|path| config(repo, &path, depth + 1));
        let name = parent.trim_end_matches(".json");
        if parent.starts_with('.')
            && let Some(inherited) = below(&format!("{name}.json"))
        {
            config_ = inherited;
        }
    }
    let options = value.get("compilerOptions");
    let base = options
        .and_then(|options| options.get("baseUrl"))
        .and_then(Value::as_str);
    if let Some(base) = base {
        config_.base = join(own, base);
    }
    if let Some(Value::Object(paths)) = options.and_then(|options| options.get("paths")) {
        let root = config_.base.clone().unwrap_or_else(|| own.to_owned());
        let replacements = |value: &Value| {
            let listed = value
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str);
            listed.filter_map(|path| join(&root, path)).collect()
        };
        let paths = paths
            .iter()
            .map(|(pattern, value)| (pattern.clone(), replacements(value)));
        config_.paths = paths.collect();
    }
    config_
}

/// Removes comments and trailing commas from JSON, which tsconfig files may contain.
fn plain_json(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut is_string = false;
    while let Some(c) = chars.next() {
        match (is_string, c, chars.peek()) {
            (true, '\\', _) => {
                out.push(c);
                out.extend(chars.next());
                continue;
            }
            (_, '"', _) => is_string = !is_string,
            (false, '/', Some('/')) => {
                while chars.peek().is_some_and(|c| *c != '\n') {
                    chars.next();
                }
                continue;
            }
            (false, '/', Some('*')) => {
                let mut last = ' ';
                for c in chars.by_ref().skip(1) {
                    if last == '*' && c == '/' {
                        break;
                    }
                    last = c;
                }
                continue;
            }
            (false, '}' | ']', _) => {
                let kept = out.trim_end().trim_end_matches(',').len();
                out.truncate(kept);
            }
            _ => {}
        }
        out.push(c);
    }
    out
}

/// Returns the entry points of a package: `exports`, else `source`, `types`, `module`, `main`.
fn entries(package: &serde_json::Map<String, Value>) -> Vec<(String, Vec<String>)> {
    let mut entries = Vec::new();
    match package.get("exports") {
        Some(Value::Object(exports)) if exports.keys().any(|key| key.starts_with('.')) => {
            for (key, value) in exports {
                entries.push((key.clone(), strings(value)));
            }
        }
        Some(value) => entries.push((".".to_owned(), strings(value))),
        None => {}
    }
    let fields = ["source", "types", "typings", "module", "main", "browser"];
    let plain = fields
        .iter()
        .filter_map(|field| package.get(*field)?.as_str());
    entries.push((".".to_owned(), plain.map(str::to_owned).collect()));
    entries
}

/// Returns all strings in a tree of conditions, in order. The tree is at most as deep as the JSON
/// parser allows.
fn strings(value: &Value) -> Vec<String> {
    match value {
        Value::String(one) => vec![one.clone()],
        Value::Array(several) => several.iter().flat_map(strings).collect(),
        Value::Object(conditions) => conditions.values().flat_map(strings).collect(),
        _ => Vec::new(),
    }
}

pub(super) fn resolve(world: World<'_>, from: FileId, import: &Import) -> Vec<Found> {
    let place = place(world, from, &import.module);
    if import.names.is_empty() {
        return vec![Found::new(None, place, Binds::Path)];
    }
    named(import)
        .map(|(at, name)| {
            let binds = match (name.name.as_str(), &name.alias) {
                ("*", Some(_)) => Binds::Module,
                ("*", None) => Binds::All,
                _ => Binds::Name,
            };
            Found::new(at, place.clone(), binds)
        })
        .collect()
}

fn place(world: World<'_>, from: FileId, written: &str) -> Place {
    // A bundler's suffix is not part of the path.
    let module = written.split(['?', '!']).next().unwrap_or(written);
    let own = folder(world.path(from));
    if module.starts_with('.') {
        let file = join(own, module).and_then(|path| file_at(world, &path));
        return file.map_or(Place::Missing, Place::File);
    }
    let projects = world.facts_of::<Projects>(&FAMILY);
    let configs = projects.map(|projects| &projects.configs);
    let by_config =
        configs.and_then(|configs| ancestors(own).find_map(|folder| configs.get(folder)));
    if let Some(file) = by_config.and_then(|config| mapped(world, config, module)) {
        return Place::File(file);
    }
    let name = package_name(module);
    if let Some(package) = projects.and_then(|projects| projects.packages.get(name)) {
        let rest = module.get(name.len()..).unwrap_or_default();
        if let Some(file) = in_package(world, package, rest.trim_start_matches('/')) {
            return Place::File(file);
        }
    }
    Place::Library(name.trim_start_matches("node:").to_owned())
}

/// Returns `@scope/name` or `name` of a path that begins with it.
fn package_name(module: &str) -> &str {
    let parts = if module.starts_with('@') { 2 } else { 1 };
    let end = module
        .match_indices('/')
        .nth(parts - 1)
        .map_or(module.len(), |(at, _)| at);
    module.get(..end).unwrap_or(module)
}

/// Finds the file for a module path: the path itself, with an extension, or as a folder.
fn file_at(world: World<'_>, path: &str) -> Option<FileId> {
    let with_extension = |path: &str| {
        EXTENSIONS
            .iter()
            .find_map(|extension| world.find(&format!("{path}.{extension}")))
    };
    // `./a.js` names the compiled form of `a.ts`.
    let source = |extension: &str, sources: &[&str]| {
        let stem = path.strip_suffix(extension)?;
        sources
            .iter()
            .find_map(|source| world.find(&format!("{stem}.{source}")))
    };
    let is_file = !path.is_empty() && path.contains('.');
    is_file
        .then(|| {
            source(".js", &["ts", "tsx", "d.ts"])
                .or_else(|| source(".jsx", &["tsx", "d.ts"]))
                .or_else(|| source(".mjs", &["mts", "d.mts"]))
                .or_else(|| source(".cjs", &["cts", "d.cts"]))
                .or_else(|| world.find(path))
        })
        .flatten()
        .or_else(|| (!path.is_empty()).then(|| with_extension(path)).flatten())
        .or_else(|| {
            let manifest = join(path, "package.json").and_then(|path| world.find(&path))?;
            let value = serde_json::from_str::<Value>(world.text(manifest)).ok()?;
            let main = value.get("types").or_else(|| value.get("main"))?.as_str()?;
            let main = join(path, main)?;
            world.find(&main).or_else(|| with_extension(&main))
        })
        .or_else(|| join(path, "index").and_then(|index| with_extension(&index)))
}

/// Maps a module by the longest matching pattern of `paths`, then by `baseUrl`.
fn mapped(world: World<'_>, config: &Config, module: &str) -> Option<FileId> {
    let mut best: Option<(usize, &str, &[String])> = None;
    for (pattern, replacements) in &config.paths {
        let (prefix, suffix) = pattern.split_once('*').unwrap_or((pattern, ""));
        let is_exact = !pattern.contains('*');
        let middle = module
            .strip_prefix(prefix)
            .and_then(|rest| rest.strip_suffix(suffix));
        if let Some(middle) = middle.filter(|middle| !is_exact || middle.is_empty()) {
            let length = if is_exact { usize::MAX } else { prefix.len() };
            if best.is_none_or(|(known, ..)| known < length) {
                best = Some((length, middle, replacements));
            }
        }
    }
    if let Some((_, middle, replacements)) = best {
        let paths = replacements
            .iter()
            .map(|path| path.replacen('*', middle, 1));
        if let Some(file) = paths.into_iter().find_map(|path| file_at(world, &path)) {
            return Some(file);
        }
    }
    file_at(world, &join(config.base.as_deref()?, module)?)
}

fn in_package(world: World<'_>, package: &Package, rest: &str) -> Option<FileId> {
    let key = if rest.is_empty() {
        ".".to_owned()
    } else {
        format!("./{rest}")
    };
    let listed = package.entries.iter().filter(|(known, _)| *known == key);
    let listed = listed.flat_map(|(_, paths)| paths);
    let entry = listed.filter_map(|path| join(&package.folder, path));
    let below = |path: &str| join(&package.folder, path);
    let usual = if rest.is_empty() {
        vec![below("src/index"), below("src/main"), below("index")]
    } else {
        vec![below(rest), below(&format!("src/{rest}"))]
    };
    let candidates: Vec<String> = entry.chain(usual.into_iter().flatten()).collect();
    candidates.iter().find_map(|path| {
        let inner = path
            .strip_prefix(package.folder.as_str())?
            .trim_start_matches('/');
        world
            .find(path)
            .or_else(|| source_of(world, &package.folder, inner))
            .or_else(|| file_at(world, path))
    })
}

/// Returns the source of a built file: `dist/a.js` is built from `src/a.ts`.
fn source_of(world: World<'_>, package: &str, inner: &str) -> Option<FileId> {
    let (first, rest) = inner.split_once('/')?;
    let rest = BUILT.contains(&first).then_some(rest)?;
    let stem = rest.split_once('.').map_or(rest, |(stem, _)| stem);
    file_at(world, &join(package, &format!("src/{stem}"))?)
}
