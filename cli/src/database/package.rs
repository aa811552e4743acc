//! Archives and index files → packages for the database.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use footnote_core::chunk::Chunking;
use footnote_core::index::Index;
use footnote_core::index::file::{self, About, Archive, Contents, IndexFile};
use footnote_core::job::run_to_end;
use footnote_core::source::ArchiveReader;
use sha2::{Digest, Sha256};

use super::queue::Work;
use super::rows::{Rows, clean};
use super::write::Package;
use crate::{Result, archive, model};

impl Package {
    /// Reads an archive or an index file. Without a `name`, the repository keeps its own.
    pub fn read(path: &Path, name: Option<&str>, groups: BTreeSet<String>) -> Result<Self> {
        let file_name = path.file_name().unwrap_or_default().to_string_lossy();
        let bytes = archive::read(path)?;
        Self::of(&file_name, bytes, name, groups)
            .map_err(|error| format!("{}: {error}", path.display()).into())
    }

    /// Does a worker's work.
    pub fn of_work(work: Work) -> std::result::Result<Self, String> {
        let Work {
            name,
            file_name,
            groups,
            archive,
        } = work;
        Self::of(&file_name, archive, Some(&name), groups).map_err(|error| error.to_string())
    }

    fn of(
        file_name: &str,
        bytes: Vec<u8>,
        name: Option<&str>,
        groups: BTreeSet<String>,
    ) -> Result<Self> {
        let (index, about, file) = match file::is_index_file(&bytes) {
            true => opened(file_name, bytes)?,
            false => indexed(file_name, bytes)?,
        };
        fits("its index file", file.len())?;
        let rows = Rows::new(&index).ok_or("the static encoder's vectors are missing")?;
        Ok(Self {
            name: clean(name.unwrap_or(&about.name)),
            groups,
            file_name: about.file_name(),
            content: Sha256::digest(&file).into(),
            file,
            rows,
        })
    }
}

/// The name of the repository that an archive or an index file holds. All of it is unpacked, as a
/// worker will, but nothing is indexed.
pub fn name_of(file_name: &str, bytes: Vec<u8>) -> Result<String> {
    let name = match file::is_index_file(&bytes) {
        true => IndexFile::open(bytes)?.decode()?.about.name,
        false => run_to_end(ArchiveReader::open(file_name, bytes)?)?.name,
    };
    Ok(clean(&name))
}

/// PostgreSQL keeps less than 1 GiB in a value, and takes no longer message; the other values of
/// a row are in the same one.
const LARGEST: usize = (1 << 30) - (1 << 20);

/// Refuses what is too large for a value of the database.
pub fn fits(what: &str, bytes: usize) -> std::result::Result<(), String> {
    match bytes <= LARGEST {
        true => Ok(()),
        false => Err(format!(
            "{what} has {bytes} bytes, but PostgreSQL keeps less than 1 GiB in one value. Leave out \
             files that need not be searched, or serve it from a folder (`footnote serve --indexes`)"
        )),
    }
}

/// Opens an index file; one that does not match its own text is made again from that. The vectors
/// are always computed again: they would decide on ranks, and nothing else in the file says whether
/// they are right.
fn opened(file_name: &str, bytes: Vec<u8>) -> Result<Parts> {
    let checked = archive::checked(IndexFile::open(bytes.as_slice())?.decode()?)?;
    let index = model::with_table(checked.index)?;
    if checked.differs {
        writeln!(std::io::stderr(), "{file_name} {}", archive::DIFFERS)?;
        return Ok(encoded(index, checked.about.archive));
    }
    Ok((index, checked.about, bytes))
}

/// An index, and the file that it is in.
type Parts = (Arc<Index>, About, Vec<u8>);

fn indexed(file_name: &str, bytes: Vec<u8>) -> Result<Parts> {
    let archive = Archive {
        name: file_name.to_owned(),
        sha256: Sha256::digest(&bytes).into(),
    };
    let repo = run_to_end(ArchiveReader::open(file_name, bytes)?)?;
    let index = model::with_table(archive::index(repo, Chunking::FUNCTION)?)?;
    Ok(encoded(index, Some(archive)))
}

fn encoded(index: Arc<Index>, archive: Option<Archive>) -> Parts {
    let encoded = file::encode(Contents {
        index: &index,
        model: None,
        archive,
        made_by: env!("CARGO_PKG_VERSION"),
        with_text: true,
    });
    let about = encoded.about.clone();
    let file: Vec<u8> = encoded.into_pieces().flatten().collect();
    (index, about, file)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use footnote_core::source::{Repo, SourceFile};

    use super::*;

    fn index() -> Index {
        let repo = Repo {
            name: "shop-1.0".to_owned(),
            files: vec![SourceFile {
                path: "cart.py".to_owned(),
                text: "class Cart:\n    def add(self, item):\n        pass\n".to_owned(),
            }],
            ..Repo::default()
        };
        archive::index(repo, Chunking::FUNCTION).unwrap()
    }

    fn package(index: Index) -> (Vec<u8>, Package) {
        let (_, _, file) = encoded(Arc::new(index), None);
        let groups = BTreeSet::from(["public".to_owned()]);
        let package = Package::of("shop.footnote", file.clone(), None, groups).unwrap();
        (file, package)
    }

    fn names(package: &Package) -> Vec<&str> {
        let symbols = package.rows.symbols.iter();
        symbols.map(|it| it.qualified.as_str()).collect()
    }

    #[test]
    fn an_index_file_that_contradicts_its_text_is_made_again() {
        let (file, honest) = package(index());
        assert_eq!(names(&honest), ["Cart", "Cart.add"]);
        assert_eq!(honest.file, file);
        let mut forged = index();
        Arc::make_mut(&mut forged.parsed)[0].symbols[0].qualified = "Vault".to_owned();
        let (file, package) = package(forged);
        assert_eq!(names(&package), ["Cart", "Cart.add"]);
        assert_ne!(package.file, file);
        let stored = IndexFile::open(package.file).unwrap().decode().unwrap();
        assert!(!archive::checked(stored).unwrap().differs);
    }

    #[test]
    fn values_too_large_for_postgresql_are_refused_with_what_to_do() {
        assert_eq!(fits("it", LARGEST), Ok(()));
        for bytes in [LARGEST + 1, 1 << 30, usize::MAX] {
            let error = fits("its index file", bytes).unwrap_err();
            assert!(error.contains("--indexes") && error.contains(&bytes.to_string()));
        }
    }
}
