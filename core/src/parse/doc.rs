//! Extracts the first sentence of documentation comments.

/// Longest sentence kept, in characters.
const MAX_CHARS: usize = 300;

/// Comment lines that address a tool, not a reader.
const DIRECTIVES: [&str; 18] = [
    "!",
    "eslint",
    "@ts-",
    "prettier-",
    "go:",
    "+build",
    "nolint",
    "NOLINT",
    "noqa",
    "type:",
    "pylint",
    "istanbul",
    "jshint",
    "clang-format",
    "region",
    "rubocop",
    "luacheck",
    "zig fmt",
];

/// Returns the first sentence of a comment or documentation string, without its signs, white space
/// collapsed, at most 300 characters; empty if it says nothing.
pub(super) fn first_sentence(raw: &str) -> String {
    let mut words: Vec<&str> = Vec::new();
    // Only if the comment itself starts with them: elsewhere dashes are words, as in `--verbose`.
    let has_dashes = raw.trim_start().starts_with("--");
    for line in inner(raw).lines() {
        let line = if has_dashes { undashed(line) } else { line };
        let line = bare(line);
        if line.is_empty() {
            if words.is_empty() {
                continue;
            }
            break;
        }
        if is_tag(line) || is_directive(line) {
            if words.is_empty() {
                continue;
            }
            break;
        }
        for word in line.split_whitespace() {
            words.push(word);
            if ends_sentence(word) {
                return cut(&words.join(" "));
            }
        }
    }
    cut(&words.join(" "))
}

/// Removes the quotes of a documentation string.
fn inner(raw: &str) -> &str {
    let raw = raw.trim();
    let unprefixed = raw.trim_start_matches(|sign: char| "rRuUbBfF".contains(sign));
    for quote in ["\"\"\"", "'''", "\"", "'"] {
        if let Some(rest) = unprefixed.strip_prefix(quote) {
            return rest.strip_suffix(quote).unwrap_or(rest);
        }
    }
    raw
}

/// Removes Lua's comment signs from a line: `-- a`, `--- a`, `--[[ a`, `a ]]`.
fn undashed(line: &str) -> &str {
    let line = line.trim();
    let bare = line.trim_start_matches('-');
    let bare = match line.starts_with("--[") {
        true => bare.trim_start_matches(['[', '=']),
        false => bare,
    };
    bare.strip_suffix("]]").unwrap_or(bare)
}

/// Removes comment signs, rulers and markup around a line.
fn bare(line: &str) -> &str {
    let mut line = line.trim();
    for opening in ["/**", "/*!", "///", "//!", "/*", "//", "=begin", "=end"] {
        if let Some(rest) = line.strip_prefix(opening) {
            line = rest;
            break;
        }
    }
    line = line.strip_suffix("*/").unwrap_or(line).trim();
    line = line.trim_start_matches(['*', '#', '<']).trim();
    for tag in ["summary>", "/summary>", "p>", "/p>"] {
        line = line.strip_prefix(tag).unwrap_or(line).trim();
    }
    for tag in ["</summary>", "<p>", "</p>"] {
        line = line.strip_suffix(tag).unwrap_or(line).trim();
    }
    if line.chars().any(char::is_alphanumeric) {
        line
    } else {
        ""
    }
}

/// Whether a line is a tag, which ends the sentence: `@param x`, `\param x`, `:param x:`.
fn is_tag(line: &str) -> bool {
    for brief in ["@brief", "\\brief"] {
        if line.starts_with(brief) {
            return false;
        }
    }
    line.starts_with('@') || line.starts_with('\\') || line.starts_with(":param")
}

fn is_directive(line: &str) -> bool {
    DIRECTIVES.iter().any(|sign| line.starts_with(sign))
}

fn ends_sentence(word: &str) -> bool {
    let word = word.trim_end_matches(['"', '\'', ')', '`', '*']);
    if word.ends_with(['!', '?', '。']) {
        return true;
    }
    let Some(stem) = word.strip_suffix('.') else {
        return false;
    };
    let stem = stem.trim_start_matches(['(', '"', '`']);
    let abbreviated = [
        "e.g", "i.e", "etc", "vs", "cf", "E.g", "I.e", "approx", "resp",
    ]
    .contains(&stem);
    !abbreviated && !stem.ends_with('.')
}

/// Cuts a sentence to at most [`MAX_CHARS`] characters, without a leading `@brief`.
fn cut(sentence: &str) -> String {
    let sentence = sentence
        .trim_start_matches("@brief")
        .trim_start_matches("\\brief")
        .trim();
    super::signature::truncate(sentence, MAX_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_is_found_in_every_style() {
        for (raw, sentence) in [
            (
                "\"\"\"Sends a request.\n\n    :param x: y\n    \"\"\"",
                "Sends a request.",
            ),
            ("r'''Sends\n    a request'''", "Sends a request"),
            ("/// Opens it.\n/// Then more.", "Opens it."),
            (
                "/**\n * Opens the file,\n * e.g. a log. Never fails.\n * @param x y\n */",
                "Opens the file, e.g. a log.",
            ),
            ("/** Short */", "Short"),
            ("// --------\n// Size of it\n// --------", "Size of it"),
            ("# shell style\n#\n# more", "shell style"),
            ("/// <summary>\n/// Adds one.\n/// </summary>", "Adds one."),
            ("// eslint-disable-next-line\n// Real words", "Real words"),
            ("/** @returns nothing */", ""),
            ("/** @brief Does it. More. */", "Does it."),
            ("--- Opens it.\n-- @param x y", "Opens it."),
            ("--[[ Joins\n     two parts. ]]", "Joins two parts."),
            ("--[==[\nSize of it\n]==]", "Size of it"),
            ("\"--verbose prints more.\"", "--verbose prints more."),
            ("", ""),
            ("//", ""),
        ] {
            assert_eq!(first_sentence(raw), sentence, "{raw:?}");
        }
    }
}
