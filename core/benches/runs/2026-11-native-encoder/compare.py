"""Footnote's native encoder and onnxruntime in turns, on one thread: milliseconds of processor time for one text.

    pip install onnxruntime numpy
    cargo build --release -p footnote-core --example encode_times
    python core/benches/runs/2026-11-native-encoder/compare.py target/release/examples/encode_times

Processor time, as other programs may share the machine. Footnote's includes the tokeniser, onnxruntime's does not.
"""

import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import onnxruntime

ROUNDS = 7
MODEL = Path(__file__).resolve().parents[4] / "public/models/all-MiniLM-L6-v2-int8/model.onnx"


def footnote(program, tokens, runs):
    """The seconds of a process, less those of one that only loads the model."""

    def seconds(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([program, str(tokens), str(runs)], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return (seconds(runs + 3) - seconds(3)) / runs * 1000


def onnx(session, tokens, runs):
    ids = np.full((1, tokens), 1996, np.int64)
    feed = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
    for _ in range(3):
        session.run(None, feed)
    start = time.thread_time()
    for _ in range(runs):
        session.run(None, feed)
    return (time.thread_time() - start) / runs * 1000


def main(program):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(MODEL, options, ["CPUExecutionProvider"])
    print(f"onnxruntime {onnxruntime.__version__}; median and least of {ROUNDS} rounds, ms")
    print("| tokens | Footnote | onnxruntime | Footnote : onnxruntime, medians |")
    print("|---|---|---|---|")
    for tokens, runs in [(14, 300), (128, 60), (256, 30)]:
        rounds = [(footnote(program, tokens, runs), onnx(session, tokens, runs)) for _ in range(ROUNDS)]
        ours, theirs = zip(*rounds)
        ratio = statistics.median(ours) / statistics.median(theirs)
        both = [f"{statistics.median(times):.1f} ({min(times):.1f})" for times in (ours, theirs)]
        print(f"| {tokens} | {both[0]} | {both[1]} | {ratio:.2f} |")


main(sys.argv[1])
