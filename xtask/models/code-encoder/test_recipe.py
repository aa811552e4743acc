"""`python -m unittest` in this folder: what is trained on, what is sent, and what comes back.

The tests of the training itself need PyTorch and are left out where there is none.
"""

import json
import random
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path += [str(HERE.parent / name) for name in ("code-table", "", "code-lm")]

import choose
import mine
import packed
import weights
from splits import CODE, MANUALS, PLAIN, TRAIN

try:
    import torch

    import bert
    import train
except ImportError:
    torch = None

MINILM = ROOT / "public/models/all-MiniLM-L6-v2-int8"
MANUAL = """\
A session keeps connections open between requests. It is safe to share one among threads. When it \
is dropped, every connection is closed.

    session = Session()

Proxies are read from the environment. They can be set by hand too.
"""


def manual():
    rows = [{"path": "docs/manual.rst", "language": "text", "text": MANUAL}]
    return mine.Package("web", rows)


def row(**changed):
    plain = {"p": "web", "k": "doc", "i": "0:3", "q": "opens it", "d": "def open()", "h": False}
    return plain | changed


class English(unittest.TestCase):
    def test_a_sentence_is_taken_out_of_its_passage(self):
        found = list(mine.english(manual()))
        self.assertEqual(len(found), 1)
        _, said, rest = found[0]
        self.assertIn(said, " ".join(MANUAL.split()))
        self.assertNotIn(said, rest)

    def test_code_and_tables_are_no_prose(self):
        self.assertTrue(mine.is_prose("Connections are closed when it is dropped."))
        self.assertFalse(mine.is_prose("x = y; | a | b |"))
        self.assertFalse(mine.is_prose("1234 5678 9012 words"))


class Choice(unittest.TestCase):
    def test_packages_give_as_evenly_as_they_can(self):
        rows = [("large", number) for number in range(100)] + [("small", 100), ("small", 101)]
        self.assertEqual(sum(number >= 100 for number in choose.evenly(rows, 6)), 2)

    def test_english_of_some_packages_is_apart(self):
        names = [f"package {number}" for number in range(200)]
        apart = [name for name in names if random.Random(name).randrange(choose.ENGLISH_APART) == 0]
        self.assertTrue(0 < len(apart) < 40)
        self.assertEqual(choose.split_of(row(p=apart[0], k="english")), PLAIN)
        for kind in MANUALS[1:]:
            self.assertIsNone(choose.split_of(row(p=apart[0], k=kind)))
        self.assertEqual(choose.split_of(row(p=apart[0])), TRAIN)
        self.assertEqual(choose.split_of(row(h=True)), CODE)

    def test_places_are_lines_or_nothing(self):
        self.assertEqual(packed.place(row()), (0, 3))
        self.assertEqual(packed.place(row(k="section", i="2:400")), (2, 10))
        self.assertEqual(packed.place(row(k="distractor", i="distractor 7")), (-1, -1))


def some_pairs():
    rows = [
        (TRAIN, row(k="distractor", i="distractor 0", q="", d="def test_open()")),
        (TRAIN, row(i="1:9", q="closes it", d="def close()")),
        (TRAIN, row()),
        (TRAIN, row(k="ask", q="how to open it")),
        (CODE, row(p="other", q="reads", d="def read()", h=True)),
    ]
    return packed.gather(rows, Tokenizer.from_file(str(MINILM / "tokenizer.json")))


class Packed(unittest.TestCase):
    def test_what_is_saved_is_what_is_loaded(self):
        pairs = some_pairs()
        with tempfile.TemporaryDirectory() as folder:
            packed.save(pairs, Path(folder))
            again = packed.load(Path(folder))
        for name in vars(pairs):
            np.testing.assert_array_equal(getattr(pairs, name), getattr(again, name), name)

    def test_a_document_is_there_once_and_questions_point_to_it(self):
        pairs = some_pairs()
        self.assertEqual(len(pairs.package), 4)
        tokenizer = Tokenizer.from_file(str(MINILM / "tokenizer.json"))
        ends = np.cumsum(pairs.document_lengths.astype(int))
        starts = ends - pairs.document_lengths
        shown = [tokenizer.decode(pairs.document_tokens[starts[at] : ends[at]]) for at in range(4)]
        kinds = pairs.kinds[pairs.kind]
        asked = pairs.document[np.isin(kinds, ["ask", "doc"]) & (pairs.split == TRAIN)]
        wanted = ["def close ( )", "def open ( )", "def open ( )"]
        self.assertEqual(sorted(shown[at] for at in asked), wanted)


class Weights(unittest.TestCase):
    def test_changes_come_back_nearly_as_they_were(self):
        rng = np.random.default_rng(0)
        before = {name: np.zeros((6, 4), np.float32) for name in weights.names()}
        after = {name: rng.normal(size=(6, 4)).astype(np.float32) for name in before}
        with tempfile.TemporaryDirectory() as folder:
            lost = weights.save_changes(before, after, Path(folder), "a")
            found = weights.load_changes(Path(folder), "a")
        self.assertLess(lost, 0.01)
        for name in before:
            np.testing.assert_allclose(found[name], after[name], atol=0.02)

    def test_the_committed_weights_are_the_published_ones_but_for_rounding(self):
        joint = weights.from_onnx(MINILM / "model.onnx")
        names = dict(weights.published(joint))
        self.assertEqual(len(names), 2 + 2 + weights.LAYERS * 16)
        self.assertEqual(names["encoder.layer.3.attention.self.key.weight"].shape, (384, 384))
        start = {name: np.zeros((300, 384), np.float32) for name in names}
        start |= {name: np.zeros_like(value) for name, value in names.items()}
        moved = weights.moved(start, joint, 0.5)
        name = "encoder.layer.0.output.dense.weight"
        np.testing.assert_allclose(moved[name], names[name] / 2)


@unittest.skipIf(torch is None, "no PyTorch")
class Training(unittest.TestCase):
    def test_the_encoder_is_the_one_that_the_tests_of_the_runtime_know(self):
        cases = json.loads((ROOT / "tests/fixtures/embeddings/vectors.json").read_text())["cases"]
        tokens = [np.array(case["ids"], np.uint16) for case in cases]
        lengths = np.array([len(ids) for ids in tokens], np.uint16)
        device = torch.device("cpu")
        texts = bert.Texts(np.concatenate(tokens), lengths, device)
        start = bert.on(device, weights.from_onnx(MINILM / "model.onnx"))
        found = bert.vectors(start, texts, np.arange(len(cases))).numpy()
        wanted = np.array([case["vector"] for case in cases])
        self.assertGreater((found * wanted).sum(1).min(), 0.99999)

    def test_the_rate_rises_and_falls(self):
        rates = [train.rate(step, 100) for step in range(100)]
        self.assertAlmostEqual(max(rates), 1)
        self.assertLess(rates[0], 0.2)
        self.assertLess(rates[-1], 0.01)

    def test_variants_are_read(self):
        read = train.variant("a:lr=5e-5,hard=0")
        self.assertEqual((read.name, read.lr, read.hard, read.batch), ("a", 5e-5, 0, 1024))

    def test_a_document_that_may_overlap_is_no_wrong_answer(self):
        device, pairs = torch.device("cpu"), some_pairs()
        start = bert.on(device, weights.from_onnx(MINILM / "model.onnx"))
        data = train.Data(pairs, start, device)
        rows = np.flatnonzero(pairs.split == TRAIN)
        shown = data.tensor(pairs.document[rows].astype(np.int64))
        forbidden = train.repeated(data, data.tensor(rows), shown)
        self.assertFalse(forbidden.diagonal().any())
        same = shown[:, None] == shown
        self.assertTrue((forbidden | torch.eye(len(rows), dtype=torch.bool))[same].all())


if __name__ == "__main__":
    unittest.main()
