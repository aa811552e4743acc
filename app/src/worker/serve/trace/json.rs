//! A trace as JSON: its document unchanged.

use super::formats::Format;
use crate::worker::protocol::FormatSpec;

pub const FORMAT: Format = Format {
    spec: FormatSpec::JSON,
    write: |doc| serde_json::to_string_pretty(doc),
};
