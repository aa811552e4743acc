//! Reads paths as a model writes them, and finds questions that reveal them.

use serde_json::Value;

use crate::chunk::metadata::module;
use crate::lang::resolve::names::file_name;

/// The paths in a value: a list, or a single one.
pub(super) fn read(value: &Value) -> Vec<String> {
    match value {
        Value::Array(list) => list.iter().filter_map(one).collect(),
        value => one(value).into_iter().collect(),
    }
}

fn one(value: &Value) -> Option<String> {
    let text = value.as_str()?.trim().trim_matches(['`', '"', '\'']);
    let text = text.replace('\\', "/");
    let text = text.strip_prefix("./").unwrap_or(&text);
    let path = text.trim_start_matches('/');
    (!path.is_empty()).then(|| path.to_owned())
}

/// Whether a question names a file by its path, its name, or its module name.
pub(super) fn names_file(question: &str, path: &str) -> bool {
    let question = question.to_lowercase();
    let path = path.to_lowercase();
    let name = file_name(&path);
    let dotted = module(&path);
    let has = |name: &str| holds_word(&question, name);
    // `store` is a word; `store.py` and `app.store` are names.
    let short = dotted.rsplitn(3, '.').take(2).collect::<Vec<_>>();
    let short: Vec<&str> = short.into_iter().rev().collect();
    has(&path)
        || (name.contains('.') && has(name))
        || (short.len() == 2 && (has(&dotted) || has(&short.join("."))))
}

/// Whether `text` contains `name` between characters that cannot be part of a name.
pub(super) fn holds_word(text: &str, name: &str) -> bool {
    let is_part = |it: char| it.is_alphanumeric() || it == '_';
    text.match_indices(name).any(|(at, _)| {
        let before = text.get(..at).and_then(|it| it.chars().next_back());
        let after = text.get(at + name.len()..);
        let after = after.and_then(|it| it.chars().next());
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn paths_are_read_as_models_write_them() {
        for (value, expected) in [
            (json!(["a/b.py", " ./c.py "]), vec!["a/b.py", "c.py"]),
            (json!("a\\b.py"), vec!["a/b.py"]),
            (json!(["`/a.py`", 3, null, ""]), vec!["a.py"]),
            (json!({"a": 1}), vec![]),
        ] {
            assert_eq!(read(&value), expected, "{value}");
        }
    }

    #[test]
    fn a_question_names_a_file_by_its_path_name_or_module() {
        for (question, named) in [
            ("What does src/app/store.py do?", true),
            ("What does `Store.py` do?", true),
            ("What is in src.app.store?", true),
            ("What does app.store offer?", true),
            ("How does the store keep values?", false),
            ("What does mystore.py do?", false),
            ("What does app.stores offer?", false),
        ] {
            assert_eq!(
                names_file(question, "src/app/store.py"),
                named,
                "{question}"
            );
        }
        assert!(!names_file("What does the main loop do?", "main.py"));
        assert!(names_file("What does main.py do?", "main.py"));
    }
}
