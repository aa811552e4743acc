//! Questions that are read off syntax trees, over a small repository in three languages.

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
    ("List all classes in store.py", &[]),
    ("Which functions does store.py define?", &[]),
    ("functions in lib.rs", &[]),
    ("What methods does Store have?", &[]),
    ("members of Store", &[]),
    ("constants in store.py and their values", &[]),
    ("Which traits exist in the project?", &[]),
    ("Are there any enums in store.py?", &[]),
    ("variants of Colour", &[]),
    ("fields of File", &[]),
    ("What is defined in map.ts?", &[]),
    ("How many functions are in part.rs?", &[]),
    ("What is public in store.py?", &[]),
    ("What does map.ts export?", &[]),
    ("public methods of Square", &[]),
    ("public API of lib.rs", &[]),
    ("What does tern/__init__.py export?", &[]),
    ("Which files are in py/tern?", &[]),
    ("List all Rust files", &[]),
    ("How many Go files are there?", &[]),
    ("Which tests are in test_store.py?", &[]),
    ("tests in map.test.ts", &[]),
    ("list the tests of lib.rs", &[]),
    ("Which classes inherit from Base?", &[]),
    ("implementations of Shape", &[]),
    ("Which types implement Read?", &[]),
    ("subclasses of PathLike", &[]),
    ("Which types implement Clone?", &[]),
    ("subclasses of Cache", &[]),
    ("Who overrides Base.get?", &[]),
    ("Which methods of Base are overridden?", &[]),
    ("What does File override?", &[]),
    ("What does Cache inherit from?", &[]),
    ("Which traits does File implement?", &[]),
    ("base classes of Base", &[]),
    ("Where is Store defined?", &[]),
    ("Where is get defined?", &[]),
    ("Where is map.js?", &[]),
    ("Where is the map function defined?", &[]),
    ("Which file defines open_store?", &[]),
    ("What is the value of LIMIT?", &[]),
    ("What is _STEP set to?", &[]),
    ("What is the value of Colour.Blue?", &[]),
    ("What is count of Store set to?", &[]),
    ("What is the default of limit in Store?", &[]),
    ("defaults of Store.__init__", &[]),
    ("What does depth default to?", &[]),
    ("What are the defaults of open_store?", &[]),
];

#[test]
fn questions_for_what_is_there_are_answered_with_the_lines_that_show_it() {
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
