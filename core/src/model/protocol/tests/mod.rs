//! Bodies in the form of each service's documentation, and what is read from them.

mod errors;
mod failures;
mod models;
mod requests;
mod splits;
mod streams;

use super::*;

/// All events of a stream that arrives in one piece.
fn read(kind: Kind, bytes: &[u8]) -> Vec<StreamEvent> {
    let mut reader = StreamReader::new(kind);
    let mut events = reader.push(bytes);
    events.extend(reader.finish());
    events
}

fn service(kind: Kind) -> Service {
    Service::new(kind, kind.usual_address()).unwrap()
}

macro_rules! fixture {
    ($name:literal) => {
        include_bytes!($name).as_slice()
    };
}
use fixture;
