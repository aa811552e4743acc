//! The files of an export in one archive, for web pages, which cannot write folders.

use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;

use super::File;

/// A zip with `files` in one folder. Its bytes depend on nothing else: no time is stored.
///
/// # Errors
/// A duplicate name, or an archive above 4 GiB.
pub fn zipped(folder: &str, files: &[File]) -> Result<Vec<u8>, ZipError> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for file in files {
        writer.start_file(
            format!("{folder}/{}", file.name),
            SimpleFileOptions::default(),
        )?;
        writer.write_all(file.text.as_bytes())?;
    }
    Ok(writer.finish()?.into_inner())
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn all_files_come_out_as_they_went_in_and_twice_the_same_bytes() {
        let file = |name: &str, text: &str| File {
            name: name.to_owned(),
            text: text.to_owned(),
        };
        let files = [file("train.jsonl", "{}\n"), file("README.md", "größer\n")];
        let bytes = zipped("set", &files).unwrap();
        assert_eq!(bytes, zipped("set", &files).unwrap());
        let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        for File { name, text } in &files {
            let mut read = String::new();
            let mut entry = archive.by_name(&format!("set/{name}")).unwrap();
            entry.read_to_string(&mut read).unwrap();
            assert_eq!(read, *text);
        }
        assert!(zipped("set", &[file("a", ""), file("a", "")]).is_err());
    }
}
