//! Which library a name that a file imports comes from (RepoQA-SA, dependency questions).

use super::Kind;
use super::evidence::import_source;
use super::subject::Subject;
use super::teller::Teller;
use super::wording::Read;
use crate::answer::notes::{code, text};
use crate::index::graph::Target;

pub(super) const KIND: Kind = Kind {
    name: "belongs",
    wordings: &[
        "what|which LIBS does|do X belong to|in in|inside|within? Y",
        "what|which LIBS does|do X come from in|inside|within? Y",
        "where does|do X come from in|inside|within? Y",
        "from what|which LIBS is|are X imported in|by Y",
    ],
    state,
};

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let (name, _) = super::subject::bare(&read.x);
    let within = read.y.as_deref().unwrap_or_default();
    let Some(Subject::Files(files, _)) = teller.subject(within) else {
        return false;
    };
    let index = teller.index;
    let links = files.iter().flat_map(|file| index.graph.imports(*file));
    let mut found = links.filter(|link| {
        let parsed = index.parsed.get(link.file.0 as usize);
        let import = parsed.and_then(|parsed| parsed.imports.get(link.import as usize));
        let imported = import.and_then(|import| import.names.get(link.name? as usize));
        imported.is_some_and(|imported| {
            imported.name == name || imported.alias.as_deref() == Some(name.as_str())
        })
    });
    let Some(link) = found.next() else {
        return false;
    };
    let from = match link.target {
        Target::Library(library) => index.graph.library(library).to_owned(),
        Target::File(file) => teller.path(file).to_owned(),
        Target::Missing => return false,
    };
    let spans = vec![
        code(teller.path(link.file)),
        text(" imports "),
        code(name),
        text(" from "),
        code(from),
    ];
    teller.say(spans, &[import_source(index, link)])
}
