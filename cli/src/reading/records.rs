//! A file of the models' results for texts, so that a second run computes nothing again.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;

use footnote_core::index::ContentKey;

use crate::Result;

/// The records: 16 bytes of key, the number of bytes (u32), the bytes. They stay bytes, since few
/// are needed at once.
#[derive(Default)]
pub struct Records {
    known: HashMap<[u8; 16], Vec<u8>>,
    /// `None` if nothing is stored on disk.
    file: Option<File>,
}

impl Records {
    /// Opens the records in a folder, or in memory alone.
    pub fn open(folder: Option<&Path>, name: &str) -> Result<Self> {
        let Some(folder) = folder else {
            return Ok(Self::default());
        };
        std::fs::create_dir_all(folder)?;
        let mut file = OpenOptions::new()
            .create(true)
            .read(true)
            .append(true)
            .open(folder.join(name))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let mut known = HashMap::new();
        let mut rest = bytes.as_slice();
        while let Some((key, record, after)) = record(rest) {
            known.insert(key, record.to_vec());
            rest = after;
        }
        Ok(Self {
            known,
            file: Some(file),
        })
    }

    /// The record at `key`.
    pub fn get(&self, key: ContentKey) -> Option<&[u8]> {
        self.known.get(&key.0).map(Vec::as_slice)
    }

    /// Stores a record.
    pub fn put(&mut self, key: ContentKey, bytes: Vec<u8>) -> Result<()> {
        if let Some(file) = &mut self.file {
            let mut record = key.0.to_vec();
            record.extend((bytes.len() as u32).to_le_bytes());
            record.extend(&bytes);
            file.write_all(&record)?;
        }
        self.known.insert(key.0, bytes);
        Ok(())
    }

    /// The record at `key`, made and stored if there is none.
    pub fn get_or(
        &mut self,
        key: ContentKey,
        make: impl FnOnce() -> Result<Vec<u8>>,
    ) -> Result<Vec<u8>> {
        if let Some(known) = self.get(key) {
            return Ok(known.to_vec());
        }
        let bytes = make()?;
        self.put(key, bytes.clone())?;
        Ok(bytes)
    }
}

/// The first record: key, bytes, what follows it. `None` at the end, or if a run was stopped in the
/// middle of one.
fn record(bytes: &[u8]) -> Option<([u8; 16], &[u8], &[u8])> {
    let (key, rest) = bytes.split_first_chunk::<16>()?;
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let (record, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    Some((*key, record, rest))
}
