//! The index as bytes: counts, prefix-compressed terms, lengths and postings as varints.

use super::{Bm25, Bm25Params, factors};

/// What is wrong with the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BytesError {
    #[error("it ends too early")]
    TooShort,
    #[error("it contains more than it should")]
    TooLong,
    #[error("a number is out of range")]
    OutOfRange,
    #[error("a term is not text")]
    NotText,
    #[error("its terms are not in order")]
    OutOfOrder,
}

/// Longer terms are damage: identifiers have at most 100 bytes, and lower-casing at most triples
/// them.
const MAX_TERM: usize = 300;

impl Bm25 {
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.posting_chunks.len() * 2 + self.terms.len());
        for count in [
            self.chunk_count as usize,
            self.term_count(),
            self.posting_chunks.len(),
        ] {
            put(&mut bytes, count as u32);
        }
        for lengths in &self.lengths {
            for &length in lengths {
                put(&mut bytes, length);
            }
        }
        let mut previous = "";
        for term in self.terms() {
            let shared = shared_prefix(previous, term);
            put(&mut bytes, shared as u32);
            put(&mut bytes, (term.len() - shared) as u32);
            bytes.extend(term.bytes().skip(shared));
            previous = term;
        }
        for term in self.terms() {
            let Some((chunks, counts)) = self.postings(term) else {
                continue;
            };
            put(&mut bytes, chunks.len() as u32);
            let mut next = 0;
            for (&chunk, counts) in chunks.iter().zip(counts) {
                // Most postings are a term that occurs once, in the body.
                let simple = *counts == [1, 0, 0];
                put_u64(
                    &mut bytes,
                    u64::from(chunk - next) << 1 | u64::from(!simple),
                );
                if !simple {
                    bytes.extend(counts);
                }
                next = chunk + 1;
            }
        }
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, BytesError> {
        let mut reader = Reader(bytes);
        let chunk_count = reader.count()?;
        let term_count = reader.count()?;
        let posting_count = reader.count()?;
        let mut lengths = Vec::with_capacity(chunk_count);
        for _ in 0..chunk_count {
            lengths.push([reader.u32()?, reader.u32()?, reader.u32()?]);
        }
        let (terms, term_starts) = reader.terms(term_count)?;
        let mut posting_starts = Vec::with_capacity(term_count + 1);
        posting_starts.push(0);
        let mut chunks = Vec::with_capacity(posting_count);
        let mut counts = Vec::with_capacity(posting_count);
        for _ in 0..term_count {
            reader.postings(chunk_count as u64, &mut chunks, &mut counts)?;
            posting_starts.push(chunks.len() as u32);
        }
        if chunks.len() != posting_count {
            return Err(BytesError::OutOfRange);
        }
        if !reader.0.is_empty() {
            return Err(BytesError::TooLong);
        }
        let params = Bm25Params::default();
        Ok(Self {
            params,
            chunk_count: chunk_count as u32,
            terms,
            term_starts,
            posting_starts,
            posting_chunks: chunks,
            posting_counts: counts,
            factors: factors(&params, &lengths),
            lengths,
        })
    }
}

/// Number of bytes that both terms start with. May split a character; terms are joined as bytes.
fn shared_prefix(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count()
}

fn put(bytes: &mut Vec<u8>, value: u32) {
    put_u64(bytes, u64::from(value));
}

/// Seven bits per byte, lowest first; the high bit says that more follow.
fn put_u64(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn byte(&mut self) -> Result<u8, BytesError> {
        let (&first, rest) = self.0.split_first().ok_or(BytesError::TooShort)?;
        self.0 = rest;
        Ok(first)
    }

    fn u64(&mut self) -> Result<u64, BytesError> {
        let mut value = 0;
        for shift in (0..=35).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(BytesError::OutOfRange)
    }

    fn u32(&mut self) -> Result<u32, BytesError> {
        u32::try_from(self.u64()?).map_err(|_| BytesError::OutOfRange)
    }

    /// Reads a count of items that take at least a byte each, so that damage cannot request much
    /// memory.
    fn count(&mut self) -> Result<usize, BytesError> {
        let count = self.u32()? as usize;
        if count > self.0.len() {
            return Err(BytesError::TooShort);
        }
        Ok(count)
    }

    fn take(&mut self, count: usize) -> Result<&[u8], BytesError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(BytesError::TooShort)?;
        self.0 = rest;
        Ok(taken)
    }

    fn terms(&mut self, count: usize) -> Result<(String, Vec<u32>), BytesError> {
        let mut terms: Vec<u8> = Vec::with_capacity(count * 8);
        let mut starts = Vec::with_capacity(count + 1);
        starts.push(0);
        let mut previous = 0..0;
        for _ in 0..count {
            let shared = self.u32()? as usize;
            let fresh = self.count()?;
            if shared > previous.len() || shared + fresh > MAX_TERM {
                return Err(BytesError::OutOfRange);
            }
            let start = terms.len();
            terms.extend_from_within(previous.start..previous.start + shared);
            terms.extend_from_slice(self.take(fresh)?);
            // Terms are looked up by binary search: one out of order would not be found.
            let is_behind = terms.get(previous.clone()) < terms.get(start..);
            if starts.len() > 1 && !is_behind {
                return Err(BytesError::OutOfOrder);
            }
            previous = start..terms.len();
            starts.push(terms.len() as u32);
        }
        let terms = String::from_utf8(terms).map_err(|_| BytesError::NotText)?;
        if starts
            .iter()
            .any(|&start| !terms.is_char_boundary(start as usize))
        {
            return Err(BytesError::NotText);
        }
        Ok((terms, starts))
    }

    fn postings(
        &mut self,
        chunk_count: u64,
        chunks: &mut Vec<u32>,
        counts: &mut Vec<[u8; 3]>,
    ) -> Result<(), BytesError> {
        let count = self.count()?;
        let mut next = 0u64;
        for _ in 0..count {
            let value = self.u64()?;
            let chunk = next + (value >> 1);
            if chunk >= chunk_count {
                return Err(BytesError::OutOfRange);
            }
            let fields = if value & 1 == 0 {
                [1, 0, 0]
            } else {
                [self.byte()?, self.byte()?, self.byte()?]
            };
            chunks.push(chunk as u32);
            counts.push(fields);
            next = chunk + 1;
        }
        Ok(())
    }
}
