//! Whether a project needs anything at run time.

use super::super::notes::{Notes, SEARCHED, Source, code, text, tidy};
use super::{Manifest, manifests, state_kind, whole};
use crate::answer::Span;
use crate::index::Index;
use crate::lang::manifest::FactKind;
use crate::lines::{Line, LineRange};

/// States whether the manifests name run-time dependencies. Says no only if a manifest that would
/// list them lists none, and no other manifest does.
pub(in crate::answer) fn state_any_dependency(index: &Index, notes: &mut Notes<'_>) -> bool {
    let manifests = manifests(index);
    let before = notes.statements.len();
    state_kind(&manifests, FactKind::Dependency, notes);
    if let Some(first) = notes.statements.get_mut(before) {
        first.spans.insert(0, Span::Text("Yes. ".to_owned()));
        return true;
    }
    let Some((manifest, lines, quotes)) = manifests.iter().find_map(without_any) else {
        return false;
    };
    let mut peers = manifests.iter().flat_map(|it| &it.facts);
    let has_peers = peers.any(|fact| fact.what == FactKind::PeerDependency);
    let spans = vec![
        // The user has to install what is a peer.
        text(if has_peers { "" } else { "No. " }),
        code(manifest.path),
        text(" lists no run-time dependencies."),
    ];
    let source = Source {
        file: manifest.file,
        lines,
        quotes,
        why: SEARCHED.to_owned(),
    };
    let said = notes.state(tidy(spans), &[source]);
    if said {
        state_kind(&manifests, FactKind::PeerDependency, notes);
        state_kind(&manifests, FactKind::OptionalDependency, notes);
    }
    said
}

/// Returns where a manifest shows that it lists none: its empty list, or all of it if dependencies
/// would stand there.
fn without_any<'m, 'i>(
    manifest: &'m Manifest<'i>,
) -> Option<(&'m Manifest<'i>, LineRange, Vec<String>)> {
    let lists = match manifest.path {
        "pyproject.toml" => "\n[project]",
        "Cargo.toml" => "[package]",
        "package.json" => "\"name\"",
        _ => return None,
    };
    let is_elsewhere = manifest.text.lines().any(|row| {
        let row = row.trim_start();
        row.starts_with("dynamic") && row.contains("\"dependencies\"")
    });
    let text = format!("\n{}", manifest.text);
    if is_elsewhere || !text.contains(lists) {
        return None;
    }
    let empty = (1..).zip(manifest.text.lines()).find(|(_, row)| {
        let row: String = row.split_whitespace().collect();
        matches!(
            row.as_str(),
            "dependencies=[]" | "\"dependencies\":{}," | "\"dependencies\":{}"
        )
    });
    Some(match empty {
        Some((line, row)) => {
            let line = Line(line);
            (
                manifest,
                LineRange::new(line, line),
                vec![row.trim().to_owned()],
            )
        }
        None => (manifest, whole(manifest).lines, Vec::new()),
    })
}
