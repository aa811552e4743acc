//! A lesson as JSON, unchanged.

use super::formats::Format;
use crate::worker::protocol::FormatSpec;

pub const FORMAT: Format = Format {
    spec: FormatSpec::JSON,
    write: |lesson| serde_json::to_string_pretty(lesson),
};
