//! go.mod (Go modules reference, “go.mod files”).

use super::{FactKind, Found};
use crate::lang::text::Rows;

pub(super) fn module(found: &mut Found<'_>) {
    let rows = Rows::new(found.text);
    // The directive whose block is open: `require (`.
    let mut block = "";
    for (row, line) in rows.iter() {
        let (code, comment) = line.split_once("//").unwrap_or((line, ""));
        let code = code.trim();
        let (directive, value) = match code.split_once(char::is_whitespace) {
            _ if block.is_empty() && code.is_empty() => continue,
            Some((directive, value)) if block.is_empty() => (directive, value.trim()),
            _ if code == ")" => {
                block = "";
                continue;
            }
            _ => (block, code),
        };
        if value == "(" {
            block = directive;
            continue;
        }
        let (what, value) = match directive {
            "module" => (FactKind::Name, value.trim_matches('"').to_string()),
            "go" => (FactKind::RequiresLanguage, format!("Go {value}")),
            "require" if comment.trim() == "indirect" => {
                (FactKind::TransitiveDependency, value.to_string())
            }
            "require" => (FactKind::Dependency, value.to_string()),
            "tool" => (FactKind::DevDependency, value.to_string()),
            _ => continue,
        };
        found.add(what, &value, rows.lines(row, row + 1));
    }
}
