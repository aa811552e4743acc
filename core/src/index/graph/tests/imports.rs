//! Where imports lead, by the rules of each language.

use super::{imports, index};

/// A file, other files beside it, and where its imports lead.
struct Case {
    from: (&'static str, &'static str),
    others: &'static [(&'static str, &'static str)],
    leads_to: &'static [&'static str],
}

const IMPORTS: &[Case] = &[
    // Python: src layout, relative, submodule before name, name before submodule, namespace,
    // missing.
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
    // Rust: mod items, crate, self, super, another crate of the workspace, names of the file
    // itself.
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
    // Go: a package under its own name or an alias; words that are not part of the package; methods
    // of a named type; an import for its side effects.
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
    // Java: a whole package imports its types, not their members; of two variants of a library, the
    // nearer one is meant.
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
    // Scala: a path may begin in the file's package or in an enclosing one.
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
    // C: a header that is not the language's may be the repository's, even in angle brackets; odd
    // paths.
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
