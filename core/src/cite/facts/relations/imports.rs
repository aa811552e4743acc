//! A file imports a module, or a name of one.

use super::{Part, Relation, each};
use crate::cite::facts::grammar::{Fact, Thing};
use crate::cite::facts::names::parts;
use crate::cite::facts::scene::Scene;
use crate::cite::facts::token::Style;
use crate::cite::facts::{Proof, Truth};
use crate::lang::Import;
use crate::lines::LineRange;
use crate::source::FileId;

pub(crate) static IMPORTS: Relation = Relation {
    active: &[
        "imports",
        "import",
        "pulls in",
        "requires the module",
        "requires the modules",
    ],
    passive: &[
        "imported by",
        "imported into",
        "imported in",
        "pulled in by",
    ],
    reads: &[Part::NoneOfThem, Part::Place, Part::Owner, Part::Path],
    holds,
};

/// `x` is imported from `m` by `f`: stated with the module as the object.
pub(crate) static FROM: Relation = Relation {
    active: &[],
    passive: &["imported from"],
    reads: &[Part::Place, Part::Path],
    holds: holds_from,
};

fn holds_from(scene: &mut Scene<'_>, fact: &Fact) -> Truth {
    let files = match &fact.place {
        Some(place) => scene.files(place),
        None => scene.cited_files(),
    };
    let [file] = files.as_slice() else {
        return Truth::Unknown;
    };
    let file = *file;
    each(scene, fact, |scene, object| {
        imports(scene, file, object, Some(&fact.subject))
    })
}

/// Returns all imports of a file, the lines in which another would stand.
pub(super) fn all(scene: &Scene<'_>, thing: &Thing) -> Truth {
    let files = scene.files(thing);
    let [file] = files.as_slice() else {
        return Truth::Unknown;
    };
    let imports = scene
        .parsed(*file)
        .map_or(&[][..], |parsed| parsed.imports.as_slice());
    let (first, last) = (imports.first(), imports.last());
    let (Some(first), Some(last)) = (first, last) else {
        return Truth::Unknown;
    };
    Truth::Yes(vec![Proof {
        file: *file,
        lines: LineRange::new(first.lines.start(), last.lines.end()),
        what: "imports",
    }])
}

fn holds(scene: &mut Scene<'_>, fact: &Fact) -> Truth {
    let files = scene.files(&fact.subject);
    let [file] = files.as_slice() else {
        return Truth::Unknown;
    };
    let file = *file;
    let Some(parsed) = scene.parsed(file) else {
        return Truth::Unknown;
    };
    if fact.count == Some(0) {
        return match (parsed.imports.first(), scene.index.lines(file)) {
            (Some(import), _) => Truth::No(format!("It imports `{}`.", import.module)),
            (None, Some(lines)) => Truth::Yes(vec![Proof {
                file,
                lines: lines.all(),
                what: "absence",
            }]),
            (None, None) => Truth::Unknown,
        };
    }
    each(scene, fact, |scene, object| {
        imports(scene, file, object, fact.place.as_ref())
    })
}

fn imports(scene: &Scene<'_>, file: FileId, object: &Thing, from: Option<&Thing>) -> Truth {
    let (Some(term), Some(parsed)) = (&object.term, scene.parsed(file)) else {
        return Truth::Unknown;
    };
    let from = from.or(object.owner.as_deref());
    let is_from = |import: &Import| {
        from.and_then(|thing| thing.term.as_ref())
            .is_none_or(|term| is_module(&import.module, &term.text))
    };
    let name = parts(&term.text)
        .last()
        .copied()
        .unwrap_or_default()
        .to_owned();
    // `m.x`: the name must come from that module.
    let written = term.text.trim_end_matches("()");
    let module = written
        .strip_suffix(name.as_str())
        .map(|owner| owner.trim_end_matches(['.', ':']))
        .filter(|owner| !owner.is_empty());
    let is_one = |import: &&Import| {
        let is_of_module = module.is_none_or(|module| is_module(&import.module, module));
        let names = || {
            let mut names = import.names.iter();
            names.any(|known| known.name == name || known.alias.as_deref() == Some(&name))
        };
        is_from(import)
            && (is_of_module && names() || from.is_none() && is_module(&import.module, &term.text))
    };
    if let Some(import) = parsed.imports.iter().find(is_one) {
        return Truth::Yes(vec![Proof {
            file,
            lines: import.lines,
            what: "import",
        }]);
    }
    let is_named = parsed.imports.iter().any(|import| {
        import.module.contains(&name) || import.names.iter().any(|known| known.name == "*")
    });
    let is_plain = term.style != Style::Path && !name.is_empty() && from.is_none();
    match is_named || !is_plain || parsed.imports.is_empty() {
        true => Truth::Unknown,
        false => Truth::No(format!("None of its imports names `{name}`.")),
    }
}

/// Whether `written` is the module that a sentence names, by its full name or its last parts.
fn is_module(written: &str, named: &str) -> bool {
    let unified = |text: &str| {
        let text = text.trim_matches(['"', '\'', '`']).trim_start_matches("./");
        text.replace("::", "/").replace('.', "/").replace("//", "/")
    };
    let (written, named) = (unified(written), unified(named));
    written == named
        || !named.is_empty()
            && written
                .strip_suffix(named.as_str())
                .is_some_and(|before| before.ends_with('/'))
}
