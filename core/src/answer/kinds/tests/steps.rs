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
        let count = format!(
            "`f` does {} things in the order of its lines:",
            expected.len()
        );
        assert_eq!(sentence, count, "{path}: {items:#?}");
        assert_eq!(items, *expected, "{path}");
    }
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
            "self.three(), unless url == 1, if url == 3",
            "self.rest, set, unless url == 1",
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
];
