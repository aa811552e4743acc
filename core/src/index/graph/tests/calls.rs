//! Where calls lead.

use super::{index, name, path, symbol};

/// A repository, a definition, and its calls as `callee line weight`.
pub(super) type Called = (
    &'static [(&'static str, &'static str)],
    &'static str,
    &'static [&'static str],
);

pub(super) const CALLS: &[Called] = &[
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
    // CommonJS: what a module exports as a whole is called by the name that it is bound to,
    // unless it is wrapped, or a parameter has the name.
    (
        &[
            (
                "run.js",
                "const Box = require('./store');\nconst slug = require('./slug');\nconst trim = require('./trim');\nconst lib = require('lib');\n\nfunction run() {\n  const box = new Box();\n  box.load();\n  Box.open();\n  slug(1);\n  trim(2);\n  lib(3);\n}\n",
            ),
            (
                "store.js",
                "class Store {\n  load() {}\n  static open() {}\n}\n\nmodule.exports = Store;\n",
            ),
            ("slug.js", "function slug(a) {}\n\nmodule.exports = slug;\n"),
            (
                "trim.js",
                "function trim(a) {}\n\nmodule.exports = wrap(trim);\n",
            ),
            (
                "other.js",
                "class Other {\n  load() {}\n  open() {}\n}\nmodule.exports = Other;\n",
            ),
        ],
        "run",
        &["Store 7 1", "Store.load 8 1", "Store.open 9 1", "slug 10 1"],
    ),
    (
        &[
            (
                "run.js",
                "const slug = require('./slug');\n\nfunction run(a, { slug }) {\n  slug(1);\n}\n",
            ),
            ("slug.js", "function slug(a) {}\n\nmodule.exports = slug;\n"),
        ],
        "run",
        &[],
    ),
    // A variable, also that of a function around the call or of an arrow function, hides what the
    // file imports or defines. A function in a constant and a late `require` hide nothing.
    (
        &[
            (
                "run.js",
                "const { slug, trim, pad } = require('./text');\n\nfunction fold() {}\n\nfunction run(all) {\n  const fold = all.fold;\n  fold(1);\n  all.map((trim) => trim(2));\n  const { join } = require('./text');\n  join(3);\n  const again = (n) => again(n - 1);\n  pad(4);\n  if (all) {\n    let slug = all.slug;\n    slug(5);\n  }\n}\n",
            ),
            (
                "text.js",
                "function slug(a) {}\nfunction trim(a) {}\nfunction pad(a) {}\nfunction join(a) {}\n\nmodule.exports = { slug, trim, pad, join };\n",
            ),
        ],
        "run",
        &["join 10 1", "pad 12 1"],
    ),
    (
        &[
            (
                "run.js",
                "import { a, b, c, d, e, f, g } from './text.js';\n\nexport function run(all, [a], { b = 1 } = {}) {\n  a(1);\n  b(2);\n  try {\n    for (const [key, c] of all) c(key);\n  } catch (d) {\n    d(3);\n  }\n  const walk = function e(n) {\n    return e(n - 1);\n  };\n  const [[f]] = all;\n  f(4);\n  return g(walk);\n}\n",
            ),
            (
                "text.js",
                "export function a() {}\nexport function b() {}\nexport function c() {}\nexport function d() {}\nexport function e() {}\nexport function f() {}\nexport function g() {}\n",
            ),
        ],
        "run",
        &["g 16 1"],
    ),
    (
        &[
            (
                "run.py",
                "from text import a, b, c, d, e, f, g\n\n\ndef run(all, box):\n    for i, (a, n) in all:\n        a(1)\n    with box as [b, n]:\n        b(2)\n    match all:\n        case [c, *d]:\n            c(d(3))\n        case {'k': e}:\n            e(4)\n        case str() as f:\n            f(5)\n    box.g = 6\n    g(7)\n",
            ),
            (
                "text.py",
                "def a(): ...\ndef b(): ...\ndef c(): ...\ndef d(): ...\ndef e(): ...\ndef f(): ...\ndef g(): ...\n",
            ),
        ],
        "run",
        &["g 17 1"],
    ),
    (
        &[(
            "lib.rs",
            "fn a() {}\nfn b() {}\nfn c() {}\nfn d() {}\nfn e() {}\nfn f() {}\n\nfn run(all: &[fn()], one: Option<fn()>) {\n    let each = |a: fn()| a();\n    if let [b, ..] = all {\n        b();\n    }\n    if let Some(ref c) = one {\n        c();\n    }\n    match one {\n        d => d(),\n    }\n    const e: fn() = other;\n    e();\n    each(f);\n    f();\n}\n",
        )],
        "run",
        &["f 22 1"],
    ),
    (
        &[(
            "run.go",
            "package run\n\nfunc a() {}\nfunc b() {}\nfunc c() {}\nfunc d() {}\n\nfunc run(all any, in chan func()) {\n\teach := func(a func()) { a() }\n\tswitch b := all.(type) {\n\tcase func():\n\t\tb()\n\t}\n\tselect {\n\tcase c := <-in:\n\t\tc()\n\t}\n\tvar each2 = each\n\teach2(d)\n\td()\n}\n",
        )],
        "run",
        &["d 20 1"],
    ),
    (
        &[(
            "run.js",
            "function again(n) {}\n\nfunction run() {\n  const again = (n) => again(n - 1);\n}\n",
        )],
        "run.again",
        &["run.again 4 1"],
    ),
    (
        &[
            (
                "run.py",
                "from text import slug, trim, pad\n\n\ndef run(options):\n    slug = options.slug\n    slug(1)\n    for trim in options:\n        trim(2)\n    pad(3)\n\n    def inner():\n        slug(4)\n        pad(5)\n\n    inner()\n",
            ),
            (
                "text.py",
                "def slug(x): ...\ndef trim(x): ...\ndef pad(x): ...\n",
            ),
        ],
        "run",
        &["pad 9 1", "run.inner 15 1"],
    ),
    (
        &[
            (
                "run.py",
                "from text import slug, pad\n\n\ndef run(options):\n    slug = options.slug\n\n    def inner():\n        slug(4)\n        pad(5)\n\n    inner()\n",
            ),
            ("text.py", "def slug(x): ...\ndef pad(x): ...\n"),
        ],
        "run.inner",
        &["pad 9 1"],
    ),
    (
        &[(
            "lib.rs",
            "struct Wrapped(u8);\nfn slug() {}\nfn pad() {}\n\nfn run(wrapped: Wrapped, all: &[fn()]) {\n    let slug = all[0];\n    slug();\n    pad();\n    if let Wrapped(pad) = wrapped {\n        Wrapped(pad);\n    }\n}\n",
        )],
        "run",
        &["Wrapped 10 1"],
    ),
    (
        &[
            (
                "main.go",
                "package main\n\nfunc run(all []func()) {\n\tslug := all[0]\n\tslug()\n\tpad()\n}\n",
            ),
            (
                "text.go",
                "package main\n\nfunc slug() {}\n\nfunc pad() {}\n",
            ),
        ],
        "run",
        &["pad 6 1"],
    ),
    (
        &[
            (
                "run.py",
                "from slugs import slug\n\n\ndef run(slug, *rest):\n    slug(1)\n",
            ),
            ("slugs.py", "def slug(a): ...\n"),
        ],
        "run",
        &[],
    ),
    // Another name for a type is what it stands for.
    (
        &[
            ("Cargo.toml", "[package]\nname = \"acme\"\n"),
            (
                "src/lib.rs",
                "mod h1;\n\ntype Server<S> = h1::Dispatcher<S>;\n\nstruct Connection {\n    inner: Server<u8>,\n}\n\nimpl Connection {\n    fn stop(&self) {\n        self.inner.halt();\n    }\n}\n\nstruct Other;\n\nimpl Other {\n    fn halt(&self) {}\n}\n",
            ),
            (
                "src/h1.rs",
                "pub struct Dispatcher<S>(S);\n\nimpl<S> Dispatcher<S> {\n    pub fn halt(&self) {}\n}\n",
            ),
        ],
        "Connection.stop",
        &["Dispatcher.halt 11 1"],
    ),
    // A list or a choice of classes is none of them.
    (
        &[(
            "run.ts",
            "class Pump {\n  map() {}\n  start() {}\n}\n\nclass Engine {\n  map() {}\n  start() {}\n}\n\ntype Pumps = Pump[];\n\ntype Either = Engine | Pump;\n\nfunction run(all: Pump[], pumps: Pumps, either: Either) {\n  all.map();\n  pumps.map();\n  either.start();\n}\n",
        )],
        "run",
        &[
            "Pump.map 17 0.5",
            "Engine.map 17 0.5",
            "Pump.start 18 0.5",
            "Engine.start 18 0.5",
        ],
    ),
];

#[test]
fn calls_are_resolved_by_scope() {
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
