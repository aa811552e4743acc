//! The encoder's side: loads the model once, then turns batches of texts into vectors, one batch at
//! a time. The pool decides which texts come when; [`models`] decides which hardware computes them.

mod models;

use self::models::Models;
use super::answering;

/// Starts the encoder in this worker.
pub fn run() {
    answering::run::<Models>();
}
