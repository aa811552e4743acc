"""`python -m unittest` in this folder: the parts of the recipe that decide what is trained on and what the file means."""

import json
import random
import sys
import unittest
from pathlib import Path

import numpy as np
import scipy.sparse as sparse
from onnx.reference import ReferenceEvaluator

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "code-lm"))

import export
import questions
import sources
import table
import teacher
import words
from definitions import definitions, words_of
from gather import inside, vendored

SOURCE = '''\
class Session:
    def resolve_redirects(self, response):
        """Follows redirects until an answer is none. Gives up after so many of them, which the caller says."""
        if self.count > self.limit:
            raise TooManyRedirects("Exceeded the number of redirects that are allowed")
        target = self.target_of(response)
        return self.send(target)
'''
TESTS = '''\
def test_redirects_are_followed():
    session = make()
    session.resolve_redirects(answer)
'''
MANUAL = """\
Redirects of a session
======================

The method `resolve_redirects` is called for every answer that points elsewhere. It is no secret that it may be called again, and again.
"""


def package():
    rows = [
        {"path": "src/web/sessions.py", "language": "python", "text": SOURCE},
        {"path": "tests/test_web.py", "language": "python", "text": TESTS},
        {"path": "docs/manual.rst", "language": "text", "text": MANUAL},
        {"path": "CHANGES.md", "language": "changes", "text": "## 1.0\n\n- `resolve_redirects` now drops the body of the request"},
    ]
    return questions.Package("web", rows)


class Sources(unittest.TestCase):
    def test_excluded_names_are_met_in_every_spelling_and_by_prefix(self):
        names = sources.excluded()
        for name in ("requests", "Django", "cx_Freeze", "serde_derive", "tokio-util", "ra_ap_syntax", "@trpc/client", "Flask-Login"):
            self.assertTrue(sources.is_excluded(name, names), name)
        for name in ("regex", "anyio", "react-native", "kivy"):
            self.assertFalse(sources.is_excluded(name, names), name)

    def test_no_package_is_excluded_or_listed_twice_and_all_are_permissive(self):
        names, added = sources.excluded(), json.loads((HERE / "packages.json").read_text())
        self.assertEqual([row["name"] for row in added if sources.is_excluded(row["name"], names)], [])
        every = [(row["registry"], sources.plain(row["name"])) for row in sources.packages()]
        self.assertEqual(len(every), len(set(every)))
        for row in added:
            self.assertRegex(row["licence"], r"MIT|Apache|BSD|ISC", row["name"])
            self.assertRegex(row["sha256"], r"^[0-9a-f]{64}$")

    def test_held_out_packages_are_among_them(self):
        held_out = json.loads((HERE / "held-out.json").read_text())
        self.assertEqual(sorted(row["name"] for row in sources.packages() if row["held_out"]), sorted(held_out))

    def test_copies_of_excluded_packages_inside_others_are_left_out(self):
        names = set(sources.excluded())
        self.assertTrue(vendored("src/extern/requests/api.py", names))
        self.assertFalse(vendored("src/web/requests.py", names))
        self.assertEqual(inside("web-1.0/src/web/a.py"), "src/web/a.py")


class Words(unittest.TestCase):
    def setUp(self):
        counts = {word: (5, 10) for word in ("http", "server", "get", "name", "names", "größe", "2")}
        letters = [chr(code) for code in range(ord("a"), ord("z") + 1)]
        tokens = [words.UNKNOWN, *letters, *("##" + letter for letter in letters), *counts, "##name"]
        self.tokenizer = words.tokenizer_of({token: number for number, token in enumerate(tokens)})

    def tokens(self, text):
        return self.tokenizer.encode(text).tokens

    def test_words_end_at_capitals_digits_and_all_that_is_no_letter(self):
        self.assertEqual(self.tokens("HTTPServer2 get_name"), ["http", "server", "2", "get", "name"])
        self.assertEqual(self.tokens("getHTTPName != (Größe)"), ["get", "http", "name", "größe"])

    def test_a_word_is_cut_from_its_longest_beginning_on(self):
        self.assertEqual(self.tokens("getname names"), ["get", "##name", "names"])

    def test_a_bag_leaves_out_what_has_no_token(self):
        ids, weights = words.bag(self.tokenizer, "name 名前 name " + "a" * 41)
        self.assertEqual(ids.tolist(), [self.tokenizer.token_to_id("name")])
        self.assertAlmostEqual(float(weights[0]), 2**0.5, places=6)
        rows = words.bags(self.tokenizer, ["name 名前 name", ""])
        self.assertEqual(np.diff(rows.indptr).tolist(), [1, 0])

    def test_what_comes_late_in_a_text_is_not_read(self):
        ids, _ = words.bag(self.tokenizer, "get " * 1000 + "server")
        self.assertEqual(len(ids), 1)

    def test_pieces_with_equal_counts_come_in_the_same_order_in_each_run(self):
        choice, letters = random.Random(1), list("abcdefghij")
        found = {"".join(choice.choices(letters, k=choice.randint(3, 9))) for _ in range(2_000)}
        counts = {word: (1, 1) for word in found}
        first, *others = (words.pieces(sorted(found), counts, letters) for _ in range(4))
        self.assertTrue(all(other == first for other in others))

    def test_the_words_of_many_packages_come_first(self):
        counts = {"rare": (2, 900), "common": (9, 20), "of": (9, 30), "alone": (1, 5000)}
        chosen = words.choose(counts)
        self.assertLess(chosen["of"], chosen["common"])
        self.assertLess(chosen["common"], chosen["rare"])
        self.assertNotIn("alone", list(chosen)[: chosen["rare"] + 1])
        self.assertEqual(chosen[words.UNKNOWN], 0)


class Definitions(unittest.TestCase):
    def test_names_owners_and_extents(self):
        found = [(d.name, d.owner, d.start, d.end) for d in definitions(SOURCE.split("\n"), "python")]
        self.assertEqual(found, [("Session", "", 0, 7), ("resolve_redirects", "Session", 1, 7)])
        rust = "impl Reader for File {\n    pub fn read(&self) -> u8 {\n        1\n    }\n}\n"
        self.assertEqual([(d.name, d.owner) for d in definitions(rust.split("\n"), "rust")], [("File", ""), ("read", "File")])
        script = "export const sendAll = async (x) => {\n  go();\n};\nclass A {\n  run(x) {\n    if (x) {\n      y();\n    }\n  }\n}\n"
        found = [(d.name, d.owner) for d in definitions(script.split("\n"), "javascript")]
        self.assertEqual(found, [("sendAll", ""), ("A", ""), ("run", "A")])

    def test_words_of_names(self):
        self.assertEqual(words_of("get_HTTPResponse2"), "get http response 2")


class Questions(unittest.TestCase):
    def test_every_kind_is_found(self):
        kinds = {pair["k"] for pair in questions.capped(package())}
        self.assertLessEqual({"doc", "long", "name", "test", "prose", "change", "error", "section"}, kinds)

    def test_a_question_is_not_in_its_document(self):
        for pair in questions.capped(package()):
            if pair["k"] in ("doc", "error", "long"):
                self.assertNotIn(pair["q"][:40], pair["d"], pair["k"])
                self.assertIn("resolve_redirects", pair["d"])

    def test_documents_begin_with_their_path(self):
        for pair in questions.capped(package()):
            self.assertRegex(pair["d"].split("\n")[0], r"sessions\.py|manual\.rst|test_web\.py|CHANGES\.md")

    def test_keywords_leave_out_stop_words(self):
        self.assertNotIn("the", questions.keywords(random.Random(0), "the name of the file that is read").split())


def some_pairs(rng, count=12, wrong=5, size=30):
    bags = [sparse.random(rows, size, 0.4, "csr", np.float32, rng) for rows in (count, count + wrong)]
    return *bags, np.arange(count)


class Training(unittest.TestCase):
    def test_the_gradient_is_that_of_the_loss(self):
        rng = np.random.default_rng(0)
        rows = rng.normal(size=(30, 8))
        questions_, documents, same = some_pairs(rng)
        same[3] = same[2]
        slope, _ = table.gradient(rows, questions_, documents, same)
        for at in ((1, 2), (7, 0), (29, 7)):
            step = np.zeros_like(rows)
            step[at] = 1e-4
            up, down = (table.gradient(rows + side * step, questions_, documents, same)[1] for side in (1, -1))
            self.assertAlmostEqual(float(slope[at]), (up - down) / 2e-4, delta=1e-2 * max(1, abs(float(slope[at]))))


class Teacher(unittest.TestCase):
    def test_the_start_table_learns_what_its_prior_does_not_know(self):
        rng = np.random.default_rng(0)
        hidden = rng.normal(size=(30, 8)).astype(np.float32)
        bag = sparse.random(400, 30, 0.2, "csr", np.float32, rng)
        bag = bag[np.diff(bag.indptr) > 0]
        wanted = teacher.unit(bag @ hidden)
        rows = teacher.table(bag, wanted, rng.normal(size=(30, 8)).astype(np.float32), 8, say=lambda *_: None)
        aim, _ = teacher.shortened(wanted, hidden, 8)
        self.assertGreater(float((teacher.unit(bag @ rows) * aim).sum(1).mean()), 0.9)


class Export(unittest.TestCase):
    def test_the_graph_is_the_normalised_weighted_sum(self):
        rows = np.random.default_rng(0).normal(size=(20, 6)).astype(np.float32)
        rows[0] = 0
        stored, scales = export.quantise(rows)
        runner = ReferenceEvaluator(export.graph(stored, scales))
        ids, weights = np.array([[3, 5, 0], [0, 0, 0]]), np.array([[1, 1.5, 0], [0, 0, 0]], np.float32)
        (vectors,) = runner.run(None, {"ids": ids, "weights": weights})
        wanted = stored[3] * scales[3] + 1.5 * stored[5] * scales[5]
        np.testing.assert_allclose(vectors[0], wanted / np.linalg.norm(wanted), atol=1e-5)
        self.assertEqual(vectors[1].tolist(), [0] * 6)
        self.assertLess(float(np.abs(stored * scales[:, None] - rows).max()), float(scales.max()))


if __name__ == "__main__":
    unittest.main()
