//! `footnote export --import FILES --into SET.jsonl`: turns exported files back into a set.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use footnote_core::eval::Item;
use footnote_core::eval::set::{parse_set, write_set};
use footnote_core::lab::export::{self, BadLine, FORMATS, File, Format, Imported, METADATA, Part};

use super::preferences;
use crate::{Result, archive};

/// How many bad lines and conflicts are named; the others are only counted.
const NAMED: usize = 10;

/// The archive of questions that do not name one.
const UNKNOWN: &str = "unknown";

/// Returns exit status 1 if the files hold no row.
pub fn run(
    paths: &[PathBuf],
    format: Option<&'static Format>,
    into: &Path,
    about: Option<&Path>,
) -> Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    let files = read(paths, &mut out)?;
    let format = format.map_or_else(|| detect(&files), Ok)?;
    let text = match into.exists() {
        true => archive::read_text(into)?,
        false => String::new(),
    };
    let imported = match format.answers() {
        true => {
            let items = items(into, &text)?;
            let key = key(&items, about)?;
            let imported = import(format, &files, &key);
            add_items(&imported, &items, into, &text, &mut out)?;
            imported
        }
        false => {
            let imported = import(format, &files, UNKNOWN);
            add_pairs(&imported, into, &text, &mut out)?;
            imported
        }
    };
    name_bad(&imported.bad, &mut out)?;
    if !imported.facts.is_empty() {
        let n = imported.facts.len();
        writeln!(
            out,
            "Left in the metadata, since a set has no place for them: strategies, ratings and tags \
             ({n} questions)."
        )?;
    }
    let n = imported.items.len() + imported.preferences.len();
    Ok(ExitCode::from(u8::from(n == 0)))
}

/// Reads the JSONL files, including those in folders; other files that a shell's `*` matched are
/// skipped.
fn read(paths: &[PathBuf], out: &mut impl Write) -> Result<Vec<(PathBuf, File)>> {
    let mut all: BTreeSet<PathBuf> = BTreeSet::new();
    for path in paths {
        if path.is_dir() {
            let names = Part::ALL.map(Part::file).into_iter().chain([METADATA]);
            let files = names.map(|name| path.join(name));
            all.extend(files.filter(|file| file.is_file()));
        } else if path.extension().is_some_and(|end| end == "jsonl") {
            all.insert(path.clone());
        } else {
            writeln!(out, "{}: skipped: not .jsonl", path.display())?;
        }
    }
    let mut files = Vec::new();
    for path in all {
        let file = File {
            name: path.display().to_string(),
            text: archive::read_text(&path)?,
        };
        files.push((path, file));
    }
    Ok(files)
}

/// The format that the files themselves indicate, if they agree.
fn detect(files: &[(PathBuf, File)]) -> Result<&'static Format> {
    let rows = files.iter().filter(|(path, _)| !is_metadata(path));
    let formats: BTreeMap<&str, &'static Format> = rows
        .filter_map(|(_, file)| export::detect(&file.text))
        .map(|format| (format.name, format))
        .collect();
    let mut found = formats.values();
    match (found.next(), found.next()) {
        (Some(format), None) => Ok(format),
        (None, _) => {
            let known: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
            let known = known.join(", ");
            Err(
                format!("the files contain no row of a known format; the formats are {known}")
                    .into(),
            )
        }
        _ => {
            let names = formats.keys().copied().collect::<Vec<_>>().join(", ");
            let todo = "import the files of one format at a time";
            Err(format!("the files are of several formats ({names}): {todo}").into())
        }
    }
}

fn is_metadata(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == METADATA)
}

fn is_part(path: &Path) -> bool {
    let name = path.file_name();
    Part::ALL
        .iter()
        .any(|part| name == Some(part.file().as_ref()))
}

/// Imports folder by folder, each with its metadata: the two parts of a split together, other files
/// one at a time.
fn import(format: &Format, files: &[(PathBuf, File)], key: &str) -> Imported {
    let mut folders: BTreeMap<&Path, Vec<&(PathBuf, File)>> = BTreeMap::new();
    for file in files {
        let folder = file.0.parent().unwrap_or(Path::new(""));
        folders.entry(folder).or_default().push(file);
    }
    let mut all = Imported::default();
    for files in folders.values() {
        let of = |is_it: &dyn Fn(&Path) -> bool| -> Vec<File> {
            let files = files.iter().filter(|(path, _)| is_it(path));
            files.map(|(_, file)| file.clone()).collect()
        };
        let metadata = of(&is_metadata);
        let mut batches = vec![of(&is_part)];
        let others = of(&|path| !is_part(path) && !is_metadata(path));
        batches.extend(others.into_iter().map(|file| vec![file]));
        for mut batch in batches {
            batch.extend(metadata.iter().cloned());
            take(&mut all, export::import(format, &batch, key));
        }
    }
    all
}

fn take(all: &mut Imported, more: Imported) {
    all.items.extend(more.items);
    all.preferences.extend(more.preferences);
    all.facts.extend(more.facts);
    for bad in more.bad {
        // The metadata is read once for each file beside it.
        if !all.bad.contains(&bad) {
            all.bad.push(bad);
        }
    }
}

fn items(path: &Path, text: &str) -> Result<Vec<Item>> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    parse_set(text).map_err(|error| {
        let path = path.display();
        format!("{path}: {error}; nothing was imported, so that the set stays as it is").into()
    })
}

/// The archive for questions without metadata: the only one of the set, or the one named.
fn key(items: &[Item], about: Option<&Path>) -> Result<String> {
    let keys: BTreeSet<&str> = items.iter().map(|item| item.archive.as_str()).collect();
    let mut keys = keys.into_iter();
    match (keys.next(), keys.next(), about) {
        (Some(only), None, _) => Ok(only.to_owned()),
        (_, _, Some(path)) => Ok(archive::archive_or_folder(path)?.name),
        _ => Ok(UNKNOWN.to_owned()),
    }
}

fn add_items(
    imported: &Imported,
    items: &[Item],
    into: &Path,
    text: &str,
    out: &mut impl Write,
) -> Result<()> {
    let merged = export::merge(items, imported.items.clone());
    let new = merged.items.get(items.len()..).unwrap_or_default();
    append(into, text, &write_set(new))?;
    writeln!(
        out,
        "Added to {}: {}. Left out: duplicates {}, conflicts {}, bad lines {}.",
        into.display(),
        merged.added,
        merged.same_id + merged.same_question,
        merged.conflicts.len(),
        imported.bad.len()
    )?;
    for item in merged.conflicts.iter().take(NAMED) {
        writeln!(
            out,
            "Left out: {} is in the set with another question or archive: {}",
            item.id, item.query
        )?;
    }
    more(merged.conflicts.len(), "conflicts", out)?;
    let unknown = new.iter().filter(|item| item.archive == UNKNOWN).count();
    if unknown > 0 {
        writeln!(
            out,
            "Questions that do not say which repository they are about: {unknown}; `{UNKNOWN}` \
             stands for it. Name the archive with --archive, or import with metadata.jsonl."
        )?;
    }
    Ok(())
}

fn add_pairs(imported: &Imported, into: &Path, text: &str, out: &mut impl Write) -> Result<()> {
    let known = match text.is_empty() {
        true => Vec::new(),
        false => preferences::read(into, &[])?,
    };
    let pairs = imported.preferences.clone();
    let (merged, added) = export::merge_preferences(&known, pairs);
    let new = merged.get(known.len()..).unwrap_or_default();
    append(into, text, &preferences::to_lines(new)?)?;
    writeln!(
        out,
        "Added to {}: {added}. Left out: duplicates {}, bad lines {}.",
        into.display(),
        imported.preferences.len() - added,
        imported.bad.len()
    )?;
    Ok(())
}

/// Appends lines; existing lines stay as they are, even with fields unknown to Footnote.
fn append(path: &Path, text: &str, lines: &str) -> Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    let gap = match text.is_empty() || text.ends_with('\n') {
        true => "",
        false => "\n",
    };
    let file = fs::OpenOptions::new().create(true).append(true).open(path);
    file.and_then(|mut file| file.write_all(format!("{gap}{lines}").as_bytes()))
        .map_err(|error| format!("cannot write {}: {error}", path.display()).into())
}

fn name_bad(bad: &[BadLine], out: &mut impl Write) -> Result<()> {
    for BadLine { file, line, reason } in bad.iter().take(NAMED) {
        writeln!(out, "{file}:{line}: left out: {reason}")?;
    }
    more(bad.len(), "bad lines", out)
}

fn more(n: usize, what: &str, out: &mut impl Write) -> Result<()> {
    if n > NAMED {
        writeln!(out, "and {} more {what}", n - NAMED)?;
    }
    Ok(())
}
