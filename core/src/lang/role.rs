//! The role of a file, determined from its path alone. The rules apply to any repository: they name
//! conventions of languages and build tools, never projects.

use super::detect::by_extension;

/// The role of a file, by its path; ranking and the extractive answer treat roles differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The code of the project itself.
    Source,
    /// Tests, their fixtures and benchmarks.
    Test,
    /// Text for readers.
    Docs,
    /// Code that shows how the project is used.
    Example,
    /// pyproject.toml, setup.cfg, package.json, Cargo.toml, go.mod, pom.xml …
    Manifest,
    /// Settings for tools.
    Config,
}

impl Role {
    /// Returns the role of the file at `path` (`/`-separated, inside the repository).
    ///
    /// Folders take precedence over names, and tests over examples over documentation: a manifest
    /// among test data describes that data, not the repository.
    pub fn of(path: &str) -> Role {
        let (folders, name) = match path.rsplit_once('/') {
            Some((folders, name)) => (folders, name),
            None => ("", path),
        };
        let folders: Vec<String> = folders
            .split('/')
            .filter(|folder| !folder.is_empty())
            .map(str::to_ascii_lowercase)
            .collect();
        let file = FileName::new(name);
        if is_test_file(&file) || is_in_tests(&folders, &file) {
            Role::Test
        } else if is_in_examples(&folders) {
            Role::Example
        } else if is_manifest(&file, &folders) {
            Role::Manifest
        } else if is_in_docs(&folders, &file) || is_document(&file) {
            Role::Docs
        } else if is_config(&folders, &file) {
            Role::Config
        } else {
            Role::Source
        }
    }
}

/// A file name and its parts.
struct FileName<'a> {
    /// As written: `UserServiceTest.java`.
    full: &'a str,
    /// In lower case.
    lower: String,
    /// Without the last extension, as written.
    stem: &'a str,
    /// The last extension in lower case, without its dot; empty if there is none.
    extension: String,
}

impl<'a> FileName<'a> {
    fn new(full: &'a str) -> Self {
        let (stem, extension) = match full.rsplit_once('.') {
            Some((stem, extension)) if !stem.is_empty() => (stem, extension),
            _ => (full, ""),
        };
        Self {
            full,
            lower: full.to_ascii_lowercase(),
            stem,
            extension: extension.to_ascii_lowercase(),
        }
    }

    /// Whether its extension is that of prose.
    fn is_prose(&self) -> bool {
        matches!(
            self.extension.as_str(),
            "md" | "markdown"
                | "mdown"
                | "mkd"
                | "mdx"
                | "rst"
                | "rest"
                | "adoc"
                | "asciidoc"
                | "txt"
                | "text"
                | "textile"
                | "org"
                | "tex"
                | "pod"
                | "rdoc"
                | "qmd"
                | "rmd"
        )
    }
}

fn is_test_file(file: &FileName<'_>) -> bool {
    match by_extension(&file.extension) {
        Some(language) => (language.spec().is_test)(file.stem, &file.extension),
        None => file.extension == "groovy" && is_camel_test(file.stem, &file.extension),
    }
}

/// Whether a file is named like a test in languages that name files after classes:
/// `UserServiceTest`.
pub(super) fn is_camel_test(stem: &str, _: &str) -> bool {
    const ENDS: [&str; 5] = ["Test", "Tests", "TestCase", "Spec", "IT"];
    ENDS.iter().any(|end| {
        stem.strip_suffix(end)
            .and_then(|rest| rest.chars().last())
            // `AUDIT` ends with `IT` but is not an integration test.
            .is_some_and(|before| before.is_lowercase() || before.is_ascii_digit())
    })
}

fn is_in_tests(folders: &[String], file: &FileName<'_>) -> bool {
    folders.iter().enumerate().any(|(depth, folder)| {
        match folder.as_str() {
            "tests" | "__tests__" | "__mocks__" | "__snapshots__" | "__fixtures__" | "testdata"
            | "test-data" | "test_data" | "testcases" | "unittests" | "unit_tests" | "e2e"
            | "cypress" | "androidtest" | "integrationtest" | "integration-test"
            | "integration_tests" | "benches" | "benchmarks" | "benchmark" | "fuzz" => true,
            // A Python package may itself be called `test` and be shipped with the product.
            "test" => file.extension != "py" || depth == 0,
            // A folder of specifications is documentation, one of specs is tests.
            "spec" | "specs" => !file.is_prose(),
            other => [".tests", ".test", ".unittests", "_tests", "-tests"]
                .iter()
                .any(|end| other.ends_with(end)),
        }
    })
}

fn is_in_examples(folders: &[String]) -> bool {
    folders.iter().enumerate().any(|(depth, folder)| {
        match folder.as_str() {
            "examples" | "samples" | "demo" | "demos" | "tutorial" | "tutorials" | "docs_src"
            | "cookbook" | "snippets" | "quickstart" => true,
            // Java packages are often under `com.example`.
            "example" | "sample" => !depth
                .checked_sub(1)
                .and_then(|before| folders.get(before))
                .is_some_and(|before| matches!(before.as_str(), "com" | "org" | "net" | "io")),
            _ => false,
        }
    })
}

fn is_in_docs(folders: &[String], file: &FileName<'_>) -> bool {
    let is_docs = |folder: &String| {
        matches!(
            folder.as_str(),
            "doc" | "docs" | "documentation" | "man" | "manual" | "wiki" | "adr" | "rfcs" | "rfc"
        )
    };
    // Sphinx, which makes sites of documents, has its settings beside them.
    let is_site = |folder: &String| matches!(folder.as_str(), "site" | "sites" | "website" | "www");
    let is_of_site = file.lower == "conf.py" && folders.iter().any(|it| is_docs(it) || is_site(it));
    // Code in a nested `docs` folder may be a generator that is part of the product.
    let is_prose_of_docs = file.is_prose() && folders.iter().any(is_docs);
    folders.first().is_some_and(is_docs) || is_prose_of_docs || is_of_site
}

/// Whether a file is a README, CHANGELOG, LICENSE or other prose.
fn is_document(file: &FileName<'_>) -> bool {
    const NAMES: [&str; 23] = [
        "readme",
        "changelog",
        "changes",
        "history",
        "news",
        "license",
        "licence",
        "copying",
        "notice",
        "authors",
        "contributors",
        "contributing",
        "maintainers",
        "credits",
        "security",
        "todo",
        "install",
        "unlicense",
        "copyright",
        "releases",
        "upgrading",
        "thanks",
        "faq",
    ];
    if file.is_prose() && file.lower != "cmakelists.txt" && file.lower != "robots.txt" {
        return true;
    }
    let first = file.lower.split(['.', '-', '_']).next().unwrap_or_default();
    let has_no_extension = file.extension.is_empty() || file.extension == first;
    // `LICENSE-MIT`, `LICENSE.APACHE`, `COPYING.LESSER`.
    let is_licence = matches!(first, "license" | "licence" | "copying")
        && super::Language::detect(file.full, "") == super::Language::Text;
    (has_no_extension && NAMES.contains(&first)) || is_licence
}

/// Files that name a project and its requirements, in lower case.
const MANIFESTS: [&str; 46] = [
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "pkg-info",
    "pipfile",
    "environment.yml",
    "environment.yaml",
    "package.json",
    "deno.json",
    "deno.jsonc",
    "jsr.json",
    "bower.json",
    "lerna.json",
    "pnpm-workspace.yaml",
    "cargo.toml",
    "go.mod",
    "go.work",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
    "settings.gradle.kts",
    "libs.versions.toml",
    "build.sbt",
    "build.sc",
    "build.mill",
    "composer.json",
    "gemfile",
    "package.swift",
    "podfile",
    "cartfile",
    "cmakelists.txt",
    "meson.build",
    "conanfile.py",
    "conanfile.txt",
    "vcpkg.json",
    "mix.exs",
    "pubspec.yaml",
    "project.toml",
    "project.clj",
    "deps.edn",
    "rebar.config",
    "chart.yaml",
    "flake.nix",
    "module.bazel",
    "directory.packages.props",
];

/// Extensions of such files with the project's own name.
const MANIFEST_EXTENSIONS: [&str; 9] = [
    "gemspec", "podspec", "csproj", "fsproj", "vbproj", "nuspec", "cabal", "opam", "rockspec",
];

fn is_manifest(file: &FileName<'_>, folders: &[String]) -> bool {
    let is_requirements = file.extension == "txt"
        && (file.lower.starts_with("requirements") || file.lower.ends_with("requirements.txt"))
        || matches!(file.extension.as_str(), "txt" | "in")
            && folders
                .last()
                .is_some_and(|folder| folder == "requirements");
    let is_wheel_metadata = file.full == "METADATA"
        && folders
            .last()
            .is_some_and(|folder| folder.ends_with(".dist-info"));
    MANIFESTS.contains(&file.lower.as_str())
        || MANIFEST_EXTENSIONS.contains(&file.extension.as_str())
        || is_requirements
        || is_wheel_metadata
}

fn is_config(folders: &[String], file: &FileName<'_>) -> bool {
    const EXTENSIONS: [&str; 21] = [
        "toml",
        "yml",
        "yaml",
        "json",
        "jsonc",
        "json5",
        "ini",
        "cfg",
        "conf",
        "config",
        "env",
        "properties",
        "lock",
        "xml",
        "plist",
        "mk",
        "cmake",
        "gradle",
        "tf",
        "props",
        "in",
    ];
    const NAMES: [&str; 12] = [
        "makefile",
        "gnumakefile",
        "dockerfile",
        "jenkinsfile",
        "procfile",
        "vagrantfile",
        "justfile",
        "noxfile.py",
        "gulpfile.js",
        "gruntfile.js",
        "rakefile",
        "build.xml",
    ];
    let is_hidden = file.full.starts_with('.')
        || folders
            .iter()
            .any(|folder| folder.starts_with('.') && folder.len() > 1);
    let stem = file.stem.to_ascii_lowercase();
    is_hidden
        || EXTENSIONS.contains(&file.extension.as_str())
        || NAMES.contains(&file.lower.as_str())
        || file.lower.starts_with("dockerfile.")
        || stem.ends_with(".config")
        || stem.ends_with(".conf")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_tell_roles() {
        for (path, role) in [
            ("src/requests/sessions.py", Role::Source),
            ("lib/express.js", Role::Source),
            ("src/lib.rs", Role::Source),
            ("django/test/client.py", Role::Source),
            ("numpy/testing/utils.py", Role::Source),
            ("src/main/java/com/example/App.java", Role::Source),
            ("src/org/junit/Test.java", Role::Source),
            ("src/Audit/AUDIT.java", Role::Source),
            ("src/Latest.java", Role::Source),
            ("botocore/docs/client.py", Role::Source),
            ("src/license.py", Role::Source),
            ("tests/test_requests.py", Role::Test),
            ("tests/conftest.py", Role::Test),
            ("tests/fixtures/package.json", Role::Test),
            ("pkg/server/server_test.go", Role::Test),
            ("src/app.spec.ts", Role::Test),
            ("src/__tests__/util.js", Role::Test),
            ("test/utils.js", Role::Test),
            ("packages/core/test/utils.js", Role::Test),
            ("src/test/java/com/acme/UserTest.java", Role::Test),
            ("src/UserServiceTests.cs", Role::Test),
            ("Acme.Web.Tests/Startup.cs", Role::Test),
            ("spec/models/user_spec.rb", Role::Test),
            ("Tests/AppTests/AppTests.swift", Role::Test),
            ("src/parser/tests.rs", Role::Test),
            ("benches/parse.rs", Role::Test),
            ("README.md", Role::Docs),
            ("README", Role::Docs),
            ("LICENSE", Role::Docs),
            ("LICENSE-MIT", Role::Docs),
            ("LICENSE.APACHE", Role::Docs),
            ("CHANGELOG.rst", Role::Docs),
            ("docs/conf.py", Role::Docs),
            ("sites/www/conf.py", Role::Docs),
            ("packages/core/docs/conf.py", Role::Docs),
            ("src/shop/conf.py", Role::Source),
            ("docs/user/quickstart.rst", Role::Docs),
            ("packages/core/docs/index.md", Role::Docs),
            ("spec/grammar.md", Role::Docs),
            ("examples/server.py", Role::Example),
            ("examples/app/package.json", Role::Example),
            ("docs_src/first/app.py", Role::Example),
            ("pyproject.toml", Role::Manifest),
            ("setup.py", Role::Manifest),
            ("requests.egg-info/PKG-INFO", Role::Manifest),
            ("requests-2.0.dist-info/METADATA", Role::Manifest),
            ("requirements-dev.txt", Role::Manifest),
            ("requirements/base.txt", Role::Manifest),
            ("crates/core/Cargo.toml", Role::Manifest),
            ("go.mod", Role::Manifest),
            ("pom.xml", Role::Manifest),
            ("Acme.Web/Acme.Web.csproj", Role::Manifest),
            ("CMakeLists.txt", Role::Manifest),
            ("tox.ini", Role::Config),
            (".github/workflows/ci.yml", Role::Config),
            ("Makefile", Role::Config),
            ("Dockerfile", Role::Config),
            ("webpack.config.js", Role::Config),
            (".eslintrc.js", Role::Config),
            ("tsconfig.json", Role::Config),
            ("", Role::Source),
        ] {
            assert_eq!(Role::of(path), role, "{path}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_path_has_a_role(path in "[a-zA-Z0-9_./ é-]*", wild in ".*") {
            Role::of(&path);
            Role::of(&wild);
        }
    }
}
