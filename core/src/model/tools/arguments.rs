//! The arguments of a tool call, as models write them.

use serde_json::{Map, Value};

/// An object. Its fields are read leniently, because models confuse numbers and strings.
pub(super) struct Arguments(Map<String, Value>);

impl Arguments {
    /// Reads JSON text; a string that contains the JSON is accepted too.
    ///
    /// # Errors
    /// A sentence for the model.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut value: Value = serde_json::from_str(text)
            .map_err(|error| format!("The arguments are not valid JSON ({error})."))?;
        if let Value::String(inner) = &value {
            value = serde_json::from_str(inner).unwrap_or_default();
        }
        match value {
            Value::Object(fields) => Ok(Self(fields)),
            _ => Err("The arguments must be a JSON object.".to_owned()),
        }
    }

    /// The non-empty text of a field.
    ///
    /// # Errors
    /// A sentence for the model.
    pub fn text(&self, name: &str) -> Result<&str, String> {
        let text = self.0.get(name).and_then(Value::as_str).map(str::trim);
        text.filter(|text| !text.is_empty())
            .ok_or_else(|| format!("The argument “{name}” is missing."))
    }

    /// A line number from 1; `None` if it is missing or not a number.
    pub fn line(&self, name: &str) -> Option<u32> {
        let number = match self.0.get(name)? {
            Value::Number(number) => number.as_f64()?,
            Value::String(text) => text.trim().parse().ok()?,
            _ => return None,
        };
        // Values out of range become the smallest or the largest.
        (!number.is_nan()).then_some((number as u32).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_however_they_are_written() {
        for (written, line) in [
            ("7", Some(7)),
            ("7.0", Some(7)),
            ("\"7\"", Some(7)),
            ("0", Some(1)),
            ("-3", Some(1)),
            ("1e300", Some(u32::MAX)),
            ("null", None),
            ("\"seven\"", None),
            ("[7]", None),
        ] {
            let arguments = Arguments::read(&format!("{{\"start\": {written}}}")).unwrap();
            assert_eq!(arguments.line("start"), line, "{written}");
        }
        assert_eq!(Arguments::read("{}").unwrap().line("start"), None);
    }

    #[test]
    fn arguments_that_are_not_an_object_are_reported() {
        for text in ["", "{\"path\": ", "[]", "null", "\"text\"", "7"] {
            assert!(Arguments::read(text).is_err(), "{text}");
        }
        let twice = serde_json::to_string(r#"{"path":"a"}"#).unwrap();
        assert_eq!(Arguments::read(&twice).unwrap().text("path"), Ok("a"));
    }
}
