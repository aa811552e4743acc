//! What a module of CommonJS exports as a whole.

/// What stands before it.
const EXPORTS: &str = "module.exports";

/// Returns the name of the function or class that the module is: `Store` of `module.exports =
/// Store`, `create` of `module.exports = function create() {}`. `None` if it exports anything else,
/// or more than one thing in turn.
pub(super) fn whole(text: &str) -> Option<&str> {
    let mut given = text.match_indices(EXPORTS).filter_map(|(at, _)| {
        let rest = text.get(at + EXPORTS.len()..)?.trim_start_matches(' ');
        let value = rest.strip_prefix('=')?;
        (!value.starts_with('=')).then_some((at, value))
    });
    let (at, value) = given.next()?;
    let line = text.get(..at)?.rsplit('\n').next()?;
    // Under a condition or in a function, it may be something else.
    let is_at_top = line.is_empty() || line.trim() == "exports =" && !line.starts_with(' ');
    if given.next().is_some() || !is_at_top {
        return None;
    }
    let value = value.trim_start_matches(' ');
    let declared = ["function ", "async function ", "class "];
    let declared = declared.iter().find_map(|word| value.strip_prefix(word));
    let is_of_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let written = declared.unwrap_or(value);
    let end = written.find(|c| !is_of_name(c)).unwrap_or(written.len());
    let (name, behind) = written.split_at_checked(end)?;
    let ends = behind.trim_start_matches(' ').trim_start_matches(';');
    let is_all = declared.is_some() || ends.trim_start_matches(' ').starts_with(['\n', '\r', '/']);
    let is_name = name.starts_with(|c: char| !c.is_ascii_digit());
    (is_name && (is_all || ends.trim().is_empty())).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_single_name_is_what_a_module_is() {
        for (text, expected) in [
            ("class Store {}\n\nmodule.exports = Store;\n", Some("Store")),
            ("exports = module.exports = create\n", Some("create")),
            ("module.exports = function create(a) {\n}\n", Some("create")),
            ("module.exports = class Store {\n}\n", Some("Store")),
            ("module.exports = slug // the whole\n", Some("slug")),
            ("module.exports = slug", Some("slug")),
            (
                "module.exports = slug\nmodule.exports.trim = trim\n",
                Some("slug"),
            ),
            ("module.exports = wrap(slug);\n", None),
            ("module.exports = lib.slug;\n", None),
            ("module.exports = a || b;\n", None),
            ("module.exports = { slug };\n", None),
            ("module.exports = new Store();\n", None),
            ("module.exports = (a) => a;\n", None),
            ("module.exports = a;\nif (b) module.exports = c;\n", None),
            ("if (a) {\n  module.exports = b;\n}\n", None),
            ("if (module.exports == a) {}\n", None),
            ("exports.slug = slug;\n", None),
        ] {
            assert_eq!(whole(text), expected, "{text}");
        }
    }
}
