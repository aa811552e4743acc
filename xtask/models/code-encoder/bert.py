"""MiniLM in PyTorch, on texts that are on the device already as one long row of tokens."""

import numpy as np
import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

from weights import HEADS, LAYERS

EPSILON = 1e-12
ROUND = 16
"""Lengths are padded to a multiple of it, so that there are few shapes."""
CHUNK = 256
"""Texts that are read at once: of similar length, so that little is padded."""
# Of the others, one looks for a plan at each new shape, and one has no masks.
KERNELS = [SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]


class Texts:
    """Tokenised texts."""

    def __init__(self, tokens, lengths, device):
        self.lengths = lengths.astype(np.int64)
        self.tokens = torch.from_numpy(tokens.astype(np.int32)).to(device)
        self.starts = torch.from_numpy(np.cumsum(self.lengths) - self.lengths).to(device)
        self.many = torch.from_numpy(self.lengths).to(device)

    def padded(self, rows):
        """(tokens, which of them are there)."""
        longest = -(-int(self.lengths[rows].max()) // ROUND) * ROUND
        rows = torch.from_numpy(rows).to(self.starts.device)
        column = torch.arange(longest, device=self.starts.device)
        there = column < self.many[rows][:, None]
        places = (self.starts[rows][:, None] + column).clamp(max=len(self.tokens) - 1)
        return torch.where(there, self.tokens[places], 0).long(), there


def layer_norm(x, weights, name):
    return F.layer_norm(
        x, x.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"], EPSILON
    )


def linear(x, weights, name):
    return F.linear(x, weights[f"{name}.weight"], weights[f"{name}.bias"])


def attention(x, there, weights, name):
    batch, tokens, hidden = x.shape
    joint = linear(x, weights, f"{name}.qkv").view(batch, tokens, 3, HEADS, hidden // HEADS)
    query, key, value = joint.permute(2, 0, 3, 1, 4)
    mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=there[:, None, None])
    return linear(mixed.transpose(1, 2).reshape(x.shape), weights, f"{name}.output")


def encode(weights, ids, there):
    """Unit vectors: the mean over a text's tokens."""
    x = F.embedding(ids, weights["words"]) + weights["positions"][: ids.shape[1]]
    x = layer_norm(x, weights, "norm")
    for layer in range(LAYERS):
        attended = attention(x, there, weights, str(layer))
        x = layer_norm(x + attended, weights, f"{layer}.attention.norm")
        wide = F.gelu(linear(x, weights, f"{layer}.up"))
        x = layer_norm(x + linear(wide, weights, f"{layer}.down"), weights, f"{layer}.norm")
    sums = (x.float() * there[:, :, None]).sum(1)
    return F.normalize(sums, dim=-1)


def vectors(weights, texts, rows):
    """Vectors of texts in the order of `rows`, read in chunks of similar length."""
    order = np.argsort(texts.lengths[rows], kind="stable")
    parts = []
    with sdpa_kernel(KERNELS):
        for start in range(0, len(rows), CHUNK):
            chunk = rows[order[start : start + CHUNK]]
            parts.append(encode(weights, *texts.padded(chunk)))
    back = torch.from_numpy(np.argsort(order)).to(parts[0].device)
    return torch.cat(parts)[back]


def rounded(weights, device):
    """As they are computed with: bfloat16 on an accelerator."""
    kind = torch.bfloat16 if device.type == "cuda" else torch.float32
    return {name: value.to(kind) for name, value in weights.items()}


def on(device, weights):
    return {name: torch.from_numpy(value).to(device) for name, value in weights.items()}
