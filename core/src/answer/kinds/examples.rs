//! Which examples come with the project: the files and folders of its example folder.

use super::Kind;
use super::subject;
use super::teller::{Teller, counted};
use super::wording::Read;
use crate::answer::notes::{Entry, code, text};
use crate::lang::{Language, Role};
use crate::source::FileId;

/// Folders at the root that hold examples.
const FOLDERS: [&str; 6] = ["examples", "example", "samples", "sample", "demos", "demo"];

pub(super) const KIND: Kind = Kind {
    name: "examples",
    wordings: &[
        "ASK? runnable|executable|complete|working? example|sample|demo programs|files|projects|scripts|apps|applications ship|ships|come|comes|exist ANY",
        "ASK? runnable|executable|complete|working? example|sample|demo programs|files|projects|scripts|apps|applications REL? X?",
        "ASK? runnable|executable|complete|working? examples|samples|demos ship|ships|come|comes|exist ANY",
        "ASK? runnable|executable|complete|working examples|samples|demos REL? X?",
        "what|which|list|show|all examples|samples|demos REL? X?",
    ],
    state,
};

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    if !subject::is_project(teller.index, &read.x) {
        return false;
    }
    let listed = listed(teller);
    let files = (0..).map(FileId).zip(&teller.index.repo.files);
    let mut entries: Vec<Entry> = Vec::new();
    let mut folders: Vec<&str> = Vec::new();
    for (id, file) in files.filter(|(_, file)| Role::of(&file.path) != Role::Docs) {
        let Some((folder, inside)) = file.path.split_once('/') else {
            continue;
        };
        let name = name_of(inside);
        let is_known = entries.iter().any(|entry| entry.name == name)
            || listed
                .as_ref()
                .is_some_and(|listed| !listed.iter().any(|it| it == name));
        if !FOLDERS.contains(&folder) || is_known || !is_code(teller, id) {
            continue;
        }
        let Some(source) = teller.first_line(id) else {
            continue;
        };
        entries.push(Entry {
            name: name.to_owned(),
            detail: file.path.clone(),
            source,
        });
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    let [folder] = folders.as_slice() else {
        return false;
    };
    let n = counted(entries.len(), "example", "examples");
    let lead = vec![code(format!("{folder}/")), text(format!(" has {n}: "))];
    teller.list(lead, entries)
}

/// The examples that a manifest of Cargo names if it says that no others count.
fn listed(teller: &Teller<'_, '_>) -> Option<Vec<String>> {
    let file = teller.index.repo.find("Cargo.toml")?;
    let text = teller.file_text(file);
    let plain: String = text.split_whitespace().collect();
    if !plain.contains("autoexamples=false") {
        return None;
    }
    let tables = text.split("[[example]]").skip(1);
    let names = tables.filter_map(|table| {
        let row = table
            .lines()
            .find(|row| row.trim_start().starts_with("name"))?;
        Some(row.split('"').nth(1)?.to_owned())
    });
    Some(names.collect())
}

/// The name of an example: its folder inside the example folder, else its file without the ending
/// of Rust, by which Cargo runs it.
fn name_of(inside: &str) -> &str {
    match inside.split_once('/') {
        Some((folder, _)) => folder,
        None => inside.strip_suffix(".rs").unwrap_or(inside),
    }
}

fn is_code(teller: &Teller<'_, '_>, file: FileId) -> bool {
    let parsed = teller.index.parsed.get(file.0 as usize);
    parsed.is_some_and(|parsed| Language::is_code(parsed.language))
}
