//! Who inherits from whom: what declarations name as their bases, and implementations written apart
//! from their types (`impl Trait for Type`), level by level in both directions.

use std::collections::{BTreeSet, HashMap};

use super::implementations::{implementors, traits};
use super::listing::parsed;
use super::teller::Teller;
use crate::answer::notes::{Entry, Source};
use crate::index::graph::Target;
use crate::lang::{Base, Language, Role, Symbol, SymbolId, SymbolKind};
use crate::lines::LineRange;
use crate::source::FileId;

/// Maximum number of classes of one family that are followed.
const MAX_CLASSES: usize = 3_000;

/// A class that inherits from another, or a class that another inherits from.
#[derive(Clone, Debug)]
pub(super) struct Kin {
    /// `None` if the repository does not define it.
    pub id: Option<SymbolId>,
    /// The declaration that says so, as an entry.
    pub entry: Entry,
    /// The class between the two if the relation is indirect.
    pub through: Option<String>,
    /// The lines of the implementation if it is written apart.
    pub lines: Option<LineRange>,
}

impl Kin {
    /// Whether the base is a trait that an `impl` or a `derive` names.
    pub(crate) fn is_implemented(&self) -> bool {
        self.lines.is_some() || self.entry.detail == "derived"
    }
}

/// A class of the repository, or an outside one by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    Own(SymbolId),
    Outside(String),
}

/// Returns the last part of a dotted name: `Debug` of `fmt.Debug`.
pub(super) fn last(name: &str) -> &str {
    let name = name.split('<').next().unwrap_or(name).trim();
    name.rsplit(['.', ':', '\\']).next().unwrap_or(name)
}

/// Returns everything that inherits from a class, direct ones first, each level ordered by file and
/// line.
pub(super) fn descendants(teller: &Teller<'_, '_>, of: &Class) -> Vec<Kin> {
    let names = Names::new(teller);
    walk(of, &|class| children(teller, &names, class))
}

/// Returns everything that a class inherits from, direct ones first.
pub(super) fn ancestors(teller: &Teller<'_, '_>, of: SymbolId) -> Vec<Kin> {
    let names = Names::new(teller);
    walk(&Class::Own(of), &|class| parents(teller, &names, class))
}

/// Returns the shortest line of steps from a class to an ancestor that is wanted, empty if there is
/// none, and all ancestors.
pub(super) fn chain(
    teller: &Teller<'_, '_>,
    from: SymbolId,
    is_wanted: &dyn Fn(&Kin) -> bool,
) -> (Vec<Kin>, Vec<Kin>) {
    let names = Names::new(teller);
    let all = walk(&Class::Own(from), &|class| parents(teller, &names, class));
    let mut lines: Vec<(SymbolId, Vec<Kin>)> = vec![(from, Vec::new())];
    let mut known = BTreeSet::from([from]);
    let mut at = 0;
    while let Some((class, line)) = lines.get(at).cloned() {
        for kin in parents(teller, &names, &Class::Own(class)) {
            let line: Vec<Kin> = line.iter().cloned().chain([kin.clone()]).collect();
            if is_wanted(&kin) {
                return (line, all);
            }
            if let Some(id) = kin.id.filter(|id| known.insert(*id)) {
                lines.push((id, line));
            }
        }
        at += 1;
    }
    (Vec::new(), all)
}

/// Whether a declaration names a base of this name, and it is not known which class it means.
pub(super) fn may_have_children(teller: &Teller<'_, '_>, class: SymbolId) -> bool {
    let names = Names::new(teller);
    let name = name_of(teller, &Class::Own(class));
    let imports_it = |file: FileId| {
        let links = teller.index.graph.imports(file).iter();
        links
            .into_iter()
            .any(|link| link.target == Target::File(class.file))
    };
    let mut all = names.bases.iter();
    all.any(|(of_name, bases)| {
        let mut bases = bases.iter().filter(|(child, _)| *child != class);
        bases.any(|(child, base)| {
            // `import Base from './base'` gives it another name.
            (*of_name == name || imports_it(child.file))
                && !is_resolved(teller, *child, base)
                && !is_of_library(teller, child.file, &base.name)
        })
    })
}

/// Whether the graph knows the class that a base means.
fn is_resolved(teller: &Teller<'_, '_>, child: SymbolId, base: &Base) -> bool {
    let mut told = teller.index.graph.bases(child).into_iter();
    told.any(|(id, line)| {
        let named = teller.index.symbol(id);
        line == base.line && named.is_some_and(|symbol| symbol.name == last(&base.name))
    })
}

/// The classes of the repository by name, and the bases that declarations name.
pub(super) struct Names<'i> {
    classes: HashMap<&'i str, Vec<SymbolId>>,
    bases: HashMap<&'i str, Vec<(SymbolId, &'i Base)>>,
}

impl<'i> Names<'i> {
    fn new(teller: &Teller<'_, 'i>) -> Self {
        let mut names = Self {
            classes: HashMap::new(),
            bases: HashMap::new(),
        };
        for (file, parsed) in (0..).map(FileId).zip(teller.index.parsed.iter()) {
            for (id, symbol) in teller
                .defined_in(file)
                .filter(|(_, symbol)| is_class(symbol))
            {
                names.classes.entry(&symbol.name).or_default().push(id);
            }
            for base in &parsed.bases {
                let of_name = names.bases.entry(last(&base.name)).or_default();
                of_name.push((
                    SymbolId {
                        file,
                        at: base.symbol,
                    },
                    base,
                ));
            }
        }
        names
    }

    pub(crate) fn of(&self, name: &str) -> &[SymbolId] {
        self.classes.get(name).map_or(&[], Vec::as_slice)
    }
}

fn walk(of: &Class, step: &dyn Fn(&Class) -> Vec<Kin>) -> Vec<Kin> {
    let mut known = BTreeSet::from([of.clone()]);
    let mut found: Vec<Kin> = Vec::new();
    let mut level = vec![(of.clone(), None::<String>)];
    while !level.is_empty() && found.len() < MAX_CLASSES {
        let mut next = Vec::new();
        for (class, through) in &level {
            for mut kin in step(class) {
                let key = match kin.id {
                    Some(id) => Class::Own(id),
                    None => Class::Outside(kin.entry.name.clone()),
                };
                if !known.insert(key.clone()) {
                    continue;
                }
                kin.through.clone_from(through);
                next.push((
                    key,
                    Some(through.clone().unwrap_or_else(|| kin.entry.name.clone())),
                ));
                found.push(kin);
            }
        }
        level = next;
    }
    found
}

/// Returns a class's name as its declaration has it.
fn name_of(teller: &Teller<'_, '_>, class: &Class) -> String {
    match class {
        Class::Own(id) => teller
            .index
            .symbol(*id)
            .map_or(String::new(), |symbol| symbol.name.clone()),
        Class::Outside(name) => last(name).to_owned(),
    }
}

/// Whether a definition can have bases: modules and associated types of a trait cannot.
pub(super) fn is_class(symbol: &Symbol) -> bool {
    match symbol.kind {
        SymbolKind::Module => false,
        SymbolKind::Type => !symbol.qualified.contains('.'),
        kind => kind.is_container(),
    }
}

/// Returns the definitions that name the class as their base.
fn children(teller: &Teller<'_, '_>, names: &Names<'_>, class: &Class) -> Vec<Kin> {
    let name = name_of(teller, class);
    let same = names.of(&name);
    let mut found = Vec::new();
    if let Class::Own(id) = class {
        // Includes those that an import renamed.
        for (child, line) in teller.index.graph.subclasses(*id) {
            let bases =
                parsed(teller, child.file).map_or(&[][..], |parsed| parsed.bases_of(child.at));
            let base = bases.iter().find(|base| base.line == line);
            found.extend(base.and_then(|base| kin_of_base(teller, child, base)));
        }
    }
    for (child, base) in names.bases.get(name.as_str()).into_iter().flatten() {
        if is_by_name(teller, class, *child, base, same) {
            found.extend(kin_of_base(teller, *child, base));
        }
    }
    if same.len() < 2 {
        let files = (0..).map(FileId).zip(teller.index.parsed.iter());
        let rust = files.filter(|(_, parsed)| parsed.language == Language::Rust);
        found.extend(rust.flat_map(|(file, _)| implementors(teller, names, file, &name)));
    }
    found.sort_by_key(|kin| {
        let source = &kin.entry.source;
        let is_source = Role::of(teller.path(source.file)) == Role::Source;
        (!is_source, source.file, source.lines.start())
    });
    found
}

/// Whether a base that the graph does not resolve is the class, because nothing else has its name.
fn is_by_name(
    teller: &Teller<'_, '_>,
    class: &Class,
    child: SymbolId,
    base: &Base,
    same: &[SymbolId],
) -> bool {
    !is_resolved(teller, child, base)
        && match class {
            Class::Own(id) => {
                same == [*id] && child != *id && !is_of_library(teller, child.file, &base.name)
            }
            Class::Outside(_) => same.is_empty() || is_of_library(teller, child.file, &base.name),
        }
}

/// Whether a file imports the name, or its first part, from a library.
fn is_of_library(teller: &Teller<'_, '_>, file: FileId, name: &str) -> bool {
    let first = name.split(['.', ':']).next().unwrap_or(name);
    let links = teller.index.graph.imports(file).iter();
    let mut outside = links.filter(|link| matches!(link.target, Target::Library(_)));
    outside.any(|link| {
        let import =
            parsed(teller, file).and_then(|parsed| parsed.imports.get(link.import as usize));
        let named = import.and_then(|import| import.names.get(link.name? as usize));
        match (named, import) {
            (Some(named), _) => named.alias.as_deref().unwrap_or(&named.name) == first,
            (None, Some(import)) => last(&import.module) == first,
            (None, None) => false,
        }
    })
}

fn kin_of_base(teller: &Teller<'_, '_>, child: SymbolId, base: &Base) -> Option<Kin> {
    let symbol = teller.index.symbol(child)?;
    let (first, end) = (
        symbol.name_line.min(base.line),
        symbol.name_line.max(base.line),
    );
    Some(Kin {
        id: Some(child),
        entry: Entry {
            name: symbol.qualified.clone(),
            detail: String::new(),
            source: Source {
                file: child.file,
                lines: LineRange::new(first, end),
                quotes: vec![symbol.name.clone(), last(&base.name).to_owned()],
                why: "base".to_owned(),
            },
        },
        through: None,
        lines: None,
    })
}

/// Returns what a class names as its bases, and the traits implemented for it.
fn parents(teller: &Teller<'_, '_>, names: &Names<'_>, class: &Class) -> Vec<Kin> {
    let Class::Own(id) = class else {
        return Vec::new();
    };
    let Some((parsed, symbol)) = parsed(teller, id.file).zip(teller.index.symbol(*id)) else {
        return Vec::new();
    };
    let told = teller.index.graph.bases(*id);
    let mut found: Vec<Kin> = Vec::new();
    for base in parsed.bases_of(id.at) {
        let known = told.iter().find(|(known, line)| {
            let named = teller.index.symbol(*known);
            *line == base.line && named.is_some_and(|symbol| symbol.name == last(&base.name))
        });
        let Some(mut kin) = kin_of_base(teller, *id, base) else {
            continue;
        };
        kin.id = match (known, names.of(last(&base.name))) {
            (Some((known, _)), _) => Some(*known),
            (None, [only]) if only != id && !is_of_library(teller, id.file, &base.name) => {
                Some(*only)
            }
            _ => None,
        };
        kin.entry.name = match kin.id.and_then(|id| teller.index.symbol(id)) {
            Some(known) => known.qualified.clone(),
            None => base.name.clone(),
        };
        found.push(kin);
    }
    if parsed.language == Language::Rust {
        found.extend(traits(teller, names, *id, &symbol.name));
    }
    found
}
