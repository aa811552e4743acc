"""The encoder on one GPU: Footnote through wgpu beside PyTorch in half precision, and onnxruntime.

    cargo build --release -p footnote-core --features gpu --example gpu_speed
    python core/benches/runs/2026-11-gpu/compare.py target/release/examples/gpu_speed PEAK_TFLOPS

Footnote's times include the tokeniser and reading back; PyTorch's and onnxruntime's start from token ids on the
device (PyTorch) or in memory (onnxruntime) and end with the mean of the token vectors. PyTorch runs a BertModel of
the same shape with random weights: speed does not depend on them.
"""

import subprocess
import sys
import time
from pathlib import Path

import numpy as np

MODEL = Path(__file__).resolve().parents[4] / "public/models/all-MiniLM-L6-v2-int8/model.onnx"
TOKENS = 128
BATCHES = [1, 16, 64, 256, 2048]
SECONDS = 2.0
PRODUCT_WEIGHTS = 6 * (384 * 1152 + 384 * 384 + 2 * 384 * 1536)


def rate(run, count, settle):
    """Texts a second; `settle` waits for the device."""
    for _ in range(3):
        run()
    settle()
    start, made = time.perf_counter(), 0
    while time.perf_counter() - start < SECONDS:
        run()
        settle()
        made += count
    return made / (time.perf_counter() - start)


def tell(name, count, each, peak):
    flops = each * TOKENS * 2 * PRODUCT_WEIGHTS
    share = f", {flops / peak / 1e10:.1f} % of the peak" if peak else ""
    print(f"{name:28} {count:5} at once: {each:10.1f} sequences/s, {flops / 1e12:8.3f} TFLOP/s{share}", flush=True)


def pytorch(peak):
    import torch
    from transformers import BertConfig, BertModel

    shape = dict(hidden_size=384, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536)
    config = BertConfig(vocab_size=30522, **shape)
    model = BertModel(config, add_pooling_layer=False).eval().half().cuda()
    print(f"PyTorch {torch.__version__}, {torch.cuda.get_device_name()}")

    def encode(forward, ids):
        with torch.inference_mode():
            vectors = forward(input_ids=ids).last_hidden_state.mean(1)
            return torch.nn.functional.normalize(vectors, dim=1).cpu()

    for name, forward in [("PyTorch f16", model), ("PyTorch f16, compiled", torch.compile(model))]:
        for count in BATCHES:
            ids = torch.full((count, TOKENS), 1996, device="cuda")
            tell(name, count, rate(lambda: encode(forward, ids), count, torch.cuda.synchronize), peak)


def onnx(peak):
    import onnxruntime

    has = onnxruntime.get_available_providers()
    print(f"onnxruntime {onnxruntime.__version__}: {has}")
    for provider in [it for it in ("CUDAExecutionProvider", "CPUExecutionProvider") if it in has]:
        session = onnxruntime.InferenceSession(MODEL, providers=[provider])
        for count in BATCHES[:4]:
            ids = np.full((count, TOKENS), 1996, np.int64)
            feed = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
            each = rate(lambda: session.run(None, feed), count, lambda: None)
            tell(f"onnxruntime int8 {provider[:4]}", count, each, peak)


def main(program, peak=None):
    for tokens in [TOKENS, 256]:
        subprocess.run([program, str(tokens), *([peak] if peak else [])], check=True)
    number = float(peak) if peak else None
    pytorch(number)
    onnx(number)


main(*sys.argv[1:])
