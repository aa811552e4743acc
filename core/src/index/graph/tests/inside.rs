//! Imports inside of functions. Each line that ends with a mark says where its call leads: to a
//! file for sure (`a`, `b`), to one of several (`?`), or to nothing in the repository (`-`).

use super::{index, path};
use crate::lines::Line;

const PYTHON: &str = "
from a import send, Client as Wire, Base
import a as both

def one():
    from b import send
    send()  # b
    def inner():
        send()  # b

def two():
    send()  # a

def three():
    from b import only as open, only as own
    import b
    open()  # b
    own()  # b
    b.only()  # b

def own(): ...

def four():
    open()  # -
    own()  # app

def alias():
    import b as both
    both.send()  # b

def branches(x):
    if x:
        from a import send
        send()  # a
    else:
        from b import send
        send()  # b
    send()  # -

def tried():
    try:
        from fast import send
    except ImportError:
        from b import send
    send()  # -

def late():
    global only
    from b import only
    only()  # b

def after():
    only()  # b

@send()  # a
def decorated(x=send()):  # a
    from b import send
    send()  # b

def typed(x: Wire):
    from b import Client as Wire
    x.pull()  # ?
    y = Wire()  # b
    y.pull()  # b

class Body:
    x = send()  # a
    def run(self):
        from b import send
        return send()  # b

class Heir(Base):
    def go(self):
        from b import Base
        self.begin()  # a

class Fields:
    def __init__(self):
        from b import Rope
        self.rope = Rope()  # b
        self.wire = Wire()  # a
    def other(self):
        from b import Client as Wire
        return Wire()  # b
    def use(self):
        self.rope.knot()  # b
        self.wire.pull()  # ?
";

const PYTHON_MODULE: &str = "
def send(): ...

class Client:
    def __init__(self): ...
    def pull(self): ...

class Base:
    def begin(self): ...
";

const RUST: &str = r#"
mod a;
mod b;
use a::{Client, send};

fn one() {
    use b::send;
    send(); // b
}

fn two() {
    send(); // a
}

fn block(x: bool) {
    if x {
        use crate::b::send;
        send(); // b
    } else {
        send(); // a
    }
    send(); // a
}

fn closure(x: u8) {
    let c = || { use crate::b::send; send(); }; // b
    send(); // a
    match x {
        0 => { use crate::b::send; send() } // b
        _ => send(), // a
    }
}

fn systems() {
    #[cfg(unix)]
    {
        use crate::a::only;
        only(); // a
    }
    #[cfg(windows)]
    {
        use crate::b::only;
        only(); // b
    }
}

fn typed(x: Client) {
    use crate::b::Client;
    x.pull(); // ?
    let y = Client::new(); // b
    y.pull(); // b
}

fn all() {
    use crate::b::*;
    send(); // b
}

fn late() {
    let text = "
}
";
    only(text); // b
    use crate::b::only;
}
"#;

const RUST_MODULE_INSIDE: &str = "
mod a;
mod b;

fn module() {
    use crate::b::send;
    mod helper {
        fn send() {}
        fn go() {
            send(); // lib
        }
    }
    send(); // b
}
";

const RUST_MODULE: &str = "
pub fn send() {}
pub fn only() {}
pub struct Client;
impl Client {
    pub fn new() -> Self { Client }
    pub fn pull(&self) {}
}
";

/// Checks the marks of `app`.
fn check(app: (&str, &str), others: &[(&str, &str)]) {
    let files: Vec<(&str, &str)> = [app].iter().chain(others).copied().collect();
    let index = index(&files);
    let file = index.repo.find(app.0).unwrap();
    let symbols = 0..index.parsed[file.0 as usize].symbols.len() as u32;
    let symbols: Vec<_> = symbols.map(|at| super::SymbolId { file, at }).collect();
    let mut wrong = Vec::new();
    for (line, text) in (1..).map(Line).zip(app.1.lines()) {
        let mark = text.rsplit_once("# ").or(text.rsplit_once("// "));
        let Some((_, mark)) = mark else { continue };
        let here = index.graph.calls_on(file, &symbols, line);
        let found = here.iter().map(|call| match call.is_certain() {
            true => path(&index, call.callee.file).trim_start_matches("src/"),
            false => "?",
        });
        let mut found: Vec<&str> = found
            .map(|path| path.split('.').next().unwrap_or(path))
            .collect();
        found.dedup();
        let expected: &[&str] = if mark == "-" { &[] } else { &[mark] };
        if found != expected {
            wrong.push(format!("{line:?} {text}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_import_in_a_function_of_python_holds_there_from_its_line_on() {
    let rest = "\ndef only(): ...\n\nclass Rope:\n    def knot(self): ...\n";
    let b = format!("{PYTHON_MODULE}{rest}");
    check(("app.py", PYTHON), &[("a.py", PYTHON_MODULE), ("b.py", &b)]);
}

#[test]
fn an_import_in_a_function_of_rust_holds_in_its_block() {
    let others = [
        ("Cargo.toml", "[package]\nname = \"acme\"\n"),
        ("src/a.rs", RUST_MODULE),
        ("src/b.rs", RUST_MODULE),
    ];
    check(("src/lib.rs", RUST), &others);
    check(("src/lib.rs", RUST_MODULE_INSIDE), &others);
}
