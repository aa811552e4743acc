//! A context as JSON: its document unchanged.

use super::formats::Format;
use crate::worker::protocol::FormatSpec;

pub const FORMAT: Format = Format {
    spec: FormatSpec::JSON,
    write: |doc, _| serde_json::to_string_pretty(doc),
};
