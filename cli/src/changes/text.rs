//! The changes, for a terminal.

use std::collections::BTreeMap;

use super::shown::{Changed, File, Place, Shown};
use super::times::Times;

/// How many files and definitions changed, then the files, then the definitions by file.
pub fn page(shown: &Shown) -> String {
    let mut out = format!("{} > {}\n", shown.old, shown.new);
    let files = counts(shown.files.iter().map(|file| file.what));
    out += &format!("files        {} the same{files}\n", shown.equal_files);
    let listed = counts(shown.definitions.iter().map(|it| it.what));
    out += &format!("definitions  {}\n", listed.trim_start_matches(", "));
    if let Some(times) = &shown.times {
        out += &said(times);
    }
    if !shown.files.is_empty() {
        out += "\nFiles\n";
    }
    for file in &shown.files {
        out += &line(file);
    }
    let mut last = None;
    for change in &shown.definitions {
        if last != Some(&change.file) {
            out += &format!("\n{}\n", change.file);
            last = Some(&change.file);
        }
        out += &entry(change);
    }
    out
}

/// `, 3 added, 1 removed`
fn counts(all: impl Iterator<Item = &'static str>) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for what in all {
        *counts.entry(what).or_default() += 1;
    }
    let said = counts.iter().map(|(what, n)| format!(", {n} {what}"));
    said.collect()
}

fn said(times: &Times) -> String {
    let Times {
        reused,
        files,
        whole_ms,
        reusing_ms,
        compare_ms,
    } = times;
    let share = 100.0 * *reused as f64 / (*files).max(1) as f64;
    format!(
        "reused       {reused} of {files} files ({share:.0} %)\n\
         time         {whole_ms:.1} ms for a whole index, {reusing_ms:.1} ms with what was reused, \
         {compare_ms:.1} ms to compare\n"
    )
}

fn line(file: &File) -> String {
    let path = |path: &Option<String>| path.clone().unwrap_or_default();
    let paths = match file.what {
        "added" | "changed" => path(&file.new),
        "removed" => path(&file.old),
        _ => format!("{} > {}", path(&file.old), path(&file.new)),
    };
    let layout = match file.is_layout {
        true => "  (comments, documentation or layout)",
        false => "",
    };
    format!("  {:18} {paths}{layout}\n", file.what)
}

fn entry(change: &Changed) -> String {
    let what = match (change.what, change.signature, change.body) {
        ("changed", true, true) => "signature, body".to_owned(),
        ("changed", true, false) => "signature".to_owned(),
        ("changed", ..) => "body".to_owned(),
        (what, true, _) => format!("{what}, signature"),
        (what, ..) => what.to_owned(),
    };
    // Not wrapped: terminals make such a place clickable.
    let place = |it: &Place| format!("{}:{}-{}", it.path, it.start, it.end);
    let sides: Vec<&Place> = [&change.old, &change.new].into_iter().flatten().collect();
    let mut names: Vec<&str> = sides.iter().map(|it| it.name.as_str()).collect();
    names.dedup();
    let places: Vec<String> = sides.iter().map(|it| place(it)).collect();
    let indent = if change.is_part { "  " } else { "" };
    format!(
        "  {what:18} {indent}{}  {}\n",
        names.join(" > "),
        places.join(" > ")
    )
}
