//! The definition of a target.

use crate::mutate::Rng;

/// A reader of other people's input. The input is bytes, so that it can be saved, reduced and read
/// again.
pub struct Target {
    /// The name on the command line; also the folder of its inputs.
    pub name: &'static str,
    /// Makes an input; the same one for the same numbers.
    pub make: fn(&mut Rng) -> Vec<u8>,
    /// Panics if something does not hold.
    pub check: fn(&[u8]),
}

/// Marks where an input is cut, in targets whose text or bytes arrive in pieces: the *record
/// separator* character, which occurs nowhere else.
pub const CUT: u8 = 0x1e;

/// The input without its cuts, and the positions of the cuts.
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

/// The input with some cuts in it.
pub fn cut(rng: &mut Rng, whole: &[u8]) -> Vec<u8> {
    let mut input = whole.to_vec();
    input.retain(|&byte| byte != CUT);
    for _ in 0..rng.below(8) {
        let at = rng.below(input.len() + 1);
        input.insert(at, CUT);
    }
    input
}
