//! Packs: many objects in one file, most of them as deltas to others (gitformat-pack(5), version
//! 2).

use std::io::Read;

use flate2::read::ZlibDecoder;

use super::object::{Kind, Object, Oid};

/// Largest unpacked object, in bytes; no tree or commit made by a program is larger.
pub(crate) const MAX_OBJECT_BYTES: u64 = 16 << 20;

/// A pack and its index.
#[derive(Clone, Copy)]
pub(crate) struct Pack<'a> {
    data: &'a [u8],
    /// 256 cumulative counts by first byte, then names, checksums, offsets, large offsets.
    index: &'a [u8],
    count: usize,
}

/// One entry of a pack, unpacked; a delta is not applied yet.
pub(crate) enum Packed {
    Whole(Object),
    /// A delta to the entry at an earlier offset in the same pack.
    OffsetDelta {
        base: usize,
        delta: Vec<u8>,
    },
    /// A delta to another object.
    NamedDelta {
        base: Oid,
        delta: Vec<u8>,
    },
}

impl<'a> Pack<'a> {
    /// `None` if either file is not of version 2.
    pub(crate) fn new(data: &'a [u8], index: &'a [u8]) -> Option<Self> {
        let index = index.strip_prefix(b"\xfftOc\0\0\0\x02")?;
        data.strip_prefix(b"PACK\0\0\0\x02")?;
        let count = number(index, 255 * 4)? as usize;
        let has_tables = index.len() / 28 >= count.saturating_add(36);
        has_tables.then_some(Self { data, index, count })
    }

    /// The offset of the object with this name.
    pub(crate) fn find(&self, oid: &Oid) -> Option<usize> {
        let fan = |byte: usize| number(self.index, byte * 4).map(|n| n as usize);
        let first = usize::from(oid[0]);
        let mut low = if first == 0 { 0 } else { fan(first - 1)? };
        let mut high = fan(first)?.min(self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            let at = 1_024 + middle * 20;
            match self.index.get(at..at + 20)?.cmp(oid.as_slice()) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return self.offset(middle),
            }
        }
        None
    }

    fn offset(&self, at: usize) -> Option<usize> {
        let offsets = 1_024 + self.count * 24;
        let short = number(self.index, offsets + at * 4)?;
        if short & 0x8000_0000 == 0 {
            return Some(short as usize);
        }
        let large = offsets + self.count * 4 + (short & 0x7fff_ffff) as usize * 8;
        let (high, low) = (number(self.index, large)?, number(self.index, large + 4)?);
        usize::try_from(u64::from(high) << 32 | u64::from(low)).ok()
    }

    /// Unpacks the entry at `offset`.
    pub(crate) fn entry(&self, offset: usize) -> Option<Packed> {
        let mut rest = self.data.get(offset..)?;
        let first = take(&mut rest)?;
        // The size comes next, but is not needed: the unpacked bytes count.
        let mut byte = first;
        while byte & 0x80 != 0 {
            byte = take(&mut rest)?;
        }
        match first >> 4 & 7 {
            1 => whole(Kind::Commit, rest),
            2 => whole(Kind::Tree, rest),
            3 | 4 => whole(Kind::Other, rest),
            6 => {
                let base = offset.checked_sub(distance(&mut rest)?)?;
                let delta = inflate(rest)?;
                (base < offset).then_some(Packed::OffsetDelta { base, delta })
            }
            7 => {
                let (base, rest) = rest.split_first_chunk::<20>()?;
                let delta = inflate(rest)?;
                Some(Packed::NamedDelta { base: *base, delta })
            }
            _ => None,
        }
    }
}

fn whole(kind: Kind, packed: &[u8]) -> Option<Packed> {
    let bytes = inflate(packed)?;
    Some(Packed::Whole(Object { kind, bytes }))
}

/// The distance back to the base of a delta: 7 bits per byte, with each further byte counted from
/// 1.
fn distance(rest: &mut &[u8]) -> Option<usize> {
    let mut byte = take(rest)?;
    let mut distance = usize::from(byte & 0x7f);
    while byte & 0x80 != 0 {
        byte = take(rest)?;
        distance = distance.checked_add(1)?.checked_mul(128)? | usize::from(byte & 0x7f);
    }
    Some(distance)
}

/// Inflates a zlib stream; `None` if it is damaged or larger than [`MAX_OBJECT_BYTES`].
pub(crate) fn inflate(packed: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut stream = ZlibDecoder::new(packed).take(MAX_OBJECT_BYTES + 1);
    stream.read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= MAX_OBJECT_BYTES).then_some(bytes)
}

/// Applies a delta, which alternates copies from `base` with new bytes.
pub(crate) fn apply(base: &[u8], mut delta: &[u8]) -> Option<Vec<u8>> {
    let base_size = size(&mut delta)?;
    let result_size = size(&mut delta)?;
    if base_size != base.len() as u64 || result_size > MAX_OBJECT_BYTES {
        return None;
    }
    let mut result = Vec::new();
    while let Some((&command, rest)) = delta.split_first() {
        delta = rest;
        if command & 0x80 != 0 {
            let start = fields(&mut delta, command, 0..4)?;
            let length = match fields(&mut delta, command, 4..7)? {
                0 => 0x1_0000,
                length => length,
            };
            result.extend_from_slice(base.get(start..start.checked_add(length)?)?);
        } else {
            let (new, rest) = delta.split_at_checked(usize::from(command))?;
            // The command 0 is reserved.
            if new.is_empty() {
                return None;
            }
            result.extend_from_slice(new);
            delta = rest;
        }
        if result.len() as u64 > result_size {
            return None;
        }
    }
    (result.len() as u64 == result_size).then_some(result)
}

/// A little-endian number; the given bits of `command` say which of its bytes are present.
fn fields(delta: &mut &[u8], command: u8, bits: std::ops::Range<u32>) -> Option<usize> {
    let mut value = 0;
    for (place, bit) in bits.enumerate() {
        if command >> bit & 1 == 1 {
            value |= usize::from(take(delta)?) << (8 * place);
        }
    }
    Some(value)
}

/// A size with 7 bits per byte, lowest first.
fn size(rest: &mut &[u8]) -> Option<u64> {
    let (mut value, mut shift) = (0u64, 0);
    loop {
        let byte = take(rest)?;
        value |= u64::from(byte & 0x7f).checked_shl(shift)?;
        if byte & 0x80 == 0 {
            return Some(value);
        }
        shift += 7;
    }
}

fn take(rest: &mut &[u8]) -> Option<u8> {
    let (&byte, after) = rest.split_first()?;
    *rest = after;
    Some(byte)
}

/// The big-endian number of four bytes at `at`.
fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let field = bytes.get(at..)?.first_chunk::<4>()?;
    Some(u32::from_be_bytes(*field))
}
