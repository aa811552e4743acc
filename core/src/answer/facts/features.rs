//! The features of a crate, and those that are on by default.

use super::super::notes::{Entry, Notes, code, text};
use super::{MAX_NAMES, Manifest, manifests, of_kind, sources, whole};
use crate::answer::Span;
use crate::answer::prose::code_list;
use crate::index::Index;
use crate::lang::manifest::{Fact, FactKind};

/// The feature that holds those that are on unless a user says otherwise.
const DEFAULT: &str = "default";

/// States which features the nearest manifest declares; with `default_first`, first those that are
/// on by default.
pub(in crate::answer) fn state_features(
    index: &Index,
    notes: &mut Notes<'_>,
    default_first: bool,
) -> bool {
    let manifests = manifests(index);
    let Some((manifest, features)) = of_kind(&manifests, FactKind::Feature) else {
        return false;
    };
    let before = notes.statements.len();
    let default = features.iter().find(|it| named(it).0 == DEFAULT);
    match default {
        Some(default) if default_first => state_default(manifest, default, notes),
        None if default_first => state_no_default(manifest, notes),
        _ => {}
    }
    let others = features.iter().filter(|it| named(it).0 != DEFAULT);
    let entries: Vec<Entry> = others.filter_map(|it| entry(manifest, it)).collect();
    if !entries.is_empty() {
        let lead = vec![code(manifest.path), text(" declares these features: ")];
        notes.list(lead, entries);
    }
    if let Some(default) = default.filter(|_| !default_first) {
        state_default(manifest, default, notes);
    }
    notes.statements.len() > before
}

/// Without an entry of that name, nothing is on by default.
fn state_no_default(manifest: &Manifest<'_>, notes: &mut Notes<'_>) {
    let spans = vec![code(manifest.path), text(" names no default feature.")];
    notes.state(spans, &[whole(manifest)]);
}

fn state_default(manifest: &Manifest<'_>, default: &Fact, notes: &mut Notes<'_>) {
    let parts: Vec<String> = named(default).1.split(", ").map(str::to_owned).collect();
    let source = sources(manifest, &[default]);
    let is_none = parts.iter().all(String::is_empty);
    let mut spans: Vec<Span> = vec![text("According to "), code(manifest.path)];
    if is_none {
        spans.push(text(", no feature is on by default."));
        notes.state(spans, &source);
        return;
    }
    spans.push(text(match parts.len() {
        1 => ", the only feature that is on by default is ",
        _ => ", the features that are on by default are ",
    }));
    let shown = parts.get(..MAX_NAMES).unwrap_or(&parts);
    spans.extend(code_list(shown, "and"));
    let entries = parts.iter().filter_map(|part| {
        Some(Entry {
            name: part.clone(),
            detail: String::new(),
            source: source.first()?.clone(),
        })
    });
    let entries = entries.collect();
    notes.list_below(spans, &source, entries);
}

fn entry(manifest: &Manifest<'_>, feature: &Fact) -> Option<Entry> {
    let (name, parts) = named(feature);
    Some(Entry {
        name: name.to_owned(),
        detail: match parts.is_empty() {
            true => String::new(),
            false => format!("switches on {parts}"),
        },
        source: sources(manifest, &[feature]).pop()?,
    })
}

/// Splits a feature into its name and what it switches on.
fn named(feature: &Fact) -> (&str, &str) {
    feature
        .value
        .split_once(" = ")
        .unwrap_or((&feature.value, ""))
}
