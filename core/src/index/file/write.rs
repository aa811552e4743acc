//! Writes index files, a block a step.

use std::borrow::Cow;
use std::convert::Infallible;
use std::mem;

use super::blocks::{BLOCK, pack};
use super::header::{
    self, About, Archive, Codec, ContentHash, Encoder, Entry, TEXTS, content, half,
};
use super::vectors::{MODEL, PackedVectors, TABLE, rows};
use crate::index::Index;
use crate::index::format::beside::SECTIONS;
use crate::index::format::{self, Section};
use crate::job::{Job, Progress, Step, run_to_end};

/// DEFLATE's levels: words and records shrink well, vectors hardly.
const LEVEL: u32 = 6;
const VECTOR_LEVEL: u32 = 1;

/// What is written to an index file.
pub struct Contents<'a> {
    /// The index. Its static encoder's vectors are written if they have arrived.
    pub index: &'a Index,
    /// The embedding model's vectors, if some are to be inside.
    pub model: Option<PackedVectors>,
    /// The archive that it was made from, if that is known.
    pub archive: Option<Archive>,
    /// The version of this Footnote.
    pub made_by: &'a str,
    /// Whether the source text is inside. Without it the file can only be opened beside its
    /// archive.
    pub with_text: bool,
}

/// A finished index file.
pub struct Encoded {
    /// What it says about itself.
    pub about: About,
    pieces: Vec<Vec<u8>>,
}

impl Encoded {
    /// Returns the number of bytes of the file.
    pub fn length(&self) -> u64 {
        self.about.length
    }

    /// Returns the bytes of the file, in pieces of about a megabyte at most.
    pub fn into_pieces(self) -> impl Iterator<Item = Vec<u8>> {
        self.pieces.into_iter()
    }
}

/// Writes an index file in one go.
pub fn encode(contents: Contents<'_>) -> Encoded {
    let Ok(encoded) = run_to_end(Encoding::new(contents));
    encoded
}

/// Writes an index file; progress counts sections.
pub struct Encoding<'a> {
    sections: Box<dyn Iterator<Item = Section<'a>> + 'a>,
    about: About,
    open: Option<Open<'a>>,
    entries: Vec<Entry>,
    blocks: Vec<Vec<u8>>,
    with_text: bool,
    total: u64,
}

/// A section that is being packed.
struct Open<'a> {
    name: &'static str,
    pieces: std::vec::IntoIter<Cow<'a, [u8]>>,
    /// The piece that is being copied, and how far.
    piece: Cow<'a, [u8]>,
    at: usize,
    hasher: blake3::Hasher,
    raw: u64,
    packed: u64,
}

impl<'a> Encoding<'a> {
    /// Writes these contents.
    pub fn new(contents: Contents<'a>) -> Self {
        let index = contents.index;
        let table = index.table().map(|table| Encoder {
            id: table.id().to_owned(),
            dimension: table.vectors().dimension() as u32,
        });
        let model = contents.model;
        let text_bytes = index.repo.files.iter().map(|file| file.text.len() as u64);
        let about = About {
            name: index.repo.name.clone(),
            made_by: contents.made_by.to_owned(),
            archive: contents.archive,
            model: model.as_ref().map(|model| model.encoder.clone()),
            has_text: contents.with_text,
            files: index.repo.files.len() as u32,
            chunks: index.chunks.len() as u32,
            text_bytes: text_bytes.sum(),
            languages: About::languages_of(index),
            content: ContentHash::default(),
            length: 0,
            table,
        };
        let sections = format::encode(index)
            .chain(std::iter::once_with(|| table_section(index)).flatten())
            .chain(model.map(|model| section(MODEL, model.bytes)));
        let vectors = u64::from(about.table.is_some()) + u64::from(about.model.is_some());
        Self {
            sections: Box::new(sections),
            about,
            open: None,
            entries: Vec::new(),
            blocks: Vec::new(),
            with_text: contents.with_text,
            total: SECTIONS as u64 + vectors,
        }
    }

    /// Packs the next block of the open section; closes it at its end.
    fn pack_next(&mut self, mut open: Open<'a>) {
        let level = match open.name {
            TABLE | MODEL => VECTOR_LEVEL,
            _ => LEVEL,
        };
        let block = open.next_block();
        if !block.is_empty() {
            open.hasher.update(&block);
            open.raw += block.len() as u64;
            if self.is_kept(open.name) {
                let packed = pack(&block, level);
                open.packed += packed.len() as u64;
                self.blocks.push(packed);
            }
        }
        if block.len() == BLOCK {
            self.open = Some(open);
            return;
        }
        self.entries.push(Entry {
            name: open.name.to_owned(),
            codec: match self.is_kept(open.name) {
                true => Codec::Deflate,
                false => Codec::LeftOut,
            },
            raw: open.raw,
            packed: open.packed,
            digest: half(&open.hasher.finalize()),
        });
    }

    fn is_kept(&self, section: &str) -> bool {
        self.with_text || section != TEXTS
    }

    fn finish(&mut self) -> Encoded {
        let mut about = self.about.clone();
        about.content = content(&self.entries, [&about.table, &about.model]);
        let mut pieces = vec![header::encode(&about, &self.entries)];
        pieces.append(&mut self.blocks);
        about.length = pieces.iter().map(|piece| piece.len() as u64).sum();
        Encoded { about, pieces }
    }
}

impl Job for Encoding<'_> {
    type Output = Encoded;
    type Error = Infallible;

    fn step(&mut self) -> Result<Step<Encoded>, Infallible> {
        if let Some(open) = self.open.take() {
            self.pack_next(open);
        } else if let Some(section) = self.sections.next() {
            self.open = Some(Open::new(section));
        } else {
            return Ok(Step::Done(self.finish()));
        }
        Ok(Step::Working(Progress {
            done: self.entries.len() as u64,
            total: self.total,
        }))
    }
}

impl<'a> Open<'a> {
    fn new(section: Section<'a>) -> Self {
        Self {
            name: section.name,
            pieces: section.pieces.into_iter(),
            piece: Cow::Borrowed(&[]),
            at: 0,
            hasher: blake3::Hasher::new(),
            raw: 0,
            packed: 0,
        }
    }

    /// Takes the next bytes of the section; fewer than [`BLOCK`] at its end only.
    fn next_block(&mut self) -> Vec<u8> {
        let mut block = Vec::new();
        while block.len() < BLOCK {
            let rest = self.piece.get(self.at..).unwrap_or_default();
            if rest.is_empty() {
                let Some(next) = self.pieces.next() else {
                    break;
                };
                self.piece = next;
                self.at = 0;
                continue;
            }
            let taken = rest.len().min(BLOCK - block.len());
            block.extend_from_slice(rest.get(..taken).unwrap_or_default());
            self.at += taken;
        }
        if block.is_empty() {
            // A large piece need not stay until the section ends.
            mem::take(&mut self.piece);
        }
        block
    }
}

fn table_section(index: &Index) -> Option<Section<'_>> {
    let table = index.table()?;
    Some(section(TABLE, rows(table.vectors())))
}

fn section<'a>(name: &'static str, bytes: Vec<u8>) -> Section<'a> {
    let pieces = vec![Cow::Owned(bytes)];
    Section { name, pieces }
}
