"""The tokeniser: words and pieces of words, without punctuation, and texts as bags of them."""

import json
import re
from collections import Counter, defaultdict

import numpy as np
import scipy.sparse as sparse
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

VOCABULARY = 32_768
WHOLE_WORDS = 26_500
"""Characters among them; the rest is pieces."""
LONG_NUMBER = 20
"""Packages that a number of more than two digits has to be in, and a character that is no ASCII."""
MAX_WORD = 40
MAX_CHARACTERS = 4_000
"""Of a text; what is after them is not read."""
UNKNOWN = "[UNK]"
"""HF's WordPiece must have it. No word can be it, its row is zero, and bags leave it out."""
BOUNDARY = r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"
WORD = r"\p{Alphabetic}+|[0-9]+"
# The same for choosing the vocabulary, in Python's own expressions. They know no Alphabetic; letters are close to it.
ROUGH_BOUNDARY, ROUGH_WORD = re.compile(BOUNDARY), re.compile(r"[^\W\d_]+|[0-9]+")


def count(rows):
    """word → (number of packages, number of times) in all texts."""
    packages, times = defaultdict(set), Counter()
    for row in rows:
        words = Counter(ROUGH_WORD.findall(ROUGH_BOUNDARY.sub(" ", row["text"]).lower()))
        times.update(words)
        for word in words:
            packages[word].add(row["package"])
    return {word: (len(packages[word]), times[word]) for word in times if len(word) <= MAX_WORD}


def choose(counts):
    """Characters, the words of most packages, and pieces for the words that are left."""
    ranked = sorted(counts, key=lambda word: (-counts[word][0], -counts[word][1], word))
    characters = Counter()
    for word in ranked:
        for character in set(word):
            characters[character] += counts[word][0]
    common = (c for c, packages in characters.items() if c.isascii() or (c.isalpha() and packages >= LONG_NUMBER))
    letters = sorted(common)
    chosen = dict.fromkeys([UNKNOWN, *letters, *(f"##{letter}" for letter in letters)])
    for word in ranked:
        if len(chosen) >= WHOLE_WORDS:
            break
        if counts[word][0] >= 2 and set(word) <= set(letters) and (len(word) < 3 or not word.isdigit() or counts[word][0] >= LONG_NUMBER):
            chosen[word] = None
    left = [word for word in ranked if word not in chosen and set(word) <= set(letters) and not word.isdigit()]
    for piece in pieces(left, counts, letters):
        if len(chosen) >= VOCABULARY:
            break
        chosen[piece] = None
    return {token: number for number, token in enumerate(chosen)}


def pieces(words, counts, letters):
    """Pieces in the order in which byte-pair merges find them, each word as often as it has packages.

    The numbers of the parts break ties. The trainer numbers characters that it is not given in the
    order of a hash map, which differs from run to run. Given as special tokens, they keep theirs."""
    tokenizer = Tokenizer(models.WordPiece(unk_token=UNKNOWN, max_input_chars_per_word=MAX_WORD))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    characters = [UNKNOWN, *letters, *(f"##{letter}" for letter in letters)]
    trainer = trainers.WordPieceTrainer(
        vocab_size=VOCABULARY, special_tokens=characters, limit_alphabet=len(letters), show_progress=False
    )
    tokenizer.train_from_iterator((" ".join([word] * counts[word][0]) for word in words), trainer)
    found = tokenizer.get_vocab()
    return sorted(found, key=found.get)


def tokenizer_of(vocabulary):
    """A standard tokenizer.json that gives the same ids, and [UNK] for a word that has none."""
    tokenizer = Tokenizer(models.WordPiece(vocab=vocabulary, unk_token=UNKNOWN, max_input_chars_per_word=MAX_WORD))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Replace(Regex(BOUNDARY), " "), normalizers.Lowercase()])
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(WORD), behavior="removed", invert=True)
    return tokenizer


def save(tokenizer, path):
    """Without what this tokenizer does not use, on one line."""
    data = json.loads(tokenizer.to_str())
    path.write_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")


def bag(tokenizer, text):
    """(ids in order, weights) of one text."""
    ids, counts = np.unique(np.asarray(tokenizer.encode(text[:MAX_CHARACTERS]).ids, np.int64), return_counts=True)
    known = ids != tokenizer.token_to_id(UNKNOWN)
    return ids[known], np.sqrt(counts[known]).astype(np.float32)


def bags(tokenizer, texts):
    """One row a text: the square root of how often it holds each token."""
    unknown = tokenizer.token_to_id(UNKNOWN)
    columns, values, ends = [], [], [0]
    for start in range(0, len(texts), 1024):
        batch = [text[:MAX_CHARACTERS] for text in texts[start : start + 1024]]
        for encoding in tokenizer.encode_batch_fast(batch):
            ids, counts = np.unique(np.asarray(encoding.ids, np.int32), return_counts=True)
            known = ids != unknown
            columns.append(ids[known])
            values.append(np.sqrt(counts[known]).astype(np.float32))
            ends.append(ends[-1] + int(known.sum()))
    shape = (len(texts), tokenizer.get_vocab_size())
    return sparse.csr_matrix((np.concatenate(values), np.concatenate(columns), np.array(ends)), shape=shape)
