//! Questions whose answer is a fact or a section of a document.

use crate::index::Index;
use crate::index::tests::whole_index;

const FILES: &[(&str, &str)] = &[
    (
        "README.md",
        "# fern\n\nfern keeps notes for people who walk.\n\n## Installation\n\nWith maps:\n\n    pip install 'fern[maps]'\n\n## Fern behind Apache\n\nSet the path of the proxy first.\n\n## Sync\n\nThe sync is disabled by default on the phone and enabled by default on the desk.\n\n## `pageSize` (Number)\n\nDefault: `40`\n\nHow many notes a page has.\n\n## Drawing maps\n\nA map is drawn once. Behind a proxy, name the server of tiles first.\n",
    ),
    (
        "CONTRIBUTING.md",
        "# Contributing\n\n## Tests\n\nRun them all:\n\n    pytest\n",
    ),
    (
        "CHANGELOG.md",
        "# Changelog\n\n## 2.0\n\n### Added\n\n- Maps.\n\n### Deprecated\n\n- The old store.\n",
    ),
    (
        "pyproject.toml",
        "[project]\nname = \"fern\"\ndescription = \"Notes for walkers\"\nclassifiers = [\n  \"License :: OSI Approved :: MIT License\",\n]\ndependencies = []\n\n[project.optional-dependencies]\nmaps = [\"tiles>=2.1\"]\n",
    ),
    (
        "src/fern/store.py",
        "WIDTH = 30\nDEFAULT_STORES = [Disk, Memory]\nLEVELS = {\n    \"low\": 10,\n    \"high\": 20,\n}\n\n\nclass JSONEncoder:\n    \"\"\"Writes notes as JSON. This is the default encoder.\"\"\"\n\n\nclass Columns:\n    def __init__(self, pad_title_to=WIDTH, max_retries=3):\n        self.pad = pad_title_to\n\n    def limit(self, n):\n        \"\"\"Sets the limit.\n\n        The smallest value allowed is 8.\n        \"\"\"\n\n    def run(self, **kwargs):\n        \"\"\"Runs a command.\n\n        :param str shell:\n            Which shell to use. Default: ``/bin/bash``.\n        \"\"\"\n",
    ),
    (
        "crate/src/lib.rs",
        "pub struct Level(u32);\n\nimpl Level {\n    pub fn best() -> Level {\n        Level(9)\n    }\n}\n\nimpl Default for Level {\n    fn default() -> Self {\n        Level(6)\n    }\n}\n\nconst FLAG_A: u8 = 1;\nconst FLAG_B: u8 = 2;\n",
    ),
];

fn sample() -> Index {
    whole_index("fern-2.0", FILES)
}

/// A question and its statements, each with the `path:lines` of its footnotes.
const ANSWERS: &[(&str, &[&str])] = &[
    (
        "license?",
        &[
            "According to `pyproject.toml`, the licence is `MIT License`. [pyproject.toml:5]",
            "According to `pyproject.toml`, the project describes itself as “Notes for walkers”. [pyproject.toml:3]",
        ],
    ),
    (
        "does fern have any runtime dependencies that pip installs?",
        &[
            "No. `pyproject.toml` lists no run-time dependencies. [pyproject.toml:7]",
            "According to `pyproject.toml`, the only optional dependency is `tiles>=2.1 (maps)`. [pyproject.toml:10]",
        ],
    ),
    (
        "which version of tiles does it need",
        &[
            "According to `pyproject.toml`, the optional dependency `tiles` is needed in version `>=2.1 (maps)`. [pyproject.toml:10]",
        ],
    ),
    (
        "how do I use fern behind apache",
        &[
            "`README.md` says under “Fern behind Apache”: “Set the path of the proxy first.” [README.md:11-13]",
        ],
    ),
    (
        "how can I draw a map behind a proxy",
        &[
            "`README.md` says under “Drawing maps”: “Behind a proxy, name the server of tiles first.” [README.md:25-27]",
        ],
    ),
    (
        "what got deprecated in 2.0",
        &["`CHANGELOG.md` says under “2.0: Deprecated”: “The old store.” [CHANGELOG.md:3-11]"],
    ),
    (
        "how to run the tests locally",
        &[
            "`CONTRIBUTING.md` gives the command `pytest` under “Tests”. [CONTRIBUTING.md:3-7]",
            "`CONTRIBUTING.md` says under “Tests”: “Run them all: …”. [CONTRIBUTING.md:3-5]",
        ],
    ),
    (
        "how wide is the title padded by default?",
        &[
            "`pad_title_to` of `Columns.__init__` in `src/fern/store.py` defaults to `WIDTH`, which is set to `30`. [src/fern/store.py:14 src/fern/store.py:1]",
        ],
    ),
    (
        "which stores are on by default",
        &[
            "`DEFAULT_STORES` in `src/fern/store.py` is set to a list of 2: `Disk` and `Memory`. [src/fern/store.py:2]",
        ],
    ),
    (
        "is pickle the default encoder?",
        &[
            "No. `JSONEncoder` in `src/fern/store.py` is documented as “This is the default encoder.” [src/fern/store.py:9-10]",
        ],
    ),
    (
        "is sync on by default on the phone?",
        &[
            "No. `README.md` says under “Sync”: “The sync is disabled by default on the phone and enabled by default on the desk.” [README.md:15-17]",
        ],
    ),
    (
        "whats the default pageSize",
        &["`README.md` says under “pageSize (Number)”: “Default: `40`”. [README.md:19-21]"],
    ),
    (
        "what shell does run() use by default",
        &[
            "`shell` of `Columns.run` in `src/fern/store.py` is documented as “Default: `/bin/bash`.” [src/fern/store.py:23-27]",
        ],
    ),
    (
        "default level?",
        &["`Level.default` in `crate/src/lib.rs` returns `Level(6)`. [crate/src/lib.rs:10-12]"],
    ),
    (
        "what number is best()?",
        &["`Level.best` in `crate/src/lib.rs` returns `Level(9)`. [crate/src/lib.rs:4-5]"],
    ),
    (
        "numeric value of the high level",
        &["`LEVELS` in `src/fern/store.py` sets `high` to `20`. [src/fern/store.py:3-6]"],
    ),
    (
        "what is the smallest value limit accepts",
        &[
            "`Columns.limit` in `src/fern/store.py` is documented as “The smallest value allowed is 8.” [src/fern/store.py:20]",
        ],
    ),
    (
        "list the flag constants (FLAG_A and its friends)",
        &[
            "`crate/src/lib.rs` defines 2 constants together: `FLAG_A` and `FLAG_B`. [crate/src/lib.rs:15 crate/src/lib.rs:16]",
        ],
    ),
];

#[test]
fn facts_and_sections_of_documents_are_stated_with_the_lines_that_say_them() {
    super::compare(&sample(), ANSWERS);
}
