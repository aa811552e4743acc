//! The encoder's side: loads the model once, then turns batches of texts into vectors, one after
//! the other. Which texts come when is the pool's business; on what they are computed is that of
//! [`models`].

mod models;

use self::models::Models;
use super::answering;

/// Starts the encoder in this worker.
pub fn run() {
    answering::run::<Models>();
}
