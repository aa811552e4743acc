//! Steps of functions: with literals, conditions, loops, cases and handlers.

use crate::answer::{Outcome, ask};
use crate::index::Vectors;
use crate::index::tests::whole_index;
use crate::search::Question;

/// The sentence about the steps of `f`, and its list: `name, detail` by line.
fn steps(path: &str, source: &str) -> (String, Vec<String>) {
    let index = whole_index("one-1.0", &[(path, source)]);
    let question = Question::new("what does f do step by step").unwrap();
    let asked = ask(&index, &Vectors::new(1, 0), &question, None);
    let Outcome::Found { statements, .. } = asked.answer.outcome else {
        panic!("{path}: nothing");
    };
    let listed = statements.into_iter().find(|it| !it.items.is_empty());
    let listed = listed.unwrap_or_else(|| panic!("{path}: no steps"));
    let items = listed.items.iter();
    let items = items.map(|item| match item.detail.is_empty() {
        true => item.name.clone(),
        false => format!("{}, {}", item.name, item.detail),
    });
    (listed.plain(), items.collect())
}

#[test]
fn few_steps_are_named_in_the_sentence_with_their_conditions() {
    let (sentence, _) = steps(
        "a.js",
        "function f(a) {\n  if (a) {\n    open('x', a);\n  } else {\n    a.on = 1;\n  }\n  return a;\n}\n",
    );
    assert_eq!(
        sentence,
        "In the order of its lines, `f` calls `open('x', a)` (if `a`), sets `a.on` (unless `a`) and \
         returns `a`."
    );
}

#[test]
fn many_steps_are_introduced_and_listed_with_everything_around_them() {
    for (path, source, expected) in MANY {
        let (sentence, items) = steps(path, source);
        let count = expected.len();
        let lead = format!("f` does {count} things in the order of its lines:");
        assert!(sentence.ends_with(&lead), "{path}: {sentence} {items:#?}");
        assert_eq!(items, *expected, "{path}");
    }
}

#[test]
fn an_answer_says_if_the_conditions_of_calls_are_not_known() {
    let (sentence, _) = steps(
        "a.swift",
        "func f(a: Int) {\n  if a > 1 { big(a) } else { small() }\n}\n",
    );
    assert_eq!(
        sentence,
        "In the order of its lines, `f` calls `big` and `small` (the conditions of its calls were \
         not read)."
    );
}

const MANY: &[(&str, &str, &[&str])] = &[
    (
        "a.js",
        "function f(req) {\n  switch (req.kind) {\n    case 'GET':\n      if (req.fresh) {\n        this.set('ETag', req.tag);\n      }\n      break;\n    default:\n      drop(req);\n  }\n  for (const it of all(req)) {\n    it.send(304);\n  }\n  try {\n    save(req);\n  } catch (error) {\n    throw new Wrong(error);\n  }\n  while (req.more()) next(req);\n  return req ? one(req) : none();\n}\n",
        &[
            "this.set('ETag', req.tag), in the case 'GET', if req.fresh",
            "drop(…), in a branch",
            "all(…)",
            "it.send(304), in a loop",
            "save(…)",
            "new Wrong(error), raised, if an error is caught",
            "req.more()",
            "next(…), in a loop",
            "req ? one(req) : none(), returned",
        ],
    ),
    (
        "a.py",
        "def f(self, url):\n    if url == 1:\n        self.one(\"a\")\n    elif url == 2:\n        self.two()\n    elif url == 3:\n        self.three()\n    else:\n        self.rest = url\n    for part in self.parts():\n        if part:\n            self.keep(part)\n    try:\n        self.send()\n    except OSError:\n        raise Lost(url)\n    return url\n",
        &[
            "self.one(\"a\"), if url == 1",
            "self.two(), unless url == 1, if url == 2",
            "self.three(), unless url == 1, unless url == 2, if url == 3",
            "self.rest, set, unless url == 1, unless url == 2, unless url == 3",
            "self.parts()",
            "self.keep(…), in a loop, if part",
            "self.send()",
            "Lost(url), raised, if an error is caught",
            "url, returned",
        ],
    ),
    (
        "a.rs",
        "fn f(&mut self, kind: Kind) -> u32 {\n    match kind {\n        Kind::One => self.one(\"a\"),\n        _ => self.other(),\n    }\n    if let Some(it) = self.next() {\n        self.count = it;\n    } else {\n        self.reset(0);\n    }\n    while self.more() {\n        self.step();\n    }\n    self.count\n}\n",
        &[
            "self.one(\"a\"), in the case Kind::One",
            "self.other(), in the case _",
            "self.next()",
            "self.count, set, if let Some(it) = self.next()",
            "self.reset(0), unless let Some(it) = self.next()",
            "self.more()",
            "self.step(), in a loop",
            "self.count, returned",
        ],
    ),
    (
        "A.java",
        "class A {\n  int f(int a) {\n    if (a > 1) {\n      big(\"x\");\n    } else {\n      small();\n    }\n    for (int i : xs()) {\n      body(i);\n    }\n    switch (a) {\n      case 1: return one();\n      default: other(a);\n    }\n    return 1;\n  }\n}\n",
        &[
            "big(\"x\"), if a > 1",
            "small(), unless a > 1",
            "xs()",
            "body(…), in a loop",
            "one(), returned, in a branch",
            "other(…), in a branch",
            "1, returned",
        ],
    ),
    (
        "a.rb",
        "def f(a)\n  return nil unless a\n  if a > 1\n    big('x')\n  elsif a < 0\n    neg(1)\n  else\n    small(2)\n  end\n  b = a && go(3)\n  until done(4)\n    tick(5)\n  end\nend\n",
        &[
            "nil, returned, unless a",
            "big('x'), if a > 1",
            "neg(1), unless a > 1, if a < 0",
            "small(2), unless a > 1, unless a < 0",
            "go(3), if a",
            "done(4)",
            "tick(5), in a loop",
        ],
    ),
    (
        "a.php",
        "<?php\nfunction f($a) {\n  if ($a > 1) {\n    big('x');\n  } elseif ($a < 0) {\n    neg(1);\n  } else {\n    small(2);\n  }\n  foreach (all(3) as $it) {\n    body($it);\n  }\n  switch ($a) {\n    case 1:\n    case 2:\n      both(4);\n      break;\n    default:\n      rest(5);\n  }\n  return $a;\n}\n",
        &[
            "big('x'), if $a > 1",
            "neg(1), unless $a > 1, if $a < 0",
            "small(2), unless $a > 1, unless $a < 0",
            "all(3)",
            "body(…), in a loop",
            "both(4), in a branch",
            "rest(5), in a branch",
            "$a, returned",
        ],
    ),
    (
        "b.py",
        "def f(a, b):\n    b and notify(b)\n    a.ready() or fix(1)\n    xs = [conv(x) for x in items(2) if good(x)]\n    for x in xs:\n        if x:\n            break\n    else:\n        never(3)\n    try:\n        risky(4)\n    except OSError:\n        log(5)\n    else:\n        fine(6)\n    a.b = c(7)\n",
        &[
            "notify(…), if b",
            "a.ready()",
            "fix(1), unless a.ready()",
            "conv(…), if good(x)",
            "items(2)",
            "good(…), in a branch",
            "never(3), in a branch",
            "risky(4)",
            "log(5), if an error is caught",
            "fine(6), in a branch",
            "c(7)",
            "a.b, set",
        ],
    ),
    (
        "b.rs",
        "fn f(a: Option<u32>) -> u32 {\n    let Some(x) = a else {\n        return bail(1);\n    };\n    a.flag && side(2);\n    match x {\n        n if n > big(3) => one(4),\n        _ => two(5),\n    };\n    x.go(6)?;\n    x\n}\n",
        &[
            "bail(1), returned, in a branch",
            "side(2), if a.flag",
            "big(3), in a branch",
            "one(4), in the case n if n > big(3)",
            "two(5), in the case _",
            "x.go(6)",
            "x, returned",
        ],
    ),
    (
        "C.java",
        "class A {\n  void f() {\n    a(1);\n    handler.post(new Runnable() {\n      public void run() {\n        if (on) {\n          stop(2);\n        }\n      }\n    });\n    b(3);\n    c(4);\n    d(5);\n  }\n}\n",
        &[
            "a(1)",
            "Runnable()",
            "handler.post(…)",
            "stop(2), if on, in the function passed to handler.post",
            "b(3)",
            "c(4)",
            "d(5)",
        ],
    ),
    (
        "A.scala",
        "object A {\n  def f(x: Int): Unit = {\n    x match {\n      case n if n > 2 => two(2)\n      case _ => rest(3)\n    }\n    a(4)\n    b(5)\n    c(6)\n    d(7)\n    return e(8)\n  }\n}\n",
        &[
            "two(2), in the case n if n > 2",
            "rest(3), in the case _",
            "a(4)",
            "b(5)",
            "c(6)",
            "d(7)",
            "e(8), returned",
        ],
    ),
    (
        "a.go",
        "package p\n\nfunc f(s S) error {\n\tif err := s.check(1); err != nil {\n\t\treturn wrap(2)\n\t}\n\tswitch s.kind {\n\tcase 1:\n\t\ts.one(3)\n\t\tfallthrough\n\tcase 2:\n\t\ts.two(4)\n\tdefault:\n\t\ts.rest(5)\n\t}\n\tfor _, x := range s.all(6) {\n\t\tx.next(7)\n\t}\n\treturn nil\n}\n",
        &[
            "s.check(1)",
            "wrap(2), returned, if err != nil",
            "s.one(3), in the case 1",
            "s.two(4), in a branch",
            "s.rest(5), in a branch",
            "s.all(6)",
            "x.next(7), in a loop",
            "nil, returned",
        ],
    ),
];
