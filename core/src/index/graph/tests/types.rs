//! Where calls lead by the types of variables and fields. Two classes have a `load`, so that only
//! the type tells which one is meant.

use super::{index, name, symbol};

/// A language's files, with the body of `run` missing at `@`.
struct World {
    files: &'static [(&'static str, &'static str)],
    caller: &'static str,
    /// Statements, and what they call besides what makes the values; `?` if it is unclear.
    cases: &'static [(&'static str, &'static str)],
}

const PYTHON: World = World {
    files: &[
        (
            "app.py",
            "import json\nfrom store import Store, Cache, make, find\n\nshared = Store()\n\n\nclass App:\n    cache: Cache\n\n    def __init__(self):\n        self.store = Store()\n        self.both = Store()\n        self.both = Cache()\n\n    def run(self, given, typed: Cache, *rest):\n        @\n",
        ),
        (
            "store.py",
            "class Store:\n    def load(self): ...\n    @classmethod\n    def open(cls) -> \"Store\": ...\n\nclass Cache:\n    def load(self): ...\n\ndef make() -> Cache: ...\n\ndef find(): ...\n",
        ),
    ],
    caller: "App.run",
    cases: &[
        ("x = Store(); x.load()", "Store.load"),
        ("x = Store.open(); x.load()", "Store.load"),
        ("x = make(); x.load()", "Cache.load"),
        ("x = find(); x.load()", "?"),
        ("x = Store(); x = Cache(); x.load()", "?"),
        ("x = Store(); x = given; x.load()", "?"),
        ("given = Store(); given.load()", "?"),
        ("typed = typed or Cache(); typed.load()", "Cache.load"),
        ("self.store.load()", "Store.load"),
        ("self.cache.load()", "Cache.load"),
        ("self.both.load()", "?"),
        ("shared.load()", "Store.load"),
        ("shared = given; shared.load()", "?"),
        ("for x in rest: x.load()", "?"),
        ("x = json.JSONDecoder(); x.load()", ""),
        ("x: dict[str, Store] = {}; x.load()", ""),
        ("x: str = given; x.load()", ""),
    ],
};

const TYPESCRIPT: World = World {
    files: &[
        (
            "app.ts",
            "import { Store, Cache, make } from './store';\nconst shared: Store = make();\nexport class App {\n  cache = new Cache();\n  constructor(private store: Store, plain: Cache) {}\n  async run(given: any, typed: Cache) {\n    @\n  }\n}\n",
        ),
        (
            "store.ts",
            "export class Store { load() {} static open(): Promise<Store> { return null } }\nexport class Cache { load() {} }\nexport function make(): Cache { return null }\n",
        ),
    ],
    caller: "App.run",
    cases: &[
        ("const x = new Store(); x.load();", "Store.load"),
        ("const x = make(); x.load();", "Cache.load"),
        ("const x = await Store.open(); x.load();", "Store.load"),
        ("const x = Store.open(); x.load();", "?"),
        ("const x: Store = given; x.load();", "Store.load"),
        ("let x = new Store(); x = given; x.load();", "?"),
        ("this.store.load();", "Store.load"),
        ("this.cache.load();", "Cache.load"),
        ("this.plain.load();", "?"),
        ("shared.load();", "Store.load"),
        ("given.forEach(x => x.load());", "?"),
        ("const x = new Map(); x.load();", ""),
    ],
};

const RUST: World = World {
    files: &[
        ("Cargo.toml", "[package]\nname = \"acme\"\n"),
        (
            "src/lib.rs",
            "mod store;\nuse std::collections::HashMap;\nuse store::{Cache, Store, make};\n\npub struct App {\n    store: Store,\n    many: Vec<Store>,\n    far: kqueue::Store,\n    held: std::sync::Arc<Store>,\n    list: std::vec::Vec<Store>,\n}\n\nimpl App {\n    fn run<T: Load>(&self, given: T, typed: &Cache) {\n        @\n    }\n}\n",
        ),
        (
            "src/store.rs",
            "pub struct Store;\nimpl Store {\n    pub fn new() -> Self { Store }\n    pub fn open() -> std::io::Result<Self> { Ok(Store) }\n    pub fn load(&self) {}\n}\npub struct Cache { pub store: Store }\nimpl Cache {\n    pub fn load(&self) {}\n}\npub fn make() -> Cache { todo!() }\n",
        ),
    ],
    caller: "App.run",
    cases: &[
        ("let x = Store::new(); x.load();", "Store.load"),
        ("let x = Store::open()?; x.load();", "Store.load"),
        ("let x = Store::open().unwrap(); x.load();", "Store.load"),
        ("let x = Store::open(); x.load();", "?"),
        ("let x = make(); x.load();", "Cache.load"),
        ("let x = make(); let x = x.get(); x.load();", "?"),
        ("let typed = typed.get(); typed.load();", "?"),
        ("self.store.load();", "Store.load"),
        ("typed.store.load();", "Store.load"),
        ("self.many.load();", ""),
        ("self.far.load();", ""),
        ("kqueue::Store::load();", ""),
        ("store::Store::load(given);", "Store.load"),
        ("told!(store::Store::load(given));", "Store.load"),
        ("self.held.load();", "Store.load"),
        ("self.list.load();", ""),
        ("given.load();", "?"),
        ("let x = HashMap::new(); x.load();", ""),
    ],
};

const JAVA: World = World {
    files: &[
        (
            "a/App.java",
            "package a;\nimport java.util.List;\nclass App {\n  private Store store;\n  Cache make() { return null; }\n  void run(List<Store> many) {\n    @\n  }\n}\n",
        ),
        (
            "a/Store.java",
            "package a;\nclass Store { void load() {} }\n",
        ),
        (
            "a/Cache.java",
            "package a;\nclass Cache { void load() {} }\n",
        ),
    ],
    caller: "App.run",
    cases: &[
        ("store.load();", "Store.load"),
        ("this.store.load();", "Store.load"),
        ("Cache x = null; x.load();", "Cache.load"),
        ("var x = new Store(); x.load();", "Store.load"),
        ("var x = make(); x.load();", "Cache.load"),
        ("var store = many.get(0); store.load();", "?"),
        ("for (Cache x : many) { x.load(); }", "Cache.load"),
        ("many.load();", ""),
    ],
};

const GO: World = World {
    files: &[
        ("go.mod", "module acme\n"),
        (
            "app.go",
            "package acme\n\ntype App struct {\n\tstore *Store\n}\n\nfunc (a *App) Run(many []Store) {\n\t@\n}\n",
        ),
        (
            "store.go",
            "package acme\n\ntype Store struct{}\n\nfunc (s *Store) Load() {}\n\ntype Cache struct{}\n\nfunc (c *Cache) Load() {}\n\nfunc Open(path string) (*Store, error) { return nil, nil }\n\nfunc Make() *Cache { return nil }\n",
        ),
    ],
    caller: "App.Run",
    cases: &[
        ("x, err := Open(\"x\"); x.Load(); _ = err", "Store.Load"),
        ("x := Make(); x.Load()", "Cache.Load"),
        ("x := &Store{}; x.Load()", "Store.Load"),
        ("var x Cache; x.Load()", "Cache.Load"),
        ("a.store.Load()", "Store.Load"),
        ("for _, x := range many { x.Load() }", "?"),
    ],
};

const RUBY: World = World {
    files: &[(
        "app.rb",
        "class Store\n  def load; end\nend\n\nclass Cache\n  def load; end\nend\n\nclass App\n  def initialize\n    @store = Store.new(1)\n  end\n\n  def run(given)\n    @\n  end\nend\n",
    )],
    caller: "App.run",
    cases: &[
        ("x = Store.new; x.load", "Store.load"),
        ("@store.load", "Store.load"),
        ("x = given; x.load", "?"),
    ],
};

const PHP: World = World {
    files: &[(
        "app.php",
        "<?php\nclass Store { public function load() {} }\nclass Cache { public function load() {} }\nclass App {\n  private Cache $cache;\n  public function __construct(private Store $store) { $this->made = new Store(); }\n  public function run($given) {\n    @\n  }\n}\n",
    )],
    caller: "App.run",
    cases: &[
        ("$x = new Cache(); $x->load();", "Cache.load"),
        ("$this->cache->load();", "Cache.load"),
        ("$this->store->load();", "Store.load"),
        ("$this->made->load();", "Store.load"),
        ("$given->load();", "?"),
    ],
};

const KOTLIN: World = World {
    files: &[
        (
            "a/App.kt",
            "package a\n\nclass App(private val store: Store) {\n  private val cache = Cache()\n  fun make(): Store = store\n  fun run(given: Any) {\n    @\n  }\n}\n",
        ),
        (
            "a/Store.kt",
            "package a\n\nclass Store {\n  fun load() {}\n}\n\nclass Cache {\n  fun load() {}\n}\n",
        ),
    ],
    caller: "App.run",
    cases: &[
        ("val x = Cache(); x.load()", "Cache.load"),
        ("val x = make(); x.load()", "Store.load"),
        ("store.load()", "Store.load"),
        ("cache.load()", "Cache.load"),
        ("given.load()", "?"),
    ],
};

const CSHARP: World = World {
    files: &[(
        "App.cs",
        "namespace A;\nclass Store { public void Load() {} }\nclass Cache { public void Load() {} }\nclass App {\n  private Store _store;\n  public Cache Shelf { get; set; }\n  Store Make() { return null; }\n  void Run(object given) {\n    @\n  }\n}\n",
    )],
    caller: "App.Run",
    cases: &[
        ("var x = new Cache(); x.Load();", "Cache.Load"),
        ("var x = Make(); x.Load();", "Store.Load"),
        ("Cache x = null; x.Load();", "Cache.Load"),
        ("_store.Load();", "Store.Load"),
        ("Shelf.Load();", "Cache.Load"),
        ("given.Load();", "?"),
    ],
};

#[test]
fn the_type_of_a_receiver_tells_which_method_is_called() {
    let worlds = [
        PYTHON, TYPESCRIPT, RUST, JAVA, GO, RUBY, PHP, KOTLIN, CSHARP,
    ];
    let mut wrong = Vec::new();
    for world in worlds {
        for (statements, expected) in world.cases {
            let place = |(path, text): &(&'static str, &'static str)| {
                (*path, text.replacen("@\n", &format!("{statements}\n"), 1))
            };
            let files: Vec<(&str, String)> = world.files.iter().map(place).collect();
            let files: Vec<(&str, &str)> = files
                .iter()
                .map(|(path, text)| (*path, text.as_str()))
                .collect();
            let index = index(&files);
            let calls = index.graph.callees(symbol(&index, world.caller));
            let loads = calls
                .iter()
                .filter(|call| name(&index, call.callee).to_lowercase().ends_with(".load"));
            let found: Vec<(&str, f32)> = loads
                .map(|call| (name(&index, call.callee), call.weight))
                .collect();
            let is_right = match *expected {
                "" => found.is_empty(),
                "?" => found.len() == 2 && found.iter().all(|(_, weight)| *weight < 1.0),
                one => found == [(one, 1.0)],
            };
            if !is_right {
                wrong.push(format!("{statements}: {found:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
