"""Next-token training with a warmup–stable–decay schedule, so that it can end at any time and go on later.

    train.py WORK stable --minutes 60        continues stable.pt at the full rate
    train.py WORK decay --minutes 8          from stable.pt to decayed.pt, the rate falling to zero, at 512 tokens
"""

import argparse
import json
import signal
import time
from pathlib import Path

import numpy as np
import torch

import optimiser
from loss import CrossEntropy
from model import CodeModel

BATCH_TOKENS = 8192
PAIR_SHARE = 0.25
WARMUP_STEPS = 120
SAVE_SECONDS = 180


class Stream:
    """Windows of one long row of tokens, each once a pass, in random order."""

    def __init__(self, ids, seed):
        self.ids, self.seed, self.taken = ids, seed, 0
        self.drawn = None

    def windows(self, count, length):
        """`count` windows of `length` + 1 tokens. Position and order follow from how many tokens were taken."""
        slots = (len(self.ids) - length - 1) // length
        pass_index, slot = divmod(self.taken // length, slots)
        if self.drawn != (pass_index, length):
            rng = np.random.default_rng((self.seed, pass_index, length))
            self.order, self.shift, self.drawn = rng.permutation(slots), int(rng.integers(length)), (pass_index, length)
        order, shift = self.order, self.shift
        out = np.empty((count, length + 1), dtype=np.int64)
        for row in range(count):
            start = min(order[(slot + row) % slots] * length + shift, len(self.ids) - length - 1)
            out[row] = self.ids[start : start + length + 1]
        self.taken += count * length
        return out


def batch(code, pairs, length):
    rows = BATCH_TOKENS // length
    from_pairs = int(rows * PAIR_SHARE) if pairs is not None else 0
    parts = [code.windows(rows - from_pairs, length)]
    if from_pairs:
        parts.append(pairs.windows(from_pairs, length))
    return torch.from_numpy(np.concatenate(parts))


def streams(work):
    code = Stream(np.load(work / "train.npy", mmap_mode="r"), 1)
    path = work / "pairs.npy"
    return code, Stream(np.load(path, mmap_mode="r"), 2) if path.is_file() else None


def save(path, model, optimisers, state):
    whole = {"model": model.state_dict(), "optimisers": [o.state_dict() for o in optimisers], "state": state}
    torch.save(whole, path.with_suffix(".tmp"))
    path.with_suffix(".tmp").rename(path)


def restore(path, model, optimisers):
    if not path.is_file():
        return {"step": 0, "tokens": 0, "code": 0, "pairs": 0, "seconds": 0.0}
    saved = torch.load(path, weights_only=True)
    model.load_state_dict(saved["model"])
    for o, stored in zip(optimisers, saved["optimisers"]):
        o.load_state_dict(stored)
    return saved["state"]


def rate(phase, step, share_done):
    if phase == "stable":
        return min(1.0, (step + 1) / WARMUP_STEPS)
    return max(0.0, 1.0 - share_done)


def run(work, phase, minutes, length):
    torch.set_num_threads(1)
    torch.manual_seed(1)
    model = CodeModel()
    optimisers = optimiser.build(model)
    state = restore(work / "stable.pt", model, optimisers)
    code, pairs = streams(work)
    code.taken = state["code"]
    if pairs is not None:
        pairs.taken = state["pairs"]
    hidden = torch.compile(lambda ids: model.hidden(ids, torch.bfloat16), dynamic=False)
    target = work / ("stable.pt" if phase == "stable" else "decayed.pt")
    log = open(work / "loss.jsonl", "a")
    begin = last = saved = time.time()
    losses = []
    asked_to_stop = []
    signal.signal(signal.SIGTERM, lambda *_: asked_to_stop.append(True))
    while (share_done := (time.time() - begin) / 60 / minutes) < 1.0 and not asked_to_stop:
        optimiser.set_rate(optimisers, rate(phase, state["step"], share_done))
        losses.append(step(model, hidden, optimisers, batch(code, pairs, length)))
        now = time.time()
        state["step"] += 1
        state["tokens"] += BATCH_TOKENS
        state["seconds"] += now - last
        last = now
        if state["step"] % 20 == 0:
            mean = sum(losses) / len(losses)
            losses.clear()
            row = {"phase": phase, "step": state["step"], "tokens": state["tokens"], "loss": round(mean, 4)}
            log.write(json.dumps(row | {"seconds": round(state["seconds"])}) + "\n")
            log.flush()
        if now - saved > SAVE_SECONDS:
            saved = now
            remember(target, model, optimisers, state, code, pairs)
    remember(target, model, optimisers, state, code, pairs)


def remember(target, model, optimisers, state, code, pairs):
    state["code"], state["pairs"] = code.taken, pairs.taken if pairs is not None else 0
    save(target, model, optimisers, state)


def step(model, hidden, optimisers, windows):
    states = hidden(windows[:, :-1])
    loss = CrossEntropy.apply(states.reshape(-1, states.shape[-1]), model.tokens, windows[:, 1:].reshape(-1))
    loss.backward()
    value = loss.item()
    if value == value:
        for o in optimisers:
            o.step()
    for o in optimisers:
        o.zero_grad(set_to_none=True)
    return value


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("work", type=Path)
    arguments.add_argument("phase", choices=["stable", "decay"])
    arguments.add_argument("--minutes", type=float, required=True)
    arguments.add_argument("--length", type=int)
    given = arguments.parse_args()
    run(given.work, given.phase, given.minutes, given.length or (256 if given.phase == "stable" else 512))
