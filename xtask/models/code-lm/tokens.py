"""Byte-level BPE: trained on a sample that gives every language a share, then every text as 16-bit token ids."""

import json
import random
from collections import defaultdict

import numpy as np
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

END, SEPARATOR = 0, 1
SPECIAL = ["<|end|>", "<|about|>"]
# A line break takes its indentation along; identifiers are cut at capitals and underscores, so that the words of an
# identifier are the tokens that prose uses; digits stand alone.
PATTERN = r"(?:\r?\n)+[\t ]*| ?[A-Z]?[a-z]+| ?[A-Z]+(?![a-z])| ?[0-9]| ?_+| ?[^\sA-Za-z0-9_]+|\s+"
SAMPLE_BYTES = 1_800_000


def new_tokenizer():
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PATTERN), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def train(corpus, path, vocabulary, seed=7):
    """Trains on at most SAMPLE_BYTES of each language and stores tokenizer.json."""
    by_language = defaultdict(list)
    for row in corpus:
        by_language[row["language"]].append(row["text"])
    rng = random.Random(seed)
    sample = []
    for language in sorted(by_language):
        texts, size = by_language[language], 0
        rng.shuffle(texts)
        for text in texts:
            sample.append(text)
            size += len(text)
            if size > SAMPLE_BYTES:
                break
    tokenizer = new_tokenizer()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=SPECIAL,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        max_token_length=16,
    )
    tokenizer.train_from_iterator(sample, trainer)
    tokenizer.save(str(path))
    return tokenizer


def read(path):
    with open(path) as lines:
        for line in lines:
            yield json.loads(line)


def encode_all(tokenizer, texts, batch=256):
    """Token ids of each text; special tokens' names inside a text are ordinary text."""
    tokenizer.encode_special_tokens = True
    for start in range(0, len(texts), batch):
        for encoding in tokenizer.encode_batch_fast(texts[start : start + batch]):
            yield np.array(encoding.ids, dtype=np.uint16)


def stream(tokenizer, rows, seed=3):
    """One row of tokens: end, text, end, text, … in random order."""
    rows = list(rows)
    random.Random(seed).shuffle(rows)
    parts = []
    for ids in encode_all(tokenizer, [row["text"] for row in rows]):
        parts += [np.array([END], np.uint16), ids]
    return np.concatenate(parts)
