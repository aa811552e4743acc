//! The code language model's side: loads the model once, then reads texts, one request at a time.
//! [`models`] decides which hardware they are computed on.

mod models;

use self::models::Models;
use super::answering;

/// Starts the code language model in this worker.
pub fn run() {
    answering::run::<Models>();
}
