//! Reads JSON from others: a missing or unexpected field is `None`, never an error.

use serde_json::Value;

/// The text at a JSON pointer, if it is not empty.
pub(super) fn text<'v>(value: &'v Value, pointer: &str) -> Option<&'v str> {
    let text = value.pointer(pointer)?.as_str()?;
    (!text.is_empty()).then_some(text)
}

/// The number at a JSON pointer; one that is too large becomes the maximum.
pub(super) fn number(value: &Value, pointer: &str) -> Option<u32> {
    let number = value.pointer(pointer)?;
    let number = number
        .as_u64()
        .or_else(|| number.as_f64().filter(|n| *n >= 0.0).map(|n| n as u64))?;
    Some(u32::try_from(number).unwrap_or(u32::MAX))
}

/// The list at a JSON pointer; empty if there is none.
pub(super) fn list<'v>(value: &'v Value, pointer: &str) -> &'v [Value] {
    let list = value.pointer(pointer).and_then(Value::as_array);
    list.map_or(&[], Vec::as_slice)
}
