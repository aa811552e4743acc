//! The storage format of vectors: batches of content keys and vector bytes, so that a vector is
//! found again in any repository that contains its text.

use footnote_core::index::ContentKey;

const KEY: usize = 16;

/// Encodes keys and vectors as one batch; all vectors have the same length in bytes.
pub fn encode(vectors: &[(ContentKey, Vec<u8>)]) -> Vec<u8> {
    let length = vectors.first().map_or(0, |(_, vector)| vector.len());
    let mut bytes = Vec::with_capacity(4 + vectors.len() * (KEY + length));
    bytes.extend_from_slice(&(length as u32).to_le_bytes());
    for (key, vector) in vectors {
        if vector.len() == length {
            bytes.extend_from_slice(&key.0);
            bytes.extend_from_slice(vector);
        }
    }
    bytes
}

/// Decodes the keys and vectors of a batch, ignoring a damaged end.
pub fn decode(bytes: &[u8]) -> impl Iterator<Item = (ContentKey, &[u8])> {
    let (head, records) = bytes.split_at_checked(4).unwrap_or((&[0; 4], &[]));
    let length = head
        .try_into()
        .map_or(0, |head| u32::from_le_bytes(head) as usize);
    records
        .chunks_exact((KEY + length).max(KEY + 1))
        .filter_map(|record| {
            let (key, vector) = record.split_at_checked(KEY)?;
            Some((ContentKey(key.try_into().ok()?), vector))
        })
}

/// Bytes that one vector of `length` bytes takes when saved.
pub fn bytes_each(length: usize) -> usize {
    KEY + length
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn batches_come_back_as_they_were(
            (length, count, seed) in (1_usize..500, 0_usize..40, any::<u8>()),
        ) {
            let vectors: Vec<_> = (0..count)
                .map(|at| (ContentKey([at as u8 ^ seed; 16]), vec![at as u8; length]))
                .collect();
            let bytes = encode(&vectors);
            let back: Vec<_> = decode(&bytes)
                .map(|(key, vector)| (key, vector.to_vec()))
                .collect();
            prop_assert_eq!(back, vectors);
        }

        #[test]
        fn any_bytes_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            for (_, vector) in decode(&bytes) {
                prop_assert!(vector.len() < bytes.len());
            }
        }
    }
}
