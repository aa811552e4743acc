//! The language of a file: by its name, its extension, its first line, and, where one extension
//! serves two languages, by a look at the text.

use super::Language;

/// Bytes of a file that heuristics look at; enough to pass a licence header and the includes.
const LOOK_AT: usize = 32 * 1024;

impl Language {
    /// The language of a file, by name, extension and, for scripts without one, its first line.
    /// Anything unknown is [`Language::Text`].
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
        match extension.as_str() {
            "h" if looks_like_cpp(head(text)) => Language::Cpp,
            "h" => Language::C,
            // Qt's translation files share their extension with TypeScript.
            "ts" if text.trim_start().starts_with("<?xml") => Language::Text,
            "inc" if head(text).contains("<?php") => Language::Php,
            "conf" if looks_like_ini(head(text)) => Language::Ini,
            "txt" | "text" => prose(name, head(text)),
            "in" | "template" | "tmpl" => by_shebang(text).unwrap_or(Language::Text),
            other => by_extension(other)
                .or_else(|| by_shebang(text))
                .unwrap_or(Language::Text),
        }
    }
}

fn by_file_name(name: &str) -> Option<Language> {
    Some(match name {
        "Gemfile" | "Rakefile" | "Guardfile" | "Vagrantfile" | "Podfile" | "Brewfile"
        | "Fastfile" | "Capfile" | "Thorfile" | "Dangerfile" | ".pryrc" | ".irbrc" => {
            Language::Ruby
        }
        "SConstruct" | "SConscript" | "wscript" => Language::Python,
        "Jakefile" => Language::JavaScript,
        ".bashrc" | ".bash_profile" | ".bash_aliases" | ".profile" | ".zshrc" | ".zshenv"
        | ".envrc" | "PKGBUILD" => Language::Bash,
        "Pipfile" | "Cargo.lock" | "poetry.lock" | "uv.lock" | "pdm.lock" => Language::Toml,
        "Pipfile.lock" | "composer.lock" | ".babelrc" | ".prettierrc" | ".eslintrc"
        | ".jshintrc" | ".swcrc" | ".watchmanconfig" => Language::Json,
        ".clang-format" | ".clang-tidy" | ".clangd" | "CITATION.cff" => Language::Yaml,
        ".editorconfig" | ".gitconfig" | ".gitmodules" | ".flake8" | ".pylintrc" | "pylintrc"
        | ".coveragerc" | ".pypirc" | ".npmrc" | ".style.yapf" | ".isort.cfg" => Language::Ini,
        _ => return None,
    })
}

/// `extension` in lower case, without its dot.
fn by_extension(extension: &str) -> Option<Language> {
    Some(match extension {
        "py" | "pyi" | "pyw" => Language::Python,
        "js" | "mjs" | "cjs" | "jsx" => Language::JavaScript,
        "ts" | "mts" | "cts" => Language::TypeScript,
        "tsx" => Language::Tsx,
        "rs" => Language::Rust,
        "go" => Language::Go,
        "java" => Language::Java,
        "c" => Language::C,
        "cc" | "cpp" | "cxx" | "c++" | "hpp" | "hh" | "hxx" | "h++" | "ipp" | "inl" | "tpp"
        | "cu" | "cuh" | "ino" | "cppm" | "ixx" => Language::Cpp,
        "cs" | "csx" => Language::CSharp,
        "rb" | "rake" | "gemspec" | "podspec" | "ru" | "rbi" => Language::Ruby,
        "php" | "phtml" | "php5" | "php7" | "php8" => Language::Php,
        "kt" | "kts" => Language::Kotlin,
        "swift" => Language::Swift,
        "scala" | "sc" | "sbt" | "mill" => Language::Scala,
        "sh" | "bash" | "zsh" | "ksh" | "bats" | "ebuild" => Language::Bash,
        "md" | "markdown" | "mdown" | "mkd" | "mkdn" | "mdx" | "qmd" | "rmd" => Language::Markdown,
        "rst" | "rest" => Language::Rst,
        "toml" => Language::Toml,
        "yml" | "yaml" | "cff" => Language::Yaml,
        "json" | "jsonc" | "json5" | "geojson" | "webmanifest" | "ipynb" | "code-workspace" => {
            Language::Json
        }
        "ini" | "cfg" | "properties" | "desktop" | "service" => Language::Ini,
        _ => return None,
    })
}

/// The interpreter named by a `#!` line.
fn by_shebang(text: &str) -> Option<Language> {
    let line = text.lines().next()?.strip_prefix("#!")?;
    let mut words = line.split_whitespace();
    let mut program = words.next()?.rsplit('/').next()?;
    if program == "env" {
        // Options (`-S`) and settings (`PATH=…`) may stand before the program.
        program = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
        program = program.rsplit('/').next()?;
    }
    let program = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    Some(match program {
        "python" | "pypy" | "pythonw" => Language::Python,
        "node" | "nodejs" | "bun" => Language::JavaScript,
        "deno" | "ts-node" | "tsx" => Language::TypeScript,
        "ruby" | "jruby" | "rake" => Language::Ruby,
        "php" => Language::Php,
        "sh" | "bash" | "zsh" | "ksh" | "dash" | "ash" | "bats" => Language::Bash,
        "kotlin" | "kotlinc" => Language::Kotlin,
        "swift" => Language::Swift,
        "scala" | "scala-cli" | "amm" => Language::Scala,
        "rust-script" => Language::Rust,
        _ => return None,
    })
}

/// Plain text, unless it is marked up: some projects keep reStructuredText in `.txt`, and a README
/// may have no extension.
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

/// An explicit markup block (`.. name::`, `.. _label:`) or a literal block together with an
/// underlined title; ordinary text files have underlines too, so those alone do not count.
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

fn looks_like_ini(head: &str) -> bool {
    let mut lines = head
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with(['#', ';']));
    lines
        .next()
        .is_some_and(|line| line.starts_with('[') && line.ends_with(']'))
}

/// Whether a `.h` file is C++: it uses a construct that C lacks, outside comments and outside what
/// only a C++ compiler sees (`#ifdef __cplusplus`, the usual guard of a C header).
fn looks_like_cpp(head: &str) -> bool {
    let mut guarded = false;
    for line in head.lines().map(str::trim) {
        if line.starts_with('#') {
            if line.starts_with("#if") && line.contains("__cplusplus") {
                guarded = true;
            } else if line.starts_with("#e") {
                guarded = false;
            }
            if is_cpp_include(line) {
                return true;
            }
            continue;
        }
        let is_comment = line.starts_with("//") || line.starts_with('*') || line.starts_with("/*");
        if !guarded && !is_comment && is_cpp_line(line) {
            return true;
        }
    }
    false
}

/// `#include <vector>`: the headers of C++'s library have no extension.
fn is_cpp_include(line: &str) -> bool {
    line.strip_prefix("#include <")
        .and_then(|rest| rest.split_once('>'))
        .is_some_and(|(header, _)| !header.contains(['.', '/']))
}

fn is_cpp_line(line: &str) -> bool {
    const STARTS: [&str; 12] = [
        "class ",
        "namespace ",
        "namespace{",
        "inline namespace ",
        "template <",
        "template<",
        "using ",
        "public:",
        "private:",
        "protected:",
        "virtual ",
        "constexpr ",
    ];
    STARTS.iter().any(|start| line.starts_with(start))
        || line.contains("std::")
        || line.contains("operator==")
        || line.contains("= delete;")
        || line.contains("= default;")
}

/// The first [`LOOK_AT`] bytes, cut at a character.
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
        assert_eq!(all.len(), 16);
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
