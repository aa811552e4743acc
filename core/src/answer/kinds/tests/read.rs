//! Questions answered from syntax trees, over a small repository in three languages.

use super::super::super::tests::statements_of;
use crate::index::Index;
use crate::index::tests::whole_index;

const FILES: &[(&str, &str)] = &[
    (
        "py/tern/__init__.py",
        "from .store import Store, open_store\n",
    ),
    (
        "py/tern/store.py",
        "\"\"\"Stores.\"\"\"\nimport os\n\nLIMIT = 10\n_STEP = (\n    1,\n    2,\n)\n\n\nclass Base:\n    def get(self, key, default=None):\n        def inner():\n            return key\n\n        return inner()\n\n    def close(self):\n        pass\n\n\nclass Store(Base):\n    SIZE = 4\n\n    def __init__(self, path, limit=LIMIT, *, mode=\"r\"):\n        self.path = path\n        self.count = 0\n\n    def get(self, key, default=None):\n        return key\n\n\nclass Cache(Store, os.PathLike):\n    def close(self):\n        pass\n\n\ndef open_store(path):\n    return Store(path)\n\n\ndef _hidden():\n    pass\n",
    ),
    ("py/tern/empty.py", ""),
    (
        "py/tests/test_store.py",
        "from tern import Store\n\n\ndef helper():\n    return Store(\"x\")\n\n\ndef test_open():\n    assert helper()\n\n\nclass TestStore:\n    def test_get(self):\n        pass\n",
    ),
    (
        "ts/src/map.ts",
        "import { Shape } from './shape';\n\nexport const DEPTH = 3;\n\nexport function map(size: number, depth = DEPTH): Shape {\n  return { size };\n}\n\nfunction local() {}\n\nexport { local as other };\n",
    ),
    (
        "ts/src/shape.ts",
        "export interface Shape {\n  size: number;\n}\n\nexport class Square implements Shape {\n  size = 1;\n  area() { return 1; }\n  private hide() {}\n}\n\nexport enum Colour { Red = 'r', Blue = 'b' }\n",
    ),
    (
        "ts/dist/map.js",
        "export const DEPTH = 3;\nexport function map(size, depth = DEPTH) {\n  return { size };\n}\n",
    ),
    (
        "ts/dist/map.d.ts",
        "export declare function map(size: number, depth?: number): Shape;\n",
    ),
    (
        "ts/test/map.test.ts",
        "import { map } from '../src/map';\n\ndescribe('map', () => {\n  it('keeps the size', () => {\n    map(1);\n  });\n  it.skip(\n    'has depth', () => {});\n});\n",
    ),
    (
        "rs/src/lib.rs",
        "mod a;\nmod b;\n\n/// Reads.\npub trait Read {\n    fn read(&self) -> u32;\n    fn all(&self) -> u32 {\n        self.read()\n    }\n}\n\n#[derive(Clone, Debug)]\npub struct File {\n    pub path: String,\n    size: u32,\n}\n\nimpl File {\n    pub fn open(path: &str) -> Self {\n        todo!()\n    }\n\n    fn close(&self) {}\n}\n\nimpl Read for File {\n    fn read(&self) -> u32 {\n        self.size\n    }\n}\n\npub(crate) fn inside() {}\n\n#[cfg(test)]\nmod tests {\n    fn prepare() {}\n\n    #[test]\n    fn files_open() {}\n}\n",
    ),
    ("rs/src/a/part.rs", "pub fn first() {}\n"),
    ("rs/src/b/part.rs", "pub fn second() {}\n"),
];

fn sample() -> Index {
    whole_index("tern-1.0", FILES)
}

/// A question and its statements, each with the `path:lines` of its footnotes.
const ANSWERS: &[(&str, &[&str])] = &[
    (
        "List all classes in store.py",
        &[
            "`py/tern/store.py` defines 3 classes: `Base`, `Store` and `Cache`. [py/tern/store.py:11 py/tern/store.py:22 py/tern/store.py:33]",
        ],
    ),
    (
        "Which functions does store.py define?",
        &[
            "`py/tern/store.py` defines 2 functions (and 1 inside of functions): `open_store` and `_hidden`. [py/tern/store.py:38 py/tern/store.py:42]",
        ],
    ),
    (
        "functions in lib.rs",
        &[
            "`rs/src/lib.rs` defines 1 function (and 2 in modules of tests): `inside`. [rs/src/lib.rs:32]",
        ],
    ),
    (
        "What methods does Store have?",
        &[
            "`Store` in `py/tern/store.py` has 2 methods: `Store.__init__` and `Store.get`. [py/tern/store.py:25 py/tern/store.py:29]",
        ],
    ),
    (
        "members of Store",
        &[
            "`Store` in `py/tern/store.py` has 3 members: `Store.SIZE`, `Store.__init__` and `Store.get`. [py/tern/store.py:23 py/tern/store.py:25 py/tern/store.py:29]",
        ],
    ),
    (
        "constants in store.py and their values",
        &[
            "`py/tern/store.py` defines 3 constants: `LIMIT`, `_STEP` and `Store.SIZE`. [py/tern/store.py:4 py/tern/store.py:5-8 py/tern/store.py:23]",
        ],
    ),
    (
        "Which traits exist in the project?",
        &["The project’s own code defines 1 trait: `Read`. [rs/src/lib.rs:5]"],
    ),
    (
        "Are there any enums in store.py?",
        &["`py/tern/store.py` defines no enum. [py/tern/store.py:1-43]"],
    ),
    (
        "variants of Colour",
        &[
            "`Colour` in `ts/src/shape.ts` has 2 variants: `Colour.Red` and `Colour.Blue`. [ts/src/shape.ts:11]",
        ],
    ),
    (
        "fields of File",
        &[
            "`File` in `rs/src/lib.rs` has 2 fields: `File.path` and `File.size`. [rs/src/lib.rs:14 rs/src/lib.rs:15]",
        ],
    ),
    (
        "What is defined in map.ts?",
        &[
            "`ts/src/map.ts` has 3 top-level definitions: `DEPTH`, `map` and `local`. [ts/src/map.ts:3 ts/src/map.ts:5 ts/src/map.ts:9]",
        ],
    ),
    (
        "How many functions are in part.rs?",
        &[
            "`part.rs` can mean 2 files; ask again with the path of one: `rs/src/a/part.rs` and `rs/src/b/part.rs`. [rs/src/a/part.rs:1 rs/src/b/part.rs:1]",
        ],
    ),
    (
        "What is public in store.py?",
        &[
            "`py/tern/store.py` has 5 public definitions (without a leading underscore): `LIMIT`, `Base`, `Store`, `Cache` and `open_store`. [py/tern/store.py:4 py/tern/store.py:11 py/tern/store.py:22 py/tern/store.py:33 py/tern/store.py:38]",
            "They have 5 public members: `Base.get`, `Base.close`, `Store.SIZE`, `Store.get` and `Cache.close`. [py/tern/store.py:12 py/tern/store.py:18 py/tern/store.py:23 py/tern/store.py:29 py/tern/store.py:34]",
        ],
    ),
    (
        "What does map.ts export?",
        &[
            "`ts/src/map.ts` has 3 public definitions (exported): `DEPTH`, `map` and `local`. [ts/src/map.ts:3 ts/src/map.ts:5 ts/src/map.ts:9]",
        ],
    ),
    (
        "public methods of Square",
        &["`Square` in `ts/src/shape.ts` has 1 public method: `Square.area`. [ts/src/shape.ts:7]"],
    ),
    (
        "public API of lib.rs",
        &[
            "`rs/src/lib.rs` has 2 public definitions (declared `pub`): `Read` and `File`. [rs/src/lib.rs:5 rs/src/lib.rs:13]",
            "They have 3 public members: `Read.read`, `Read.all` and `File.open`. [rs/src/lib.rs:6 rs/src/lib.rs:7 rs/src/lib.rs:19]",
        ],
    ),
    (
        "What does tern/__init__.py export?",
        &[
            "`py/tern/__init__.py` has 2 public definitions (without a leading underscore): `Store` and `open_store`. [py/tern/__init__.py:1]",
        ],
    ),
    (
        "Which files are in py/tern?",
        &[
            "`py/tern/` contains 2 files (and, without any text, `py/tern/empty.py`): `py/tern/__init__.py` and `py/tern/store.py`. [py/tern/__init__.py:1 py/tern/store.py:1]",
        ],
    ),
    (
        "List all Rust files",
        &[
            "The repository contains 3 Rust files: `rs/src/a/part.rs`, `rs/src/b/part.rs` and `rs/src/lib.rs`. [rs/src/a/part.rs:1 rs/src/b/part.rs:1 rs/src/lib.rs:1]",
        ],
    ),
    (
        "How many Go files are there?",
        &[
            "The repository contains no Go file: 11 files searched. [py/tern/__init__.py:1 py/tern/store.py:1 py/tests/test_store.py:1 rs/src/a/part.rs:1 rs/src/b/part.rs:1 rs/src/lib.rs:1 ts/dist/map.d.ts:1 ts/dist/map.js:1]",
        ],
    ),
    (
        "Which tests are in test_store.py?",
        &[
            "`py/tests/test_store.py` has 2 tests: `test_open` and `TestStore.test_get`. [py/tests/test_store.py:8 py/tests/test_store.py:13]",
        ],
    ),
    (
        "tests in map.test.ts",
        &[
            "`ts/test/map.test.ts` has 2 tests: `keeps the size` and `has depth`. [ts/test/map.test.ts:4 ts/test/map.test.ts:7-8]",
        ],
    ),
    (
        "list the tests of lib.rs",
        &["`rs/src/lib.rs` has 1 test: `tests.files_open`. [rs/src/lib.rs:39]"],
    ),
    (
        "Which classes inherit from Base?",
        &[
            "`Base` in `py/tern/store.py` has 1 direct subclass: `Store`. [py/tern/store.py:22]",
            "It also has 1 indirect subclass: `Cache`. [py/tern/store.py:33]",
        ],
    ),
    (
        "implementations of Shape",
        &["`Shape` in `ts/src/shape.ts` has 1 implementation: `Square`. [ts/src/shape.ts:5]"],
    ),
    (
        "Which types implement Read?",
        &["`Read` in `rs/src/lib.rs` has 1 implementation: `File`. [rs/src/lib.rs:26]"],
    ),
    (
        "subclasses of PathLike",
        &[
            "`PathLike`, which the repository does not define, has 1 subclass: `Cache`. [py/tern/store.py:33]",
        ],
    ),
    (
        "Which types implement Clone?",
        &[
            "`Clone`, which the repository does not define, has 1 implementation: `File`. [rs/src/lib.rs:12-13]",
        ],
    ),
    (
        "subclasses of Cache",
        &[
            "`Cache` in `py/tern/store.py` has no subclass in the repository: no declaration names it as a base. [py/tern/store.py:33-35]",
        ],
    ),
    (
        "Who overrides Base.get?",
        &[
            "`Base.get` in `py/tern/store.py` is overridden by 1 method: `Store.get`. [py/tern/store.py:29]",
        ],
    ),
    (
        "Which methods of Base are overridden?",
        &[
            "`Base` in `py/tern/store.py` has 2 overridden methods: `Base.get` and `Base.close`. [py/tern/store.py:12 py/tern/store.py:18]",
        ],
    ),
    (
        "What does File override?",
        &[
            "`File` in `rs/src/lib.rs` overrides 1 method (what Clone, Debug has is not in the repository): `File.read`. [rs/src/lib.rs:27]",
        ],
    ),
    (
        "What does Cache inherit from?",
        &[
            "`Cache` in `py/tern/store.py` inherits from `Store` and `os.PathLike`. [py/tern/store.py:33]",
            "`Cache` in `py/tern/store.py` indirectly inherits from `Base`. [py/tern/store.py:22]",
        ],
    ),
    (
        "Which traits does File implement?",
        &[
            "`File` in `rs/src/lib.rs` implements `Clone`, `Debug` and `Read`. [rs/src/lib.rs:12-13 rs/src/lib.rs:26]",
        ],
    ),
    (
        "base classes of Base",
        &[
            "`Base` in `py/tern/store.py` names nothing that it inherits from or implements. [py/tern/store.py:11-19]",
        ],
    ),
    (
        "Where is Store defined?",
        &[
            "`Store` (class) is defined in `py/tern/store.py` in lines 22 to 30: `class Store(Base)`. [py/tern/store.py:22-30]",
        ],
    ),
    (
        "Where is get defined?",
        &[
            "`get` is defined at 2 places: `Base.get` and `Store.get`. [py/tern/store.py:12 py/tern/store.py:29]",
        ],
    ),
    (
        "Where is map.js?",
        &["`map.js` is built from `ts/src/map.ts`. [ts/src/map.ts:1]"],
    ),
    (
        "Where is the map function defined?",
        &[
            "`map` (function) is defined in `ts/src/map.ts` in lines 5 to 7: `export function map(size: number, depth = DEPTH): Shape`. [ts/src/map.ts:5-7]",
        ],
    ),
    (
        "Which file defines open_store?",
        &[
            "`open_store` (function) is defined in `py/tern/store.py` in lines 38 to 39: `def open_store(path)`. [py/tern/store.py:38-39]",
        ],
    ),
    (
        "What is the value of LIMIT?",
        &["`LIMIT` in `py/tern/store.py` is set to `10`. [py/tern/store.py:4]"],
    ),
    (
        "What is _STEP set to?",
        &["`_STEP` in `py/tern/store.py` is set to `( 1, 2, )`. [py/tern/store.py:5-8]"],
    ),
    (
        "What is the value of Colour.Blue?",
        &["`Colour.Blue` in `ts/src/shape.ts` is set to `'b'`. [ts/src/shape.ts:11]"],
    ),
    (
        "What is count of Store set to?",
        &[
            "`self.count` is set in `Store.__init__` of `py/tern/store.py`: `0`. [py/tern/store.py:27]",
        ],
    ),
    (
        "What is the default of limit in Store?",
        &[
            "`limit` of `Store.__init__` in `py/tern/store.py` defaults to `LIMIT`. [py/tern/store.py:25]",
        ],
    ),
    (
        "defaults of Store.__init__",
        &[
            "`Store.__init__` in `py/tern/store.py` has 2 parameters with a default: `limit = LIMIT` and `mode = \"r\"`. [py/tern/store.py:25]",
        ],
    ),
    (
        "What does depth default to?",
        &["`depth` has a default in 1 function: `map (DEPTH)`. [ts/src/map.ts:5]"],
    ),
    (
        "What are the defaults of open_store?",
        &[
            "`open_store` in `py/tern/store.py` has no parameter with a default. [py/tern/store.py:38-39]",
        ],
    ),
];

#[test]
fn questions_about_syntax_are_answered_with_the_lines_that_show_it() {
    let index = sample();
    let mut wrong = Vec::new();
    for (question, expected) in ANSWERS {
        let found = statements_of(&index, question);
        if found != *expected {
            wrong.push(format!(
                "{question}\n  expected {expected:#?}\n  found {found:#?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn questions_of_another_meaning_are_left_to_the_search() {
    let index = sample();
    for question in [
        "How does Store work?",
        "What is the function of Store?",
        "What is the type of a map?",
        "Why is LIMIT ten?",
        "How do I define a class?",
        "Where are keys looked up?",
        "What is a trait?",
        "Which methods are there to open a store?",
        "What is the default?",
        "Where is the limit checked?",
        "List the steps of open_store",
        "What is in the box?",
    ] {
        let mut notes = super::super::Notes::new(&index.repo);
        let question = crate::search::Question::new(question).unwrap();
        super::super::state(&index, &question, &mut notes);
        let said: Vec<String> = notes
            .statements
            .iter()
            .map(crate::answer::Statement::plain)
            .collect();
        assert!(said.is_empty(), "{}: {said:?}", question.text());
    }
}
