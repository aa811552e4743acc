//! Small repositories of every language, and what their imports and calls lead to.

use super::*;
use crate::chunk::Strategy;
use crate::index::{Index, IndexBuilder, format};
use crate::job::run_to_end;
use crate::source::{Repo, SourceFile};

pub(super) fn index(files: &[(&str, &str)]) -> Index {
    let mut files: Vec<SourceFile> = files
        .iter()
        .map(|(path, text)| SourceFile {
            path: (*path).to_owned(),
            text: (*text).to_owned(),
        })
        .collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let repo = Repo {
        name: "sample-1.0".to_owned(),
        files,
        ..Repo::default()
    };
    let Ok(index) = run_to_end(IndexBuilder::new(repo, Strategy::Function));
    index
}

fn path(index: &Index, file: FileId) -> &str {
    &index.repo.file(file).unwrap().path
}

fn symbol(index: &Index, qualified: &str) -> SymbolId {
    for (file, parsed) in (0..).map(FileId).zip(&index.parsed) {
        for (at, symbol) in (0..).zip(&parsed.symbols) {
            if symbol.qualified == qualified {
                return SymbolId { file, at };
            }
        }
    }
    panic!("no symbol {qualified}")
}

pub(super) fn name(index: &Index, id: SymbolId) -> &str {
    &index.parsed[id.file.0 as usize].symbols[id.at as usize].qualified
}

/// `line target`, where a target is a path, `lib:name` or `missing`.
pub(super) fn imports(index: &Index, from: &str) -> Vec<String> {
    let file = index.repo.find(from).unwrap();
    let mut found: Vec<String> = Vec::new();
    for link in index.graph.imports(file) {
        let target = match link.target {
            Target::File(file) => path(index, file).to_owned(),
            Target::Library(id) => format!("lib:{}", index.graph.library(id)),
            Target::Missing => "missing".to_owned(),
        };
        let line = format!("{} {target}", link.lines.start().0);
        if !found.contains(&line) {
            found.push(line);
        }
    }
    found
}

/// A file, others beside it, and where its imports lead.
struct Case {
    from: (&'static str, &'static str),
    others: &'static [(&'static str, &'static str)],
    leads_to: &'static [&'static str],
}

const IMPORTS: &[Case] = &[
    // Python: src layout, relative, submodule before name, name before submodule, namespace, missing.
    Case {
        from: (
            "src/tern/app.py",
            "import os.path\nfrom . import cli, helper\nfrom .models import Order\nimport tern.util.text as text\nfrom tern import _version\nfrom ..outside import x\nfrom urllib3.util import Retry\nfrom .models.order import *\n",
        ),
        others: &[
            ("src/tern/__init__.py", "def helper(): ...\n"),
            ("src/tern/helper.py", ""),
            ("src/tern/cli.py", ""),
            ("src/tern/models/__init__.py", "from .order import Order\n"),
            ("src/tern/models/order.py", "class Order: ...\n"),
            ("src/tern/util/text.py", ""),
            ("tests/os/__init__.py", ""),
        ],
        leads_to: &[
            "1 lib:os",
            "2 src/tern/cli.py",
            "2 src/tern/__init__.py",
            "3 src/tern/models/__init__.py",
            "4 src/tern/util/text.py",
            "5 src/tern/__init__.py",
            "6 missing",
            "7 lib:urllib3",
            "8 src/tern/models/order.py",
        ],
    },
    // TypeScript: extensions, index files, `.js` for `.ts`, paths of tsconfig, own packages.
    Case {
        from: (
            "apps/web/src/main.ts",
            "import { a } from './a';\nimport b from './b.js';\nimport * as c from './c';\nimport { d } from '@app/d';\nimport { e } from '@acme/core';\nimport f from '@acme/core/sub';\nimport { g } from 'lodash/fp';\nimport fs from 'node:fs';\nimport './gone.css';\n",
        ),
        others: &[
            (
                "apps/web/tsconfig.json",
                "{ // maps\n \"compilerOptions\": { \"baseUrl\": \".\", \"paths\": { \"@app/*\": [\"src/lib/*\"], }, }, }",
            ),
            ("apps/web/src/a.ts", "export const a = 1;"),
            ("apps/web/src/b.ts", ""),
            ("apps/web/src/c/index.tsx", ""),
            ("apps/web/src/lib/d.ts", ""),
            (
                "packages/core/package.json",
                "{\"name\": \"@acme/core\", \"exports\": {\".\": {\"import\": \"./dist/index.js\"}}}",
            ),
            ("packages/core/src/index.ts", ""),
            ("packages/core/src/sub.ts", ""),
        ],
        leads_to: &[
            "1 apps/web/src/a.ts",
            "2 apps/web/src/b.ts",
            "3 apps/web/src/c/index.tsx",
            "4 apps/web/src/lib/d.ts",
            "5 packages/core/src/index.ts",
            "6 packages/core/src/sub.ts",
            "7 lib:lodash",
            "8 lib:fs",
            "9 missing",
        ],
    },
    Case {
        from: (
            "lib/app.js",
            "const a = require('./a');\nconst { b } = require('../b.json');\nconst c = require('express');\n",
        ),
        others: &[("lib/a.js", ""), ("b.json", "{}")],
        leads_to: &["1 lib/a.js", "2 b.json", "3 lib:express"],
    },
    Case {
        from: ("src/App.tsx", "import Button from './Button';\n"),
        others: &[("src/Button.jsx", "export default function Button() {}")],
        leads_to: &["1 src/Button.jsx"],
    },
    // Rust: mod items, crate, self, super, another crate of the workspace, names of the file itself.
    Case {
        from: (
            "core/src/a/mod.rs",
            "mod b;\npub mod inline { pub mod deep; use super::b::B; }\nuse crate::c::{C, d};\nuse self::b::B;\nuse super::c;\nuse acme_util::Text;\nuse std::fmt;\nuse B::*;\n#[path = \"odd.rs\"]\nmod other;\nmod gone;\n",
        ),
        others: &[
            ("core/Cargo.toml", "[package]\nname = \"acme-core\"\n"),
            ("core/src/lib.rs", "mod a;\nmod c;\n"),
            ("core/src/a/b.rs", "pub struct B;"),
            ("core/src/a/odd.rs", ""),
            ("core/src/a/inline/deep.rs", ""),
            ("core/src/c.rs", "pub mod d;\npub struct C;"),
            ("core/src/c/d.rs", ""),
            ("util/Cargo.toml", "[package]\nname = \"acme-util\"\n"),
            ("util/src/lib.rs", "pub struct Text;"),
        ],
        leads_to: &[
            "1 core/src/a/b.rs",
            "2 core/src/a/inline/deep.rs",
            "2 core/src/a/b.rs",
            "3 core/src/c.rs",
            "3 core/src/c/d.rs",
            "4 core/src/a/b.rs",
            "5 core/src/c.rs",
            "6 util/src/lib.rs",
            "7 lib:std",
            "8 lib:B",
            "10 core/src/a/odd.rs",
            "11 missing",
        ],
    },
    Case {
        from: (
            "cmd/main.go",
            "package main\n\nimport (\n\t\"fmt\"\n\t\"example.org/acme/store\"\n\tm \"example.org/acme/model/v2\"\n)\n\nfunc main() { store.Open(m.X) }\n",
        ),
        others: &[
            ("go.mod", "module example.org/acme\n\ngo 1.22\n"),
            ("store/open.go", "package store\n\nfunc Open() {}\n"),
            ("store/unused.go", "package store\n\nfunc Other() {}\n"),
            ("store/open_test.go", "package store\n\nfunc Open() {}\n"),
        ],
        leads_to: &["4 lib:fmt", "5 store/open.go", "6 missing"],
    },
    // Go: a package under the name it gives itself or another one; words that are not of the package; methods
    // of a type that is named; an import for its effects.
    Case {
        from: (
            "main.go",
            "package main\n\nimport (\n\t\"acme/go-store\"\n\tn \"acme/note\"\n\t_ \"acme/driver\"\n\t. \"acme/text\"\n)\n\ntype Other struct{}\n\nfunc main(d *n.Note) {\n\tstore.Open()\n\td.Save()\n\tSlug(Other{}, d.store.Hidden)\n}\n",
        ),
        others: &[
            ("go.mod", "module acme\n"),
            (
                "go-store/a.go",
                "package store\n\nfunc Other() {}\nfunc Hidden() {}\nfunc (Closed) Open() {}\n",
            ),
            ("go-store/b.go", "package store\n\nfunc Open() {}\n"),
            ("note/note.go", "package note\n\ntype Note struct{}\n"),
            ("note/save.go", "package note\n\nfunc (n *Note) Save() {}\n"),
            ("note/list.go", "package note\n\nfunc (n *List) Save() {}\n"),
            ("driver/a.go", "package driver\n\nfunc Open() {}\n"),
            ("driver/b.go", "package driver\n\nfunc init() {}\n"),
            ("text/a.go", "package text\n\nfunc Title() {}\n"),
            ("text/b.go", "package text\n\nfunc Slug() {}\n"),
        ],
        leads_to: &[
            "4 go-store/b.go",
            "5 note/note.go",
            "5 note/save.go",
            "6 driver/b.go",
            "7 text/b.go",
        ],
    },
    Case {
        from: (
            "src/main/java/org/acme/App.java",
            "package org.acme;\n\nimport org.acme.store.Store;\nimport org.acme.store.Store.Cursor;\nimport java.util.*;\nimport static org.acme.Text.slug;\nimport org.acme.model.*;\n\nclass App { Note note; }\n",
        ),
        others: &[
            (
                "src/main/java/org/acme/store/Store.java",
                "package org.acme.store;\nclass Store { class Cursor {} }\n",
            ),
            (
                "src/main/java/org/acme/Text.java",
                "package org.acme;\nclass Text {}\n",
            ),
            (
                "src/main/java/org/acme/model/Note.java",
                "package org.acme.model;\nclass Note {}\n",
            ),
            (
                "src/main/java/org/acme/model/Line.java",
                "package org.acme.model;\nclass Line {}\n",
            ),
        ],
        leads_to: &[
            "3 src/main/java/org/acme/store/Store.java",
            "4 src/main/java/org/acme/store/Store.java",
            "5 lib:java.util",
            "6 src/main/java/org/acme/Text.java",
            "7 src/main/java/org/acme/model/Note.java",
        ],
    },
    Case {
        from: (
            "app/Main.kt",
            "package acme\n\nimport acme.text.slug\nimport acme.text.Note as N\nimport kotlin.math.max\n",
        ),
        others: &[(
            "app/Strings.kt",
            "package acme.text\n\nfun slug() = 1\nclass Note\n",
        )],
        leads_to: &[
            "3 app/Strings.kt",
            "4 app/Strings.kt",
            "5 lib:kotlin.math.max",
        ],
    },
    Case {
        from: (
            "src/Main.scala",
            "package acme\n\nimport acme.store.{Store, Index => I}\nimport scala.collection.mutable\n",
        ),
        others: &[
            ("src/Store.scala", "package acme.store\nclass Store\n"),
            (
                "src/Index.scala",
                "package acme\npackage store\n\nclass Index\n",
            ),
        ],
        leads_to: &[
            "3 src/Store.scala",
            "3 src/Index.scala",
            "4 lib:scala.collection.mutable",
        ],
    },
    Case {
        from: (
            "src/Main.cs",
            "using System.Linq;\nusing Acme.Store;\nusing Log = Acme.Logging.Logger;\n\nclass Main { Folder f; }\n",
        ),
        others: &[
            ("src/Folder.cs", "namespace Acme.Store;\nclass Folder {}\n"),
            ("src/Other.cs", "namespace Acme.Store { class Other {} }\n"),
            (
                "src/Logger.cs",
                "namespace Acme.Logging { class Logger {} }\n",
            ),
        ],
        leads_to: &["1 lib:System.Linq", "2 src/Folder.cs", "3 src/Logger.cs"],
    },
    // Java: of a whole package its types, not their members; of two variants of a library the nearer one.
    Case {
        from: (
            "jvm/src/org/acme/App.java",
            "package org.acme;\n\nimport org.acme.model.*;\nimport org.acme.text.Slug;\nimport org.acme.unused.*;\n\nclass App { Note note; int size() { return 0; } }\n",
        ),
        others: &[
            (
                "jvm/src/org/acme/model/Note.java",
                "package org.acme.model;\nclass Note {}\n",
            ),
            (
                "jvm/src/org/acme/model/Line.java",
                "package org.acme.model;\nclass Line { int size() { return 1; } }\n",
            ),
            (
                "jvm/src/org/acme/text/Slug.java",
                "package org.acme.text;\nclass Slug {}\n",
            ),
            (
                "android/src/org/acme/text/Slug.java",
                "package org.acme.text;\nclass Slug {}\n",
            ),
            (
                "jvm/src/org/acme/unused/Rest.java",
                "package org.acme.unused;\nclass Rest {}\n",
            ),
        ],
        leads_to: &[
            "3 jvm/src/org/acme/model/Note.java",
            "4 jvm/src/org/acme/text/Slug.java",
        ],
    },
    Case {
        from: (
            "src/main.c",
            "#include <stdio.h>\n#include \"store.h\"\n#include <acme/note.h>\n#include <string.h>\n#include \"util/text.h\"\n",
        ),
        others: &[
            ("src/store.h", ""),
            ("include/acme/note.h", ""),
            ("compat/string.h", ""),
            ("third/util/text.h", ""),
        ],
        leads_to: &[
            "1 lib:stdio.h",
            "2 src/store.h",
            "3 include/acme/note.h",
            "4 lib:string.h",
            "5 third/util/text.h",
        ],
    },
    // Scala: a path may begin in the package of the file or in one around it.
    Case {
        from: (
            "src/acme/app/Main.scala",
            "package acme\npackage app\n\nimport view._\nimport model.Note\nimport Settings.quiet\nimport java.util.Locale\n\nobject Main { val page = new Page }\n",
        ),
        others: &[
            (
                "src/acme/app/view/Page.scala",
                "package acme.app.view\nclass Page\n",
            ),
            (
                "src/acme/model/Note.scala",
                "package acme.model\nclass Note\n",
            ),
            (
                "src/acme/app/Settings.scala",
                "package acme.app\nobject Settings { val quiet = true }\n",
            ),
        ],
        leads_to: &[
            "4 src/acme/app/view/Page.scala",
            "5 src/acme/model/Note.scala",
            "6 src/acme/app/Settings.scala",
            "7 lib:java.util",
        ],
    },
    // C: what is no header of the language may be the repository's, also in angles; odd paths.
    Case {
        from: (
            "src/flow.c",
            "#include <zlib.h>\n#include <sys/time.h>\n#include \"util//text.h\"\n#include <math.h>\n",
        ),
        others: &[
            ("deps/zlib/zlib.h", ""),
            ("compat/sys/time.h", ""),
            ("compat/math.h", ""),
            ("lib/util/text.h", ""),
        ],
        leads_to: &[
            "1 deps/zlib/zlib.h",
            "2 lib:sys/time.h",
            "3 lib/util/text.h",
            "4 lib:math.h",
        ],
    },
    Case {
        from: (
            "src/main.cpp",
            "#include <vector>\n#include \"../include/store.hpp\"\n",
        ),
        others: &[("include/store.hpp", "")],
        leads_to: &["1 lib:vector", "2 include/store.hpp"],
    },
    Case {
        from: (
            "lib/acme/store.rb",
            "require \"json\"\nrequire \"acme/index\"\nrequire_relative \"../acme/cache\"\nrequire_relative \"gone\"\n",
        ),
        others: &[("lib/acme/index.rb", ""), ("lib/acme/cache.rb", "")],
        leads_to: &[
            "1 lib:json",
            "2 lib/acme/index.rb",
            "3 lib/acme/cache.rb",
            "4 missing",
        ],
    },
    Case {
        from: (
            "app/web/index.php",
            "<?php\nrequire dirname(__DIR__) . '/boot.php';\nrequire dirname(__FILE__) . '/local.php';\nrequire dirname(__DIR__, 2) . '/config.php';\n",
        ),
        others: &[
            ("app/boot.php", "<?php\n"),
            ("app/web/local.php", "<?php\n"),
            ("app/web/boot.php", "<?php\n"),
            ("app/config.php", "<?php\n"),
            ("config.php", "<?php\n"),
        ],
        leads_to: &["2 app/boot.php", "3 app/web/local.php", "4 config.php"],
    },
    Case {
        from: (
            "src/Repository.php",
            "<?php\nnamespace Acme;\n\nuse Acme\\Model\\{Order, Line};\nuse Psr\\Log\\LoggerInterface;\nrequire_once __DIR__ . '/helpers.php';\n",
        ),
        others: &[
            (
                "src/Model/Order.php",
                "<?php\nnamespace Acme\\Model;\nclass Order {}\n",
            ),
            (
                "src/Model/Line.php",
                "<?php\nnamespace Acme\\Model;\nclass Line {}\n",
            ),
            ("src/helpers.php", "<?php\n"),
        ],
        leads_to: &[
            "4 src/Model/Order.php",
            "4 src/Model/Line.php",
            "5 lib:Psr\\Log",
            "6 src/helpers.php",
        ],
    },
    Case {
        from: (
            "Sources/App/main.swift",
            "import Foundation\nimport Core\n\nlet note = Note()\n",
        ),
        others: &[
            ("Sources/Core/Note.swift", "struct Note {}\n"),
            ("Sources/Core/Other.swift", "struct Other {}\n"),
        ],
        leads_to: &["1 lib:Foundation", "2 Sources/Core/Note.swift"],
    },
    Case {
        from: (
            "bin/run.sh",
            "source \"$(dirname \"$0\")/../lib/common.sh\"\n. ./env.sh\nsource \"$HOME/.profile\"\n",
        ),
        others: &[("lib/common.sh", ""), ("bin/env.sh", "")],
        leads_to: &["1 lib/common.sh", "2 bin/env.sh", "3 missing"],
    },
];

#[test]
fn imports_lead_to_files_by_the_rules_of_each_language() {
    let mut wrong = Vec::new();
    for case in IMPORTS {
        let files: Vec<_> = case.others.iter().copied().chain([case.from]).collect();
        let found = imports(&index(&files), case.from.0);
        if found != case.leads_to {
            wrong.push(format!(
                "{}\n  expected {:?}\n  found    {found:?}",
                case.from.0, case.leads_to
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A repository, a definition, and `callee line weight` of its calls.
type Called = (
    &'static [(&'static str, &'static str)],
    &'static str,
    &'static [&'static str],
);

const CALLS: &[Called] = &[
    (
        &[
            (
                "app.py",
                "from base import Base\nfrom util import slug as s\nimport util\n\n\nclass App(Base):\n    def run(self, note: Note):\n        self.stop()\n        self.start()\n        s(1)\n        util.slug(2)\n        print(3)\n        helper()\n        note.archive_note()\n        super().run()\n        x.get(4)\n\n    def stop(self): ...\n\n\nclass Note:\n    def archive_note(self): ...\n    def get(self): ...\n\n\ndef helper(): ...\n",
            ),
            (
                "base.py",
                "class Base:\n    def start(self): ...\n    def run(self): ...\n",
            ),
            ("util.py", "from impl import slug\n"),
            ("impl.py", "def slug(x): ...\n"),
            (
                "other.py",
                "def slug(x): ...\nclass Other:\n    def archive_note(self): ...\n",
            ),
        ],
        "App.run",
        &[
            "App.stop 8 1",
            "Base.start 9 1",
            "slug 10 1",
            "slug 11 1",
            "helper 13 1",
            "Note.archive_note 14 1",
            "Base 15 1",
            "Base.run 15 1",
            "Note.get 16 0.5",
        ],
    ),
    (
        &[
            ("Cargo.toml", "[package]\nname = \"acme\"\n"),
            (
                "src/lib.rs",
                "mod store;\nuse store::Store;\n\nfn run(store: &Store) {\n    let s = Store::open();\n    store.load();\n    crate::store::clean();\n    store::clean();\n    std::mem::drop(s);\n}\n",
            ),
            (
                "src/store.rs",
                "pub struct Store;\nimpl Store {\n    pub fn open() -> Self { Self::make() }\n    pub fn load(&self) {}\n    fn make() -> Self { Store }\n}\npub fn clean() {}\n",
            ),
        ],
        "run",
        &["Store.open 5 1", "Store.load 6 1", "clean 7 1", "clean 8 1"],
    ),
    (
        &[
            ("go.mod", "module acme\n"),
            (
                "main.go",
                "package main\n\nimport \"acme/store\"\n\nfunc run(s *store.Store) {\n\tstore.Open()\n\thelp()\n\ts.Load()\n}\n",
            ),
            ("help.go", "package main\n\nfunc help() {}\n"),
            (
                "store/store.go",
                "package store\n\ntype Store struct{}\n\nfunc Open() {}\n\nfunc (s *Store) Load() {}\n",
            ),
        ],
        "run",
        &["Open 6 1", "help 7 1", "Store.Load 8 1"],
    ),
    (
        &[
            (
                "a/App.java",
                "package a;\nimport b.Store;\nclass App extends Base {\n  void run(Store store) {\n    store.load();\n    stop();\n    new Store();\n    Store.open();\n    super.run();\n  }\n}\n",
            ),
            (
                "a/Base.java",
                "package a;\nclass Base { void stop() {} void run(Store s) {} }\n",
            ),
            (
                "b/Store.java",
                "package b;\nclass Store { void load() {} static void open() {} }\n",
            ),
        ],
        "App.run",
        &[
            "Store.load 5 1",
            "Base.stop 6 1",
            "Store 7 1",
            "Store.open 8 1",
            "Base.run 9 1",
        ],
    ),
    (
        &[
            (
                "main.ts",
                "import { open } from './store';\nimport * as text from './text';\nexport function run() {\n  open();\n  text.slug('a');\n  parseInt('1');\n}\n",
            ),
            ("store.ts", "export { open } from './impl';\n"),
            ("impl.ts", "export function open() {}\n"),
            ("text.ts", "export const slug = (a: string) => a;\n"),
        ],
        "run",
        &["open 4 1", "slug 5 1"],
    ),
    (
        &[
            (
                "main.c",
                "#include \"store.h\"\nint main(void) { return store_open(1); }\n",
            ),
            ("store.h", "int store_open(int a);\n"),
            ("store.c", "int store_open(int a) { return a; }\n"),
        ],
        "main",
        &["store_open 2 1"],
    ),
];

#[test]
fn calls_are_told_by_scope() {
    for (files, caller, expected) in CALLS {
        let index = index(files);
        let calls = index.graph.callees(symbol(&index, caller));
        let found: Vec<String> = calls
            .iter()
            .map(|call| {
                format!(
                    "{} {} {}",
                    name(&index, call.callee),
                    call.line.0,
                    call.weight
                )
            })
            .collect();
        assert_eq!(found, *expected, "{caller}");
    }
}

#[test]
fn a_prototype_gives_way_to_the_definition() {
    let index = index(CALLS[5].0);
    let call = index.graph.callees(symbol(&index, "main"))[0];
    assert_eq!(path(&index, call.callee.file), "store.c");
}

#[test]
fn callers_importers_bases_and_paths_are_found_from_the_other_end() {
    let index = index(CALLS[0].0);
    let graph = &index.graph;
    let callers = graph.callers(symbol(&index, "Base.start"));
    assert_eq!(name(&index, callers[0].caller.unwrap()), "App.run");
    let util = index.repo.find("util.py").unwrap();
    let importers: Vec<_> = graph
        .importers(util)
        .map(|link| path(&index, link.file))
        .collect();
    assert_eq!(importers, ["app.py", "app.py"]);
    let bases = graph.bases(symbol(&index, "App"));
    assert_eq!(bases, [(symbol(&index, "Base"), Line(6))]);
    assert_eq!(
        graph.subclasses(symbol(&index, "Base")),
        [(symbol(&index, "App"), Line(6))]
    );
    let near = graph.neighbours(index.repo.find("base.py").unwrap(), 3);
    let near: Vec<_> = near
        .iter()
        .map(|(file, hops)| (path(&index, *file), *hops))
        .collect();
    assert_eq!(near, [("app.py", 1), ("util.py", 2), ("impl.py", 3)]);
    let way = graph
        .shortest_path(symbol(&index, "App.stop"), symbol(&index, "Base.start"))
        .unwrap();
    assert_eq!(way.len(), 3);
    assert_eq!(way[1].symbol(), Some(symbol(&index, "App.run")));
}

#[test]
fn imported_things_are_told_apart_through_reexports() {
    let index = index(&[
        (
            "pkg/__init__.py",
            "from .a import C, f, LIMIT\nfrom . import a\n",
        ),
        ("pkg/a.py", "class C: ...\ndef f(): ...\nLIMIT = 1\n"),
        (
            "main.py",
            "from pkg import C, f, LIMIT, a\nimport sys\nfrom json import load\n",
        ),
    ]);
    let links = index.graph.imports(index.repo.find("main.py").unwrap());
    let kinds: Vec<_> = links.iter().map(|link| (link.kind, link.thing)).collect();
    assert_eq!(
        kinds,
        [
            (ImportKind::FromFile, Some(Thing::Class)),
            (ImportKind::FromFile, Some(Thing::Function)),
            (ImportKind::FromFile, Some(Thing::Assignment)),
            (ImportKind::FromFile, Some(Thing::Module)),
            (ImportKind::Library, None),
            (ImportKind::FromLibrary, None),
        ]
    );
    assert_eq!(links[0].symbol, Some(symbol(&index, "C")));
}

#[test]
fn circular_imports_and_inheritance_end() {
    let index = index(&[
        (
            "a.py",
            "from b import *\nclass A(B):\n    def f(self):\n        self.missing_everywhere()\n        unknown()\n",
        ),
        (
            "b.py",
            "from a import *\nfrom a import unknown\nclass B(A): ...\n",
        ),
        ("x.rs", "mod x;\nuse self::x::y;\n"),
    ]);
    assert_eq!(index.graph.callees(symbol(&index, "A.f")), []);
    assert_eq!(index.graph.stats().inherits, 2);
}

#[test]
fn a_saved_index_opens_with_the_same_graph() {
    let index = index(CALLS[0].0);
    let sections = format::encode(&index);
    let read =
        format::decode(sections.map(|section| (section.name, section.into_bytes()))).unwrap();
    assert_eq!(read.graph.stats(), index.graph.stats());
    assert_eq!(read.graph.all_imports(), index.graph.all_imports());
    assert!(read.graph.stats().calls.resolved_share() > 0.9);
}
