//! Whether a text looks like a file path.

/// How sure it is that a text is a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Certainty {
    /// A word that could be a file: a citation only in brackets and with a whole range.
    Word,
    /// It has folders, or an unknown extension: a citation only with lines.
    Likely,
    /// It has the name or the extension of a file.
    File,
}

/// Returns the path that `text` is, with `/` between its folders and none leading.
pub(super) fn path(text: &str) -> Option<(String, Certainty)> {
    let text = text.trim_matches(['`', '*', '"', '\'', ' ', '“', '”', '(']);
    let bare = without_drive(text);
    let is_odd = |c: char| {
        c.is_control() || matches!(c, '<' | '>' | '|' | '?' | '"' | '`' | ':' | '*' | ';')
    };
    if bare.is_empty()
        || bare.contains(is_odd)
        || bare.contains(", ")
        || !bare.contains(char::is_alphabetic)
    {
        return None;
    }
    let unified = bare.replace('\\', "/");
    let mut clean = unified.as_str();
    while let Some(rest) = clean.strip_prefix("./").or_else(|| clean.strip_prefix('/')) {
        clean = rest;
    }
    let certainty = certainty(clean)?;
    Some((clean.to_owned(), certainty))
}

fn without_drive(text: &str) -> &str {
    let mut characters = text.chars();
    match (characters.next(), characters.next(), characters.next()) {
        (Some(letter), Some(':'), Some('/' | '\\')) if letter.is_ascii_alphabetic() => {
            text.get(2..).unwrap_or(text)
        }
        _ => text,
    }
}

/// File names without an extension.
const NAMES: [&str; 22] = [
    "AUTHORS",
    "BUILD",
    "CHANGELOG",
    "CHANGES",
    "CODEOWNERS",
    "CONTRIBUTING",
    "COPYING",
    "Dockerfile",
    "Gemfile",
    "Jenkinsfile",
    "Justfile",
    "LICENCE",
    "LICENSE",
    "MANIFEST",
    "Makefile",
    "NEWS",
    "NOTICE",
    "Pipfile",
    "Procfile",
    "README",
    "Rakefile",
    "Vagrantfile",
];

/// Extensions of files that are cited.
const EXTENSIONS: [&str; 118] = [
    "adoc",
    "asm",
    "astro",
    "awk",
    "bash",
    "bat",
    "bazel",
    "bzl",
    "c",
    "cc",
    "cfg",
    "cjs",
    "clj",
    "cljs",
    "cmake",
    "cmd",
    "conf",
    "config",
    "cpp",
    "cs",
    "css",
    "csv",
    "cts",
    "cxx",
    "d",
    "dart",
    "diff",
    "ejs",
    "el",
    "elm",
    "env",
    "erb",
    "erl",
    "ex",
    "exs",
    "f90",
    "fish",
    "fs",
    "fsx",
    "gemspec",
    "go",
    "gradle",
    "graphql",
    "groovy",
    "h",
    "haml",
    "hbs",
    "hcl",
    "hh",
    "hpp",
    "hrl",
    "hs",
    "htm",
    "html",
    "hxx",
    "in",
    "inc",
    "ini",
    "ipynb",
    "java",
    "jinja",
    "jl",
    "js",
    "json",
    "jsonc",
    "jsx",
    "kt",
    "kts",
    "less",
    "lock",
    "lua",
    "m",
    "markdown",
    "md",
    "mdx",
    "mjs",
    "mk",
    "ml",
    "mli",
    "mod",
    "mts",
    "nim",
    "nix",
    "patch",
    "php",
    "pl",
    "pm",
    "po",
    "properties",
    "proto",
    "ps1",
    "py",
    "pyi",
    "pyx",
    "r",
    "rake",
    "rb",
    "rs",
    "rst",
    "sass",
    "scala",
    "scm",
    "scss",
    "sh",
    "sql",
    "svelte",
    "swift",
    "tex",
    "tf",
    "toml",
    "ts",
    "tsx",
    "txt",
    "vue",
    "xml",
    "yaml",
    "yml",
    "zig",
];

/// Products whose names end like a file name.
const PRODUCTS: [&str; 14] = [
    "alpine.js",
    "asp.net",
    "backbone.js",
    "chart.js",
    "d3.js",
    "discord.js",
    "ember.js",
    "express.js",
    "next.js",
    "node.js",
    "nuxt.js",
    "react.js",
    "three.js",
    "vue.js",
];

fn certainty(path: &str) -> Option<Certainty> {
    let name = path.rsplit('/').next()?;
    if path == name && PRODUCTS.contains(&name.to_lowercase().as_str()) {
        return None;
    }
    let (stem, extension) = match name.rsplit_once('.') {
        Some((stem, extension)) => (stem, Some(extension.to_lowercase())),
        None => (name, None),
    };
    let is_folder_above = path.len() > name.len();
    match extension {
        Some(known)
            if EXTENSIONS.binary_search(&known.as_str()).is_ok()
                && stem.len() + usize::from(is_folder_above) > 0 =>
        {
            Some(Certainty::File)
        }
        // `.gitignore`, `.github/CODEOWNERS`
        Some(name)
            if stem.is_empty()
                && name.len() > 2
                && name
                    .chars()
                    .all(|c| c.is_alphanumeric() || c == '_' || c == '-') =>
        {
            Some(Certainty::File)
        }
        Some(extension) => {
            let is_extension = extension.len() <= 10
                && extension.starts_with(|c: char| c.is_ascii_alphabetic())
                && extension
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || "_+-".contains(c));
            let has_space = path.contains(char::is_whitespace);
            (is_extension && is_folder_above && !has_space)
                .then_some(Certainty::Likely)
                .or((is_extension && !has_space).then_some(Certainty::Word))
        }
        None if NAMES.iter().any(|known| known.eq_ignore_ascii_case(name))
            && name.starts_with(char::is_uppercase) =>
        {
            Some(Certainty::File)
        }
        None if path.contains(char::is_whitespace) || name.is_empty() => None,
        None if is_folder_above => Some(Certainty::Likely),
        None => Some(Certainty::Word),
    }
}

/// Whether the path denotes a file wherever it occurs in running text.
pub(super) fn is_file(path: &str, certainty: Certainty) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    match certainty {
        Certainty::File => true,
        Certainty::Likely => name.contains('.'),
        Certainty::Word => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_are_sorted() {
        assert!(EXTENSIONS.is_sorted());
    }

    #[test]
    fn files_look_like_files() {
        for (text, expected) in [
            ("src/a.py", Some(Certainty::File)),
            ("README", Some(Certainty::File)),
            (".gitignore", Some(Certainty::File)),
            ("docs/my notes.md", Some(Certainty::File)),
            ("src/a.unknown", Some(Certainty::Likely)),
            ("and/or", Some(Certainty::Likely)),
            ("word", Some(Certainty::Word)),
            ("two words", None),
            ("Node.js", None),
            ("std::vec", None),
            ("10", None),
            ("", None),
        ] {
            assert_eq!(
                path(text).map(|(_, certainty)| certainty),
                expected,
                "{text}"
            );
        }
    }
}
