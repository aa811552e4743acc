//! Names that several things have, and names that a file passes on.

use crate::index::Index;
use crate::index::tests::whole_index;

const FILES: &[(&str, &str)] = &[
    (
        "helpers/helpers.mjs",
        "import {hide} from '../lib/hide.mjs';\nimport Parser from 'parser';\nimport other from \
         'other';\n\nconst extend = (a) => other(a);\n\nexport {extend, hide, Parser};\n",
    ),
    (
        "lib/hide.mjs",
        "export function hide(all) {\n  return all;\n}\n",
    ),
    (
        "src/org/Guard.java",
        "package org;\n\npublic class Guard {\n    public Guard() {\n    }\n}\n",
    ),
    (
        "src/org/Gate.java",
        "package org;\n\npublic class Gate {\n    private Guard guard;\n\n    void open() {\n        \
         guard = null;\n    }\n}\n",
    ),
    (
        "fern/barrier.py",
        "class Barrier:\n    durable = True\n\n    def wait(self):\n        pass\n\n\nclass Future:\n    \
         pass\n",
    ),
    ("fern/later.py", "class Future:\n    pass\n"),
    (
        "tests/test_barrier.py",
        "from fern.barrier import Barrier\n\n\ndef test_a_barrier_waits():\n    \
         Barrier().wait()\n\n\ndef test_two_meet():\n    Barrier().wait()\n",
    ),
    (
        "fern/gates.py",
        "from enum import Enum\n\n\nclass GateKind(Enum):\n    WIDE = 1\n    NARROW = 2\n\n\n\
         def open_gate(kind):\n    return kind\n",
    ),
    (
        "tests/test_gates.py",
        "from fern.gates import open_gate\n\n\ndef test_open_gate():\n    open_gate(1)\n\n\n\
         def test_a_walk():\n    open_gate(2)\n\n\ndef test_open_gate_is_red():\n    assert 1\n",
    ),
];

fn sample() -> Index {
    whole_index("fern-2.0", FILES)
}

/// A question and its statements, each with the `path:lines` of its footnotes.
const ANSWERS: &[(&str, &[&str])] = &[
    (
        "what does helpers.mjs export?",
        &[
            "`helpers/helpers.mjs` has 3 public definitions (exported): `extend`, `hide` and `Parser`. [helpers/helpers.mjs:5 helpers/helpers.mjs:7]",
        ],
    ),
    (
        "where is Guard used?",
        &["`Guard` is used at 1 place: in `Gate`. [src/org/Gate.java:4]"],
    ),
    (
        "where is Future defined?",
        &[
            "`Future` is defined at 2 places: `fern/barrier.py:8` and `fern/later.py:1`. [fern/barrier.py:8 fern/later.py:1]",
        ],
    ),
    (
        "tests for fern/barrier.py",
        &[
            "`fern/barrier.py` is exercised by 1 test file: `tests/test_barrier.py`. [tests/test_barrier.py:1]",
            "`tests/test_barrier.py` has 2 tests: `test_a_barrier_waits` and `test_two_meet`. [tests/test_barrier.py:4 tests/test_barrier.py:8]",
        ],
    ),
    (
        "is the barrier durable by default?",
        &["Yes. `durable` of `Barrier` in `fern/barrier.py` is set to `True`. [fern/barrier.py:2]"],
    ),
    (
        "which tests cover open_gate",
        &[
            "`open_gate` is exercised by 1 test of its own: `test_open_gate`. [tests/test_gates.py:5]",
            "`open_gate` is also used by 1 other test: `test_a_walk`. [tests/test_gates.py:9]",
            "1 more test is named after `open_gate`: `test_open_gate_is_red`. [tests/test_gates.py:12]",
        ],
    ),
    (
        "what gate kinds can a walker meet?",
        &[
            "`GateKind` in `fern/gates.py` has 2 variants: `GateKind.WIDE` and `GateKind.NARROW`. [fern/gates.py:5 fern/gates.py:6]",
        ],
    ),
    (
        "list the WI* variants of fern::GateKind",
        &["`GateKind` in `fern/gates.py` has 1 variant: `GateKind.WIDE`. [fern/gates.py:5]"],
    ),
];

#[test]
fn things_with_the_same_name_are_distinguished() {
    super::compare(&sample(), ANSWERS);
}
