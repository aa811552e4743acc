//! Detects the language of a file: by its name, its extension, its first line, and, if two
//! languages share an extension, by its text.

use super::Language;

/// Number of bytes that heuristics examine; enough to get past a licence header and the includes.
const LOOK_AT: usize = 32 * 1024;

impl Language {
    /// Returns the language of a file, by name, extension and, for scripts without one, its first
    /// line. Anything unknown is [`Language::Text`].
    pub fn detect(path: &str, text: &str) -> Self {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        if let Some(language) = by_file_name(name) {
            return language;
        }
        let Some((_, extension)) = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty())
        else {
            return by_shebang(text).unwrap_or_else(|| prose(name, head(text)));
        };
        let extension = extension.to_ascii_lowercase();
        let claims = |language: &Language| {
            let claims = language.spec().claims;
            claims.is_some_and(|claims| claims(&extension, head(text)))
        };
        if let Some(language) = find(claims) {
            return language;
        }
        match extension.as_str() {
            "txt" | "text" => prose(name, head(text)),
            "in" | "template" | "tmpl" => by_shebang(text).unwrap_or(Language::Text),
            other => by_extension(other)
                .or_else(|| by_shebang(text))
                .unwrap_or(Language::Text),
        }
    }
}

fn find(is_it: impl Fn(&Language) -> bool) -> Option<Language> {
    Language::ALL
        .iter()
        .copied()
        .find(|language| is_it(language))
}

fn by_file_name(name: &str) -> Option<Language> {
    find(|language| language.spec().file_names.contains(&name))
}

/// Looks up `extension`, in lower case and without its dot.
pub(super) fn by_extension(extension: &str) -> Option<Language> {
    find(|language| language.spec().extensions.contains(&extension))
}

/// Returns the language of the interpreter in a `#!` line.
fn by_shebang(text: &str) -> Option<Language> {
    let line = text.lines().next()?.strip_prefix("#!")?;
    let mut words = line.split_whitespace();
    let mut program = words.next()?.rsplit('/').next()?;
    if program == "env" {
        // Options (`-S`) and settings (`PATH=…`) may precede the program.
        program = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
        program = program.rsplit('/').next()?;
    }
    let program = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    find(|language| language.spec().programs.contains(&program))
}

/// Returns plain text, unless it is marked up: some projects keep reStructuredText in `.txt`, and a
/// README may have no extension.
fn prose(name: &str, head: &str) -> Language {
    if looks_like_rst(head) {
        return Language::Rst;
    }
    let is_readme = name
        .get(..6)
        .is_some_and(|start| start.eq_ignore_ascii_case("readme"));
    let has_markdown_heading = head
        .lines()
        .any(|line| line.starts_with("# ") || line.starts_with("## "));
    if is_readme && has_markdown_heading {
        Language::Markdown
    } else {
        Language::Text
    }
}

/// Whether it has an explicit markup block (`.. name::`, `.. _label:`), or a literal block together
/// with an underlined title. Ordinary text files have underlines too, so those alone do not count.
fn looks_like_rst(head: &str) -> bool {
    let is_markup = |line: &str| {
        line.strip_prefix(".. ")
            .is_some_and(|rest| rest.starts_with('_') && rest.contains(':') || rest.contains("::"))
    };
    let is_adornment = |line: &str| {
        let line = line.trim_end();
        line.len() >= 3
            && line
                .bytes()
                .next()
                .is_some_and(|c| c.is_ascii_punctuation() && line.bytes().all(|other| other == c))
    };
    let is_role = |line: &str| {
        line.split_once(":`")
            .is_some_and(|(before, _)| before.contains(':'))
    };
    let has_markup = head.lines().any(|line| is_markup(line) || is_role(line));
    has_markup && head.lines().any(is_adornment)
}

/// Returns the first [`LOOK_AT`] bytes, cut at a character boundary.
fn head(text: &str) -> &str {
    text.get(..text.floor_char_boundary(LOOK_AT))
        .unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_extensions_decide() {
        for (path, language) in [
            ("src/requests/sessions.py", Language::Python),
            ("types/index.pyi", Language::Python),
            ("a/b.MJS", Language::JavaScript),
            ("App.jsx", Language::JavaScript),
            ("lib.d.ts", Language::TypeScript),
            ("App.tsx", Language::Tsx),
            ("src/lib.rs", Language::Rust),
            ("main.go", Language::Go),
            ("A.java", Language::Java),
            ("a.c", Language::C),
            ("a.hpp", Language::Cpp),
            ("A.cs", Language::CSharp),
            ("x.gemspec", Language::Ruby),
            ("Gemfile", Language::Ruby),
            ("index.php", Language::Php),
            ("build.gradle.kts", Language::Kotlin),
            ("Package.swift", Language::Swift),
            ("build.sbt", Language::Scala),
            ("install.sh", Language::Bash),
            (".bashrc", Language::Bash),
            ("README.md", Language::Markdown),
            ("HISTORY.rst", Language::Rst),
            ("Cargo.lock", Language::Toml),
            (".github/workflows/ci.yml", Language::Yaml),
            ("package.json", Language::Json),
            ("tox.ini", Language::Ini),
            (".editorconfig", Language::Ini),
            ("LICENSE", Language::Text),
            ("go.mod", Language::Text),
            ("", Language::Text),
            (".gitignore", Language::Text),
        ] {
            assert_eq!(Language::detect(path, ""), language, "{path}");
        }
    }

    #[test]
    fn a_first_line_names_the_interpreter_of_a_script_without_extension() {
        for (line, language) in [
            ("#!/usr/bin/env python3.12\n", Language::Python),
            ("#!/usr/bin/python\n", Language::Python),
            ("#! /bin/sh -e\n", Language::Bash),
            (
                "#!/usr/bin/env -S node --no-warnings\n",
                Language::JavaScript,
            ),
            ("#!/usr/bin/env ruby", Language::Ruby),
            ("#!/usr/bin/make -f\n", Language::Text),
            ("#!\n", Language::Text),
            ("echo hello\n", Language::Text),
        ] {
            assert_eq!(Language::detect("bin/tool", line), language, "{line:?}");
        }
    }

    #[test]
    fn a_header_is_cpp_only_if_it_uses_cpp_outside_a_cpp_guard() {
        let c = "/* class of things */\n#include <stdio.h>\n#ifdef __cplusplus\nnamespace x {\nextern \"C\" {\n#endif\nint f(void);\n";
        for (text, language) in [
            (c, Language::C),
            ("struct a { int b; };\n", Language::C),
            ("#include <vector>\n", Language::Cpp),
            ("namespace a {\nclass B;\n}\n", Language::Cpp),
            ("template <typename T>\nT max(T a, T b);\n", Language::Cpp),
            ("class A {\n public:\n  A();\n};\n", Language::Cpp),
        ] {
            assert_eq!(Language::detect("inc/a.h", text), language, "{text:?}");
        }
    }

    #[test]
    fn marked_up_text_is_recognised_without_its_extension() {
        let rst = "=====\nTitle\n=====\n\n.. module:: django.db\n\nSee :class:`x`.\n";
        for (path, text, language) in [
            ("docs/topics/db.txt", rst, Language::Rst),
            ("notes.txt", "Title\n=====\n\nplain\n", Language::Text),
            ("README", "# Title\n\ntext\n", Language::Markdown),
            ("README", "Title\n", Language::Text),
            ("notes", "# not a readme\n", Language::Text),
            ("app.conf", "; c\n[main]\na = 1\n", Language::Ini),
            ("nginx.conf", "server {\n}\n", Language::Text),
            ("de.ts", "<?xml version=\"1.0\"?>", Language::Text),
        ] {
            assert_eq!(Language::detect(path, text), language, "{path}");
        }
    }

    #[test]
    fn code_languages_are_listed_once_each() {
        let mut all = Language::ALL_CODE.to_vec();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), Language::ALL_CODE.len());
        assert!(Language::Bash.is_code() && !Language::Markdown.is_code());
    }

    proptest::proptest! {
        #[test]
        fn any_path_and_text_has_a_language(path in ".*", text in "\\PC*") {
            Language::detect(&path, &text);
            Language::detect("a.h", &text);
            Language::detect("README", &text);
        }
    }
}
