"""What MiniLM makes of texts and of each token alone."""

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from words import UNKNOWN

BATCH = 256


def session(path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def mean_vectors(folder, texts):
    """MiniLM's vector of each text, not normalised."""
    tokenizer, runner = Tokenizer.from_file(str(folder / "tokenizer.json")), session(folder / "model.onnx")
    tokenizer.enable_padding()
    tokenizer.enable_truncation(256)
    vectors = []
    for start in range(0, len(texts), BATCH):
        encoded = tokenizer.encode_batch(texts[start : start + BATCH])
        ids = np.array([one.ids for one in encoded], np.int64)
        mask = np.array([one.attention_mask for one in encoded], np.int64)
        hidden = runner.run(None, {"input_ids": ids, "attention_mask": mask})[0]
        weights = mask[:, :, None].astype(np.float32)
        vectors.append((hidden * weights).sum(1) / weights.sum(1))
    return np.concatenate(vectors).astype(np.float32)


def unit(rows):
    return rows / (np.linalg.norm(rows, axis=1, keepdims=True) + 1e-6)


def vectors_of_tokens(folder, vocabulary):
    """One row a token; pieces as if they were words."""
    tokens = sorted(vocabulary, key=vocabulary.get)
    rows = mean_vectors(folder, [token.removeprefix("##") for token in tokens])
    rows[vocabulary[UNKNOWN]] = 0
    return rows
