//! What the command bar offers: commands that apply to what is open, and files.

use crate::state::{Panel, State, Summary, Tab, Theme, Turn, TurnId, Wish};
use crate::ui::format::split_path;
use crate::worker::serve::formats;

/// The most files offered at once.
const MAX_FILES: usize = 40;

/// What an entry does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    Ask(String),
    Open(String),
    Show(Panel),
    /// Shows what changed since a saved version.
    Changes(String),
    Trace(TurnId),
    Compare(TurnId),
    Lesson(TurnId),
    Context(TurnId),
    Tab(Tab),
    /// Shows this about the chosen name of the open file.
    Name(Wish),
    /// Chooses the first name in the visible part of the open file.
    WalkNames,
    BackFromName,
    Question,
    Sample,
    PauseVectors(bool),
    Theme(Theme),
    NewConversation,
    TeachRepository,
    DescribeRepository,
    SaveConversation(&'static str),
    SaveIndex,
    Close,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub label: String,
    pub detail: String,
    pub action: Action,
}

impl Entry {
    fn new(label: impl Into<String>, detail: &str, action: Action) -> Self {
        Self {
            label: label.into(),
            detail: detail.to_owned(),
            action,
        }
    }
}

/// The entries that apply now and match `filter`. Asking the text as a question is always possible.
pub fn entries(state: &State, filter: &str) -> Vec<Entry> {
    let asked = as_question(filter.trim());
    let filter = filter.trim().trim_start_matches('/');
    let lower = filter.to_lowercase();
    let mut entries: Vec<Entry> = commands(state)
        .into_iter()
        .filter(|entry| entry.label.to_lowercase().contains(&lower))
        .collect();
    if filter.is_empty() {
        return entries;
    }
    if let Some(open) = state.summary() {
        entries.extend(
            open.tree
                .matching(filter, MAX_FILES)
                .into_iter()
                .map(|file| {
                    let (folder, name) = split_path(&file.path);
                    Entry {
                        label: name.into(),
                        detail: folder.trim_end_matches('/').into(),
                        action: Action::Open(file.path.clone()),
                    }
                }),
        );
    }
    entries.push(Entry {
        label: format!("Ask “{asked}”"),
        detail: String::new(),
        action: Action::Ask(asked.to_owned()),
    });
    entries
}

/// The text as a question: without the slash that opens the command bar, unless it starts a regular
/// expression.
fn as_question(written: &str) -> &str {
    let rest = written.trim_start_matches('/');
    match rest.contains('/') && rest.len() < written.len() {
        true => written,
        false => rest,
    }
}

/// Commands for the last question.
fn of_turn(turn: &Turn) -> [Entry; 4] {
    [
        Entry::new(
            "Show how it was found",
            "steps and scores",
            Action::Trace(turn.id),
        ),
        Entry::new(
            "Compare ways to answer",
            "pipelines side by side",
            Action::Compare(turn.id),
        ),
        Entry::new(
            "Teach how it was found",
            "ways to search, step by step",
            Action::Lesson(turn.id),
        ),
        Entry::new(
            "Show what a model sees",
            "lines and budget",
            Action::Context(turn.id),
        ),
    ]
}

/// Commands for the open repository.
fn workbench() -> [Entry; 4] {
    [
        Entry::new(
            "Unfinished code",
            "paste it, and see what it needs",
            Action::Show(Panel::Unfinished),
        ),
        Entry::new(
            "Laboratory",
            "make questions, evaluate pipelines",
            Action::Show(Panel::Lab),
        ),
        Entry::new(
            "Teach this repository",
            "which files answer which questions",
            Action::TeachRepository,
        ),
        Entry::new(
            "Describe this repository",
            "what its parts do, in words",
            Action::DescribeRepository,
        ),
    ]
}

fn commands(state: &State) -> Vec<Entry> {
    let mut list = vec![Entry::new("Ask a question", "", Action::Question)];
    if let Some(open) = state.summary() {
        list.push(Entry::new("Show evidence", "", Action::Tab(Tab::Evidence)));
        list.push(Entry::new("Show graph", "", Action::Tab(Tab::Graph)));
        list.extend(names(state));
        list.extend(state.conversation.current().into_iter().flat_map(of_turn));
        list.push(Entry::new(
            "Show skipped files",
            "",
            Action::Show(Panel::Skipped),
        ));
        for other in state.other_versions() {
            let label = format!("What changed between this and {}", other.name);
            list.push(Entry::new(label, "", Action::Changes(other.repo.clone())));
        }
        list.extend(meaning(open));
        list.extend(conversations(state));
        list.extend(workbench());
        list.push(Entry::new(
            "Save index",
            "a file that opens elsewhere without the archive",
            Action::SaveIndex,
        ));
        list.push(Entry::new(
            "Close repository",
            "it stays saved",
            Action::Close,
        ));
    }
    list.push(Entry::new(
        "Open another repository",
        "",
        Action::Show(Panel::Repositories),
    ));
    list.push(Entry::new("Try the sample repository", "", Action::Sample));
    list.push(Entry::new(
        "Theme: same as system",
        "",
        Action::Theme(Theme::System),
    ));
    list.push(Entry::new("Theme: light", "", Action::Theme(Theme::Light)));
    list.push(Entry::new("Theme: dark", "", Action::Theme(Theme::Dark)));
    list.push(Entry::new(
        "Connect a language model",
        "Ollama, OpenAI, Anthropic …",
        Action::Show(Panel::Connect),
    ));
    list.push(Entry::new(
        "Model report card",
        "verdicts for each model, CSV",
        Action::Show(Panel::Report),
    ));
    list.push(Entry::new(
        "Settings",
        "theme, keyboard shortcuts",
        Action::Show(Panel::Settings),
    ));
    list.push(Entry::new(
        "What the verdicts mean",
        "",
        Action::Show(Panel::Verdicts),
    ));
    list.push(Entry::new(
        "What leaves this page",
        "",
        Action::Show(Panel::Seal),
    ));
    list
}

/// Pausing and resuming the vectors, until they are complete or cannot be made.
fn meaning(open: &Summary) -> Option<Entry> {
    let vectors = open.vectors.as_ref()?;
    let is_over = vectors.failed.is_some() || vectors.done >= vectors.total;
    let label = match vectors.paused {
        true => "Resume adding meaning",
        false => "Pause adding meaning",
    };
    let action = Action::PauseVectors(!vectors.paused);
    (!is_over).then(|| Entry::new(label, "", action))
}

/// Commands for the names of the open file.
fn names(state: &State) -> Vec<Entry> {
    let mut list = Vec::new();
    let names = &state.reader.names;
    if let Some(at) = &names.at {
        for (wish, label, key) in [
            (Wish::Definition, "Go to the definition of", "F12"),
            (Wish::References, "Find references to", "Shift F12"),
        ] {
            let label = format!("{label} {}", at.name);
            list.push(Entry::new(label, key, Action::Name(wish)));
        }
    } else if state.reader.file.is_some() {
        let about = "definitions and references";
        let label = "Step through the names in the code";
        list.push(Entry::new(label, about, Action::WalkNames));
    }
    if let Some((path, line)) = names.back() {
        let label = format!("Back to {path}:{line}");
        list.push(Entry::new(label, "b", Action::BackFromName));
    }
    list
}

/// Commands for conversations. Deleting is left to their list, which asks twice.
fn conversations(state: &State) -> Vec<Entry> {
    let mut list = vec![Entry::new(
        "Conversations",
        "search, rename, delete, import",
        Action::Show(Panel::Conversations),
    )];
    if state.conversation.turns.is_empty() {
        return list;
    }
    list.push(Entry::new("New conversation", "", Action::NewConversation));
    for format in formats::CONVERSATION {
        let label = format!("Save conversation as {}", format.title);
        let action = Action::SaveConversation(format.name);
        list.push(Entry::new(label, format.about, action));
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(filter: &str) -> Vec<String> {
        let entries = entries(&State::default(), filter);
        entries.into_iter().map(|entry| entry.label).collect()
    }

    #[test]
    fn the_list_holds_the_commands_that_match_and_the_question() {
        assert_eq!(labels("theme: l"), ["Theme: light", "Ask “theme: l”"]);
        assert_eq!(labels("/dark"), ["Theme: dark", "Ask “dark”"]);
        assert_eq!(labels("/d.k/ path:a"), ["Ask “/d.k/ path:a”"]);
    }

    #[test]
    fn without_a_repository_nothing_is_offered_that_needs_one() {
        let all = labels("");
        assert!(all.contains(&"Try the sample repository".to_owned()));
        assert!(!all.contains(&"Close repository".to_owned()));
    }
}
