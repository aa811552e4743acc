"""Measures AMI on held-out packages: does the block that a question is about come first?

    ami.py WORK CHECKPOINT [--each 60]
"""

import argparse
import json
import math
import re
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

import contrast
from export import load
from tokens import encode_all, read
from tune import pack

# Room for blocks of twelve lines; fine-tuning sees shorter rows for speed.
BLOCK_TOKENS, QUESTION_TOKENS = 200, 50
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
STOP = set(
    "a an and are as at be been but by can do does each for from has have if in into is it its not of on or returns return s "
    "so such that the their then there this to up use used using was we when where which will with".split()
)


def words(text):
    return [word.lower() for word in WORD.findall(text)]


def bm25(question, blocks, frequency, count, k1=1.2, b=0.75):
    """Okapi BM25 of each block; word rarity is that among all blocks of the measurement."""
    lists = [words(block) for block in blocks]
    average = sum(map(len, lists)) / len(lists)
    scores = []
    for block in lists:
        held, score = Counter(block), 0.0
        for word in set(words(question)):
            idf = math.log(1 + (count - frequency[word] + 0.5) / (frequency[word] + 0.5))
            tf = held[word]
            score += idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * len(block) / average))
        scores.append(score)
    return scores


def question_scores(model, tokenizer, said, example):
    """−NLL(q | b) of every block, over all tokens of the question and over those of its content words."""
    texts = [said, *example.positives, *example.negatives]
    question, *blocks = encode_all(tokenizer, texts)
    question = question[:QUESTION_TOKENS].tolist()
    rows = [(block[:BLOCK_TOKENS].tolist(), question) for block in blocks]
    ids, places, targets = pack(rows, max(len(block) for block, _ in rows) + len(question) + 2)
    with torch.no_grad():
        states = model.hidden(ids)[places[:, 0], places[:, 1]]
        logs = torch.log_softmax(states @ model.tokens.T, -1).gather(1, targets[:, None])[:, 0]
    logs = logs.view(len(rows), len(question)).numpy()
    content = [i for i, id in enumerate(question) if is_content(tokenizer.decode([id]))]
    return logs.mean(1), logs[:, content].mean(1) if content else logs.mean(1)


def is_content(token):
    text = token.strip().lower()
    return text not in STOP and any(map(str.isalnum, text))


def standard(scores):
    scores = np.asarray(scores, dtype=np.float64)
    return (scores - scores.mean()) / (scores.std() + 1e-9)


def judge(scores, positives):
    """(is the best block a right one, share of right-wrong pairs in order)."""
    scores = np.asarray(scores)
    right, wrong = scores[:positives], scores[positives:]
    order = (right[:, None] > wrong[None]).mean() + 0.5 * (right[:, None] == wrong[None]).mean()
    best = np.flatnonzero(scores == scores.max())
    return float((best < positives).mean()), float(order)


def measure(model, tokenizer, examples):
    """{kind: {score: {accuracy, auc, n}}}"""
    frequency, count = Counter(), 0
    for example in examples:
        for block in (*example.positives, *example.negatives):
            frequency.update(set(words(block)))
            count += 1
    results = defaultdict(lambda: defaultdict(list))
    for example, other in zip(examples, examples[1:] + examples[:1]):
        blocks = [*example.positives, *example.negatives]
        whole, content = question_scores(model, tokenizer, example.question, example)
        # A question about something else: what is above chance here is no understanding but a trait of the blocks.
        foreign, _ = question_scores(model, tokenizer, other.question, example)
        lexical = bm25(example.question, blocks, frequency, count)
        scores = {"random": np.zeros(len(blocks)), "BM25": lexical, "AMI": whole, "AMI on content words": content}
        scores["AMI, foreign question"] = foreign
        scores["BM25 + AMI"] = standard(lexical) + standard(content)
        for name, values in scores.items():
            results[example.kind][name].append(judge(values, len(example.positives)))
    return {
        kind: {
            name: {
                "accuracy": round(float(np.mean([a for a, _ in rows])), 4),
                "accuracy_error": round(float(1.96 * np.std([a for a, _ in rows]) / len(rows) ** 0.5), 4),
                "auc": round(float(np.mean([b for _, b in rows])), 4),
                "n": len(rows),
            }
            for name, rows in by_name.items()
        }
        for kind, by_name in results.items()
    }


def run(work, checkpoint, each):
    torch.set_num_threads(1)
    model, _ = load(checkpoint)
    tokenizer = Tokenizer.from_file(str(work / "tokenizer.json"))
    examples = contrast.collect(read(work / "held-out.jsonl"), each)
    return measure(model, tokenizer, examples)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("work", type=Path)
    arguments.add_argument("checkpoint", type=Path)
    arguments.add_argument("--each", type=int, default=60)
    given = arguments.parse_args()
    print(json.dumps(run(given.work, given.checkpoint, given.each), indent=1))
