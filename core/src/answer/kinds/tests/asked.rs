//! Questions in the words of people who had not seen the rules: what raises an error, what a
//! function takes, who overrides what, whether one class inherits from another, what is needed.

use super::super::super::tests::{answered, statements_of};
use crate::answer::Fit;
use crate::index::Index;
use crate::index::tests::whole_index;

const FILES: &[(&str, &str)] = &[
    (
        "package.json",
        "{\n  \"name\": \"alder\",\n  \"main\": \"lib/index.js\",\n  \"dependencies\": {\n    \"leaf\": \"^1.0.0\"\n  }\n}\n",
    ),
    (
        "lib/base.js",
        "module.exports = class Handler {\n  send (body, level = 3) {\n    throw new TypeError('no body')\n  }\n}\n",
    ),
    (
        "types/base.d.ts",
        "export declare class Handler {\n  send(body: string): void;\n}\n",
    ),
    (
        "lib/dump.js",
        "const Handler = require('./base')\n\nclass DumpHandler extends Handler {\n  send (body) {}\n}\n\nclass SQLHandler extends DumpHandler {\n  send (body) {}\n}\n\nfunction open ({ width = 10, kind = `flat`, }) {\n  const {\n    depth = 4,\n    shape = `round`,\n  } = options\n  const log = options.log ?? options.logger ?? 'stderr'\n}\n",
    ),
    (
        "lib/types.ts",
        "export interface Options {\n  /**\n   * How often a message is sent again.\n   *\n   * @defaultValue 5\n   */\n  retryCount?: number;\n}\n",
    ),
    ("lib/read.js", "function load_all (a) {}\n"),
    ("lib/write.js", "function load_all (b) {}\n"),
    (
        "docs/versionhistory.rst",
        "Version history\n===============\n\n**2.1.0**\n\n- Added the ``SQLHandler``\n\n**2.0.0**\n\n- Removed folders\n",
    ),
];

fn sample() -> Index {
    whole_index("alder-2.1.0", FILES)
}

/// A question and its statements, each with the `path:lines` of its footnotes.
const ANSWERS: &[(&str, &[&str])] = &[
    (
        "everything that throws a TypeError pls",
        &["`TypeError` is raised at 1 place: in `Handler.send`. [lib/base.js:3]"],
    ),
    (
        "what arguments does DumpHandler.send take",
        &["`DumpHandler.send` in `lib/dump.js` takes 1 parameter: `body`. [lib/dump.js:4]"],
    ),
    (
        "params of load_all in write.js",
        &["`load_all` in `lib/write.js` takes 1 parameter: `b`. [lib/write.js:1]"],
    ),
    (
        "classes based on DumpHandler",
        &["`DumpHandler` in `lib/dump.js` has 1 subclass: `SQLHandler`. [lib/dump.js:7]"],
    ),
    (
        "is SQLHandler a subclass of Handler?",
        &[
            "Yes. `SQLHandler` in `lib/dump.js` inherits from `DumpHandler`, which inherits from `Handler`. [lib/dump.js:7 lib/dump.js:3]",
        ],
    ),
    (
        "DumpHandler extends SQLHandler, doesn't it?",
        &[
            "No. `DumpHandler` in `lib/dump.js` inherits from `Handler`, and no declaration leads from there to `SQLHandler`. [lib/dump.js:3]",
        ],
    ),
    (
        "what does it need at runtime from npm? (not the extras)",
        &[
            "According to `package.json`, the only run-time dependency is `leaf ^1.0.0`. [package.json:5]",
        ],
    ),
    (
        "whats the main file of the package",
        &["According to `package.json`, the entry point is `lib/index.js`. [package.json:3]"],
    ),
    (
        "in which release was the SQL handler added?",
        &[
            "`docs/versionhistory.rst` says under “Version history: 2.1.0”: “Added the ``SQLHandler``”. [docs/versionhistory.rst:1-6]",
        ],
    ),
    (
        "which depth is used if I set none",
        &["`lib/dump.js` gives `depth` the default `4`. [lib/dump.js:13]"],
    ),
    (
        "is log on by default?",
        &["`lib/dump.js` gives `log` the default `'stderr'`. [lib/dump.js:16]"],
    ),
    (
        "which shape is used when no shape is given?",
        &["`lib/dump.js` gives `shape` the default `round`. [lib/dump.js:14]"],
    ),
    (
        "default retry count",
        &["`lib/types.ts` documents for `retryCount` the default `5`. [lib/types.ts:5-7]"],
    ),
];

#[test]
fn questions_in_free_words_are_answered_from_the_code() {
    let index = sample();
    for (question, expected) in ANSWERS {
        assert_eq!(statements_of(&index, question), *expected, "{question}");
    }
}

#[test]
fn classes_that_an_import_of_a_whole_module_names_are_found() {
    let said = statements_of(&sample(), "subclasses of Handler").join("\n");
    assert!(said.contains("`DumpHandler`"), "{said}");
}

#[test]
fn a_name_that_two_files_define_is_told_with_both() {
    let said = statements_of(&sample(), "explain what load_all does").join("\n");
    assert!(
        said.contains("is defined in 2 files: `lib/read.js` and `lib/write.js`"),
        "{said}"
    );
}

#[test]
fn a_name_that_occurs_nowhere_is_said_to_be_missing() {
    let answer = answered(&sample(), "what does load_none do");
    assert_eq!(answer.fit, Fit::Closest);
    let crate::answer::Outcome::Nothing { why } = answer.outcome else {
        panic!("{:?}", answer.outcome)
    };
    assert!(
        why.starts_with("“load_none” does not occur in alder-2.1.0."),
        "{why}"
    );
}

#[test]
fn a_crate_is_used_where_a_path_names_it_without_an_import() {
    let index = whole_index(
        "bark-1.0.0",
        &[
            ("src/lib.rs", "use leaf::Tree;\n\nmod twig;\n"),
            (
                "src/twig.rs",
                "// leaf::Tree grows.\nfn grow() -> leaf::Tree {\n    crate::leaf::grow()\n}\n",
            ),
        ],
    );
    assert_eq!(
        statements_of(&index, "which rust files use the leaf crate?"),
        [
            "`leaf` is imported by 1 file: `src/lib.rs`. [src/lib.rs:1]",
            "`leaf` is named in paths of 1 more file: `src/twig.rs`. [src/twig.rs:2]",
        ]
    );
}

#[test]
fn what_declarations_cannot_show_is_no_more_than_a_guess() {
    let index = whole_index(
        "trap-1.0.0",
        &[
            (
                "base.js",
                "export default class Thing extends Root {}\nexport class Root {}\n",
            ),
            (
                "more.js",
                "import T from './base.js'\nimport { Root as R } from './base.js'\n\nclass Alias extends T {}\nclass Mixed extends Mixin(R) {}\nclass Other extends R {}\n",
            ),
            (
                "late.rb",
                "class Late < StandardError; end\n\ndef stop\n  fail Late.new\nend\n",
            ),
            (
                "shape.py",
                "class Base:\n    def __init__(self, name, width=1):\n        pass\n\n\nclass Shape(Base):\n    sides = 3\n",
            ),
        ],
    );
    for question in [
        "is Alias a subclass of Thing?",
        "is Mixed a subclass of Root?",
        "who extends Thing?",
        "is Other a subclass of Thing?",
        "what arguments does Shape take",
        "what does Shape take",
    ] {
        let answer = answered(&index, question);
        let is_yes = format!("{:?}", answer.outcome).contains("Yes. ");
        assert!(answer.fit != Fit::Exact || is_yes, "{question}: {answer:?}");
    }
}
