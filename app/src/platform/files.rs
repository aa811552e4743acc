//! Files and whole folders that the user chose or dropped. Their bytes are not read here: a
//! [`LocalFile`] is passed to the engine, which reads it outside the page's memory.

use footnote_core::index::file::is_index_file;
use footnote_core::source::{HEAD_BYTES, is_archive, is_worth_listing};
use js_sys::{Array, Function, Promise, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    DataTransfer, File, FileList, FileSystemDirectoryEntry, FileSystemDirectoryReader,
    FileSystemEntry, FileSystemFileEntry, HtmlInputElement,
};

use super::workers::describe;

/// Folders with more files are refused before they are fully listed; archives have their own limit
/// in core.
pub const MAX_FILES: usize = 200_000;

/// A file on the user's disk, not yet read.
#[derive(Clone, Debug)]
pub struct LocalFile {
    /// For a file of a dropped folder, its path, which starts with the folder's name; otherwise the
    /// file's name.
    pub path: String,
    pub file: File,
}

/// What the user chose to open.
#[derive(Clone, Debug)]
pub enum Chosen {
    Archive(LocalFile),
    Folder { name: String, files: Vec<LocalFile> },
}

/// Why nothing can be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FilesError {
    #[error("There was no file in what you dropped. Drop an archive or a folder.")]
    Nothing,
    #[error(
        "The folder contains more than {MAX_FILES} files. Drop only the part you want to ask about: {0}"
    )]
    TooMany(String),
    #[error(
        "The browser could not read {path}: {detail}. Try packing it into a zip and dropping that."
    )]
    Unreadable { path: String, detail: String },
}

/// Returns what an `input type=file` holds: a folder if the input has the attribute
/// `webkitdirectory`.
pub fn picked(input: &HtmlInputElement) -> Result<Chosen, FilesError> {
    let files = input.files().map(|list| listed(&list)).unwrap_or_default();
    if !input.webkitdirectory() {
        let first = files.into_iter().next().ok_or(FilesError::Nothing)?;
        return Ok(Chosen::Archive(first));
    }
    let name = files
        .first()
        .and_then(|first| relative_path(&first.file))
        .and_then(|path| path.split('/').next().map(str::to_owned))
        .ok_or(FilesError::Nothing)?;
    let placed = |mut file: LocalFile| {
        file.path = relative_path(&file.file)?;
        Some(file)
    };
    let files = files.into_iter().filter_map(placed).collect();
    Ok(Chosen::Folder { name, files })
}

/// Returns what was dropped: one folder, or otherwise the first file. Must be called while the drop
/// event is being handled (call it first, then await the result), because the browser empties
/// `data` afterwards.
pub fn dropped(
    data: &DataTransfer,
) -> impl Future<Output = Result<Chosen, FilesError>> + 'static + use<> {
    let folder = folder_of(data);
    let file = data
        .files()
        .and_then(|list| listed(&list).into_iter().next());
    async move {
        match (folder, file) {
            (Some(folder), _) => read_folder(folder.unchecked_into()).await,
            (None, Some(file)) => Ok(Chosen::Archive(file)),
            (None, None) => Err(FilesError::Nothing),
        }
    }
}

/// Whether a folder was dropped.
pub fn holds_folder(data: &DataTransfer) -> bool {
    folder_of(data).is_some()
}

fn folder_of(data: &DataTransfer) -> Option<FileSystemEntry> {
    let items = data.items();
    (0..items.length())
        .filter_map(|at| items.get(at)?.webkit_get_as_entry().ok().flatten())
        .find(FileSystemEntry::is_directory)
}

/// Appears among the first bytes of a saved lesson (`worker/serve/lesson/html.rs`).
const LESSON: &str = "<meta name=\"generator\" content=\"Footnote lesson\">";

/// The kind of a file, judged by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Also an index file, which is opened like one.
    Archive,
    /// An exported conversation: JSON.
    Conversation,
    /// A saved lesson: HTML with the lesson's marker.
    Lesson,
    Other,
}

/// Returns the kind of a file. A file that cannot be read counts as an archive: reading it later
/// reports the error.
pub async fn kind(file: &LocalFile) -> Kind {
    let head = file.file.slice_with_i32_and_i32(0, HEAD_BYTES as i32);
    let bytes = match head {
        Ok(head) => JsFuture::from(head.array_buffer()).await.ok(),
        Err(_) => None,
    };
    match bytes {
        Some(bytes) => kind_of(&file.path, &Uint8Array::new(&bytes).to_vec()),
        None => Kind::Archive,
    }
}

fn kind_of(name: &str, head: &[u8]) -> Kind {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    if text.trim_ascii_start().starts_with(b"{") {
        return Kind::Conversation;
    }
    if String::from_utf8_lossy(text).contains(LESSON) {
        return Kind::Lesson;
    }
    match is_archive(name, head) || is_index_file(head) {
        true => Kind::Archive,
        false => Kind::Other,
    }
}

/// All files that an `input type=file` holds.
pub fn all(input: &HtmlInputElement) -> Vec<LocalFile> {
    input.files().map(|list| listed(&list)).unwrap_or_default()
}

/// The first file that an `input type=file` holds.
pub fn first(input: &HtmlInputElement) -> Option<LocalFile> {
    listed(&input.files()?).into_iter().next()
}

fn listed(list: &FileList) -> Vec<LocalFile> {
    (0..list.length())
        .filter_map(|at| list.get(at))
        .map(|file| LocalFile {
            path: file.name(),
            file,
        })
        .collect()
}

fn relative_path(file: &File) -> Option<String> {
    js_sys::Reflect::get(file, &JsValue::from_str("webkitRelativePath"))
        .ok()?
        .as_string()
        .filter(|path| !path.is_empty())
}

async fn read_folder(folder: FileSystemDirectoryEntry) -> Result<Chosen, FilesError> {
    let name = folder.name();
    let mut files = Vec::new();
    let mut waiting = vec![(format!("{name}/"), folder)];
    while let Some((prefix, folder)) = waiting.pop() {
        let reader = folder.create_reader();
        // A reader returns its entries in batches; an empty batch marks the end.
        loop {
            let portion = read_portion(&reader)
                .await
                .map_err(|error| unreadable(&prefix, &error))?;
            if portion.length() == 0 {
                break;
            }
            for entry in portion.iter() {
                let entry: FileSystemEntry = entry.unchecked_into();
                let path = format!("{prefix}{}", entry.name());
                if entry.is_directory() {
                    // Version control folders hold many files that have nothing to do with the
                    // commits.
                    if is_worth_listing(&path) {
                        waiting.push((format!("{path}/"), entry.unchecked_into()));
                    }
                } else {
                    let file = file_of(entry.unchecked_ref())
                        .await
                        .map_err(|error| unreadable(&path, &error))?;
                    files.push(LocalFile { path, file });
                }
            }
            if files.len() > MAX_FILES {
                return Err(FilesError::TooMany(name));
            }
        }
    }
    Ok(Chosen::Folder { name, files })
}

fn unreadable(path: &str, error: &JsValue) -> FilesError {
    FilesError::Unreadable {
        path: path.to_owned(),
        detail: describe(error),
    }
}

async fn read_portion(reader: &FileSystemDirectoryReader) -> Result<Array, JsValue> {
    let entries =
        promise(|resolve, reject| reader.read_entries_with_callback_and_callback(resolve, reject));
    Ok(JsFuture::from(entries).await?.unchecked_into())
}

async fn file_of(entry: &FileSystemFileEntry) -> Result<File, JsValue> {
    let file = promise(|resolve, reject| {
        entry.file_with_callback_and_callback(resolve, reject);
        Ok(())
    });
    Ok(JsFuture::from(file).await?.unchecked_into())
}

/// Turns an interface with two callbacks into a promise.
fn promise(mut start: impl FnMut(&Function, &Function) -> Result<(), JsValue>) -> Promise {
    Promise::new(&mut |resolve, reject| {
        if let Err(error) = start(&resolve, &reject) {
            // Rejecting a promise cannot throw.
            let _ = reject.call1(&JsValue::UNDEFINED, &error);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_what_its_first_bytes_say() {
        let zip: &[u8] = b"PK\x03\x04rest";
        for (name, head, kind) in [
            ("a.zip", zip, Kind::Archive),
            ("conversation.json", zip, Kind::Archive),
            ("a.tar.gz", b"\x1f\x8b\x08", Kind::Archive),
            ("a.zip", b"", Kind::Archive),
            (
                "any.name",
                &footnote_core::index::file::MAGIC,
                Kind::Archive,
            ),
            (
                "conversation.json",
                b"\n {\"footnote\": 1}",
                Kind::Conversation,
            ),
            ("download", b"\xef\xbb\xbf{}", Kind::Conversation),
            ("notes.txt", b"some notes", Kind::Other),
            ("a.zip", b"<html>", Kind::Other),
        ] {
            assert_eq!(kind_of(name, head), kind, "{name}");
        }
    }
}
