//! Where execution starts, and where a user of the library enters: from manifests, main functions
//! and file names.

use super::Kind;
use super::subject;
use super::teller::Teller;
use super::wording::Read;
use crate::answer::facts;
use crate::answer::notes::text;
use crate::lang::manifest::FactKind;

pub(super) const KIND: Kind = Kind {
    name: "entry-points",
    wordings: &[
        "ASK? main|public? entry|starting point|points|entrypoint|entrypoints REL? X?",
        "ASK? entrypoint|entrypoints|main_function|main_functions|main_file|main_method REL? X?",
        "where does|is X|execution|everything start|started|begin|entered",
        "where is the main function|method|file|entry_point",
        "ASK? main|types|typings file|files|module and|of|for|in ANY",
        "which|what file|files|module is|are|gets|get loaded|imported|required|used with|by|when|on|if ANY import|require|importing|requiring|imported|required ANY",
        "ASK? command_line|command-line|console scripts|commands|executables|binaries get|gets|are|is installed",
        "ASK? ANY registered|declared as entry_points|entry_point",
        "ASK? console|command-line|command_line? scripts|commands|executables|binaries does|do X install|provide|define",
        "ASK? anything|something runnable|executable ANY",
        "is there anything|something ANY runnable|executable ANY",
        "how is|do X i? started|start|launched|launch|run",
    ],
    state,
};

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let is_general = matches!(read.x.as_str(), "execution" | "everything" | "the program");
    if !is_general && !subject::is_project(teller.index, &read.x) {
        return false;
    }
    facts::state_one(teller.index, FactKind::EntryPoint, teller.notes);
    let asked = teller.question.text().to_lowercase();
    // Only a manifest says what is installed.
    let is_declared = [
        "script",
        "command",
        "executable",
        "binar",
        "registered",
        "declared",
    ];
    if is_declared.iter().any(|word| asked.contains(word)) {
        return !teller.notes.statements.is_empty()
            || facts::state_programs(teller.index, teller.notes);
    }
    let entries = teller.entry_points();
    if !entries.is_empty() {
        let lead = vec![text("By their names, these are the entry points: ")];
        teller.list(lead, entries.clone());
        teller.passed_on(&entries);
    }
    !teller.notes.statements.is_empty()
}
