//! The imports of a file, as a table made by code (RepoQA-SA, section 3.2 and appendix A).

use crate::index::graph::{ImportKind, ImportLink, Target, Thing};
use crate::lab::questions::libraries::{by_language, libraries};
use crate::lab::questions::written::desk::Desk;
use crate::lines::LineRange;
use crate::random::Random;
use crate::source::FileId;

/// Most lines between two imports that are shown with them.
const MAX_GAP: u32 = 3;

/// Most rows of a table.
const MAX_ROWS: usize = 60;

/// One chunk for each file with imports. For every second one, the model has to ask about a library
/// that the file does not import, if other files of its language import one: the answer is no.
pub(super) fn chunks(
    desk: &Desk,
    random: &mut Random,
) -> Vec<(FileId, Vec<LineRange>, Option<String>)> {
    let world = desk.world();
    let all = by_language(&world);
    let mut chunks = Vec::new();
    for file in &desk.sources {
        let lines = lines(desk.index.graph.imports(*file));
        if lines.is_empty() {
            continue;
        }
        let language = desk.index.file(*file).map(|(_, parsed)| parsed.language);
        let known = language.and_then(|language| all.get(&language));
        let known = known.filter(|_| random.below(2) == 0);
        let absent = known.and_then(|known| {
            let own = libraries(&world, *file);
            // The first library that it lacks, from a random position: there may be thousands.
            let first = random.below(known.len());
            let mut others = known.iter().cycle().skip(first).take(known.len());
            let other = others.find(|it| !own.contains_key(**it));
            other.map(|it| (*it).to_owned())
        });
        chunks.push((*file, lines, absent));
    }
    chunks
}

/// The lines of all imports; neighbouring ones are joined.
fn lines(links: &[ImportLink]) -> Vec<LineRange> {
    let mut all: Vec<LineRange> = links.iter().map(|link| link.lines).collect();
    all.sort_unstable();
    let mut joined: Vec<LineRange> = Vec::new();
    for lines in all {
        match joined.last_mut() {
            Some(last) if lines.start().0 <= last.end().0 + MAX_GAP => {
                *last = LineRange::new(last.start(), last.end().max(lines.end()));
            }
            _ => joined.push(lines),
        }
    }
    joined
}

/// The table: lines, kind of import, source, what is imported.
pub(super) fn table(desk: &Desk, file: FileId) -> String {
    let links = desk.index.graph.imports(file).iter().take(MAX_ROWS);
    let rows: Vec<String> = links.map(|link| row(desk, link)).collect();
    format!(
        "lines | category | from | imported | kind\n{}",
        rows.join("\n")
    )
}

fn row(desk: &Desk, link: &ImportLink) -> String {
    let category = match link.kind {
        ImportKind::Library => "library import",
        ImportKind::FromLibrary => "import from a library",
        ImportKind::File => "file import",
        ImportKind::FromFile => "import from a file",
    };
    let from = match link.target {
        Target::File(file) => desk.path(file),
        Target::Library(library) => desk.index.graph.library(library),
        Target::Missing => "a file that is not there",
    };
    let thing = match link.thing {
        Some(Thing::Class) => "class",
        Some(Thing::Function) => "function",
        Some(Thing::Assignment) => "variable",
        Some(Thing::Module) => "module",
        None => "unknown",
    };
    let name = name(desk, link).unwrap_or("all of it");
    format!("{} | {category} | {from} | {name} | {thing}", link.lines)
}

fn name<'d>(desk: &'d Desk, link: &ImportLink) -> Option<&'d str> {
    let (_, parsed) = desk.index.file(link.file)?;
    let import = parsed.imports.get(link.import as usize)?;
    let name = import.names.get(link.name? as usize)?;
    (name.name != "*").then_some(name.name.as_str())
}
