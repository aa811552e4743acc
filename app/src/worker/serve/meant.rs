//! The meaning of a name in the source pane, as the page shows it.

use footnote_core::answer::{self, Meant};
use footnote_core::index::Index;
use footnote_core::index::graph::SymbolId;
use footnote_core::lines::Line;
use footnote_core::source::FileId;

use crate::worker::protocol::{MeantPlaceView, MeantView};

/// Returns `None` if there is no such file.
pub fn of_name(index: &Index, path: &str, line: u32, name: &str) -> Option<MeantView> {
    let file = index.repo.find(path)?;
    let (places, library) = match answer::meant(index, file, Line(line), name) {
        Meant::Definitions(found) => {
            let places = found.into_iter().filter_map(|id| definition(index, id));
            (places.collect(), None)
        }
        Meant::File(file) => (module(index, file).into_iter().collect(), None),
        Meant::Library(id) => (Vec::new(), Some(index.graph.library(id).to_owned())),
        Meant::Unknown => (Vec::new(), None),
    };
    Some(MeantView {
        name: name.to_owned(),
        places,
        library,
    })
}

fn definition(index: &Index, id: SymbolId) -> Option<MeantPlaceView> {
    let symbol = index.symbol(id)?;
    Some(MeantPlaceView {
        title: format!("{} {}", symbol.kind.name(), symbol.qualified),
        path: index.repo.file(id.file)?.path.clone(),
        line: symbol.name_line.0,
        uses: answer::question_of_uses(index, id)?,
    })
}

/// A module's definition is its whole file.
fn module(index: &Index, file: FileId) -> Option<MeantPlaceView> {
    let path = index.repo.file(file)?.path.clone();
    Some(MeantPlaceView {
        title: "file".to_owned(),
        line: 1,
        uses: format!("who imports `{path}`?"),
        path,
    })
}

#[cfg(test)]
mod tests {
    use super::super::graph::tests::index;
    use super::*;

    #[test]
    fn a_name_leads_to_its_definition_a_module_to_its_file_and_a_library_nowhere() {
        let index = index();
        let told = |path, line, name| {
            let view = of_name(&index, path, line, name).unwrap();
            let places = view.places.into_iter();
            let places: Vec<String> = places
                .map(|it| format!("{} {}:{} {}", it.title, it.path, it.line, it.uses))
                .collect();
            (places, view.library)
        };
        assert_eq!(
            told("mail/parts.py", 2, "fold").0,
            ["function fold mail/parts.py:4 where is `fold` used?"]
        );
        assert_eq!(
            told("mail/office.py", 1, "socket"),
            (Vec::new(), Some("socket".to_owned()))
        );
        assert_eq!(of_name(&index, "no.py", 1, "fold"), None);
    }
}
