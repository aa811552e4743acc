//! The code language model's side: loads the model once, then reads texts, one request after the
//! other. On what they are computed is the business of [`models`].

mod models;

use self::models::Models;
use super::answering;

/// Starts the model's side in this worker.
pub fn run() {
    answering::run::<Models>();
}
