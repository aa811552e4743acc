//! A repository with more files than any on the ladder: small modules that import and call each
//! other.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

/// How many modules a folder has.
const IN_FOLDER: usize = 50;
/// How many folders of modules a package has.
const IN_PACKAGE: usize = 40;

/// The subjects of modules: each has a verb and two nouns.
const VERBS: [&str; 16] = [
    "parse", "render", "encode", "resolve", "merge", "cache", "validate", "schedule", "compress",
    "route", "sign", "index", "retry", "convert", "lock", "report",
];
const NOUNS: [&str; 24] = [
    "header", "cookie", "template", "socket", "token", "ledger", "invoice", "matrix", "signal",
    "worker", "session", "packet", "schema", "cursor", "widget", "archive", "palette", "vector",
    "calendar", "region", "voucher", "sensor", "digest", "queue",
];

/// Writes an archive of this many Python modules; the same one each time.
pub fn write(path: &Path, modules: usize) -> io::Result<()> {
    let file = BufWriter::new(File::create(path)?);
    let mut archive = tar::Builder::new(GzEncoder::new(file, Compression::fast()));
    for at in 0..modules {
        let text = module(at, modules);
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        archive.append_data(&mut header, place(at) + ".py", text.as_bytes())?;
    }
    archive.into_inner()?.finish()?;
    Ok(())
}

/// The module's path, without its extension.
fn place(at: usize) -> String {
    let folder = at / IN_FOLDER;
    let package = folder / IN_PACKAGE;
    format!(
        "synthetic/package_{package}/part_{folder}/{}_{at}",
        topic(at)
    )
}

fn topic(at: usize) -> String {
    let (verb, noun) = words(at);
    format!("{verb}_{noun}")
}

fn words(at: usize) -> (&'static str, &'static str) {
    let mixed = at.wrapping_mul(2_654_435_761) >> 7;
    (
        VERBS[mixed % VERBS.len()],
        NOUNS[(mixed / VERBS.len()) % NOUNS.len()],
    )
}

/// A documented function that calls one of another module.
fn module(at: usize, modules: usize) -> String {
    let other = (at * 7 + 1) % modules;
    let import = place(other).replace('/', ".");
    let (verb, noun) = words(at);
    let (other_verb, other_noun) = words(other);
    format!(
        "\"\"\"Helpers that {verb} a {noun} before it is handed on.\"\"\"\n\n\
         from {import} import {other_verb}_{other_noun}_{other}\n\n\n\
         def {verb}_{noun}_{at}({noun}, limit={limit}):\n    \
         \"\"\"{title} one {noun} and {other_verb} the {other_noun} behind it.\"\"\"\n    \
         if len({noun}) > limit:\n        \
         raise ValueError(\"the {noun} is longer than {limit}\")\n    \
         return {other_verb}_{other_noun}_{other}({noun})\n",
        limit = 10 + at % 90,
        title = capitalised(verb),
    )
}

fn capitalised(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    first.to_uppercase() + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use footnote_core::job::run_to_end;
    use footnote_core::source::ArchiveReader;

    #[test]
    fn every_module_is_read_and_imports_one_that_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("synthetic.tar.gz");
        write(&path, 300).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let repo = run_to_end(ArchiveReader::open("synthetic.tar.gz", bytes).unwrap()).unwrap();
        assert_eq!(repo.files.len(), 300);
        for file in &repo.files {
            let import = file
                .text
                .lines()
                .find_map(|line| line.strip_prefix("from "))
                .unwrap();
            let module = import.split_once(' ').unwrap().0.replace('.', "/") + ".py";
            let path = module.strip_prefix("synthetic/").unwrap();
            assert!(repo.find(path).is_some(), "{path}");
        }
    }
}
