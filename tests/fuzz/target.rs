//! What a target is.

use crate::mutate::Rng;

/// A reader of input that others made. Its input is bytes, so that it can be saved, made smaller
/// and read again.
pub struct Target {
    /// As it is called on the command line; also the folder of its inputs.
    pub name: &'static str,
    /// Makes an input; the same for the same numbers.
    pub make: fn(&mut Rng) -> Vec<u8>,
    /// Panics if something does not hold.
    pub check: fn(&[u8]),
}

/// Where an input is cut, in targets whose text or bytes come in pieces: the sign *record
/// separator*, which nothing else holds.
pub const CUT: u8 = 0x1e;

/// What an input is without its cuts, and where they are.
pub fn pieces(input: &[u8]) -> (Vec<u8>, Vec<usize>) {
    let mut whole = Vec::with_capacity(input.len());
    let mut cuts = Vec::new();
    for &byte in input {
        match byte {
            CUT => cuts.push(whole.len()),
            _ => whole.push(byte),
        }
    }
    (whole, cuts)
}

/// An input with some cuts in it.
pub fn cut(rng: &mut Rng, whole: &[u8]) -> Vec<u8> {
    let mut input = whole.to_vec();
    input.retain(|&byte| byte != CUT);
    for _ in 0..rng.below(8) {
        let at = rng.below(input.len() + 1);
        input.insert(at, CUT);
    }
    input
}
