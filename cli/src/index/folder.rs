//! A folder of index files. Files appear in it whole: each is written under another name first.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use footnote_core::index::file::{About, EXTENSION, Encoded, Limits};

use crate::Result;

/// The extension of a file that is being written.
const PART: &str = "part";

/// A file that was begun this long ago was left behind by a program that was stopped.
const LEFT_BEHIND: Duration = Duration::from_secs(24 * 3600);

/// A folder of index files.
pub struct Folder {
    path: PathBuf,
}

/// An index file in a folder.
#[derive(Clone, Debug)]
pub struct Held {
    /// Its file name.
    pub file: String,
    pub bytes: u64,
    /// What it says about itself.
    pub about: About,
}

impl Folder {
    /// Makes the folder if it is missing.
    pub fn open(path: &Path) -> Result<Self> {
        fs::create_dir_all(path).map_err(|error| cannot_write(path, &error))?;
        let folder = Self {
            path: path.to_owned(),
        };
        folder.remove_left_behind();
        Ok(folder)
    }

    /// Returns the index files in the folder by name. Files that cannot be opened by this Footnote
    /// are left out.
    pub fn held(&self) -> Result<Vec<Held>> {
        let mut held = Vec::new();
        let entries = fs::read_dir(&self.path);
        let entries = entries.map_err(|error| format!("{}: {error}", self.path.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.extension().is_none_or(|it| it != EXTENSION) {
                continue;
            }
            let name = path.file_name().and_then(|name| name.to_str());
            if let (Some(name), Some((bytes, about))) = (name, about(&path)) {
                let file = name.to_owned();
                held.push(Held { file, bytes, about });
            }
        }
        held.sort_by(|a, b| a.file.cmp(&b.file));
        Ok(held)
    }

    /// Writes an index file under its canonical name; returns the name and the number of bytes.
    pub fn add(&self, encoded: Encoded) -> Result<(String, u64)> {
        let (name, bytes) = (encoded.about.file_name(), encoded.length());
        self.write(&name, encoded.into_pieces())?;
        Ok((name, bytes))
    }

    /// Writes a file of the folder, which appears once it is whole.
    pub fn write(&self, name: &str, pieces: impl Iterator<Item = Vec<u8>>) -> Result<()> {
        // Several machines may write to one folder, and their processes have the same numbers.
        let unique = getrandom::u64()
            .map_err(|error| format!("the system provides no random numbers: {error}"))?;
        let part = format!(".{name}.{unique:016x}.{PART}");
        let (part, path) = (self.path.join(part), self.path.join(name));
        let written = File::create(&part).and_then(|mut file| {
            for piece in pieces {
                file.write_all(&piece)?;
            }
            file.sync_all()?;
            fs::rename(&part, &path)
        });
        written.map_err(|error| {
            // The file written so far is useless; the error to report is the first.
            let _ = fs::remove_file(&part);
            cannot_write(&path, &error).into()
        })
    }

    pub fn remove(&self, name: &str) -> Result<()> {
        let path = self.path.join(name);
        fs::remove_file(&path).map_err(|error| cannot_write(&path, &error).into())
    }

    /// Removes what stopped programs left behind. What cannot be removed does no harm.
    fn remove_left_behind(&self) {
        let entries = fs::read_dir(&self.path).into_iter().flatten().flatten();
        for entry in entries {
            let path = entry.path();
            let age = entry.metadata().and_then(|it| it.modified());
            let age = age.ok().and_then(|at| at.elapsed().ok());
            let is_part = path.extension().is_some_and(|it| it == PART)
                && entry.file_name().to_string_lossy().starts_with('.');
            if is_part && age.is_some_and(|age| age > LEFT_BEHIND) {
                let _ = fs::remove_file(path);
            }
        }
    }
}

/// Returns the size of an index file, and what it says about itself; `None` if it is cut.
fn about(path: &Path) -> Option<(u64, About)> {
    const FRONT: u64 = 1 << 10;
    let file = File::open(path).ok()?;
    let bytes = file.metadata().ok()?.len();
    let mut start = Vec::new();
    let most = Limits::STANDARD.header_bytes + FRONT;
    file.take(most).read_to_end(&mut start).ok()?;
    let about = About::read(&start).ok()?;
    (about.length == bytes).then_some((bytes, about))
}

fn cannot_write(path: &Path, error: &std::io::Error) -> String {
    let path = path.display();
    format!("cannot write {path}: {error}; choose another folder with --out")
}
