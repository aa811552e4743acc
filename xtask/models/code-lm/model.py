"""The language model: a small decoder whose every operation is a plain ONNX operator.

Token embedding plus a hashed embedding of the pair (previous token, token); then per layer a 3-tap causal
convolution, causal attention with linear distance penalties (ALiBi, so a window may be longer than those trained on),
and a squared-ReLU feed-forward. Input and output share one embedding.
"""

import torch
import torch.nn.functional as F
from torch import nn

CONFIG = {
    "vocabulary": 8192,
    "width": 192,
    "layers": 4,
    "heads": 3,
    "hidden": 768,
    "pairs": 16384,
    "pair_width": 128,
    "context": 512,
}
# The first head of a layer looks as far as the window reaches; the others ever nearer.
SLOPES = (0.0, 0.02, 0.2)
PAIR_FACTOR = 7919


def normalise(x):
    """RMSNorm without weights: the matrix that follows can scale as it likes."""
    return x * torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)


def attention_bias(length, dtype):
    """[heads, T, T]: −slope × distance, and minus a lot for tokens still to come."""
    positions = torch.arange(length)
    distance = (positions[:, None] - positions[None, :]).to(torch.float32)
    slopes = torch.tensor(SLOPES)[:, None, None]
    return torch.where(distance < 0, torch.tensor(-30000.0), -slopes * distance).to(dtype)


class Layer(nn.Module):
    def __init__(self, config):
        super().__init__()
        width, hidden = config["width"], config["hidden"]
        self.heads = config["heads"]
        self.taps = nn.Parameter(torch.tensor([[0.8], [0.15], [0.05]]).repeat(1, width))
        self.query_key_value = nn.Parameter(torch.randn(3 * width, width) * width**-0.5)
        self.query_gain = nn.Parameter(torch.full((self.heads, 1, 1), 1.5))
        self.output = nn.Parameter(torch.zeros(width, width))
        self.up = nn.Parameter(torch.randn(hidden, width) * width**-0.5)
        self.down = nn.Parameter(torch.zeros(width, hidden))

    def forward(self, x, bias):
        x = x + self.attend(normalise(x), bias)
        hidden = F.relu(F.linear(normalise(x), self.up.to(x.dtype))).square()
        return x + F.linear(hidden, self.down.to(x.dtype))

    def attend(self, x, bias):
        batch, length, width = x.shape
        taps = self.taps.to(x.dtype)
        padded = F.pad(x, (0, 0, 2, 0))
        x = taps[0] * x + taps[1] * padded[:, 1:-1] + taps[2] * padded[:, :-2]
        mixed = F.linear(x, self.query_key_value.to(x.dtype))
        mixed = mixed.view(batch, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        query, key, value = mixed[0], mixed[1], mixed[2]
        query = normalise(query) * (self.query_gain * (width // self.heads) ** -0.5).to(x.dtype)
        scores = query @ normalise(key).transpose(-1, -2) + bias
        weights = torch.softmax(scores, dim=-1, dtype=torch.float32).to(x.dtype)
        joined = (weights @ value).transpose(1, 2).reshape(batch, length, width)
        return F.linear(joined, self.output.to(x.dtype))


class CodeModel(nn.Module):
    def __init__(self, config=CONFIG):
        super().__init__()
        self.config = config
        self.tokens = nn.Parameter(torch.randn(config["vocabulary"], config["width"]) * 0.05)
        self.pairs = nn.Parameter(torch.zeros(config["pairs"], config["pair_width"]))
        self.pair_projection = nn.Parameter(torch.randn(config["width"], config["pair_width"]) * 0.09)
        self.layers = nn.ModuleList(Layer(config) for _ in range(config["layers"]))

    def embed(self, ids, dtype):
        before = F.pad(ids[:, :-1], (1, 0))
        pair = (before * PAIR_FACTOR + ids) % self.config["pairs"]
        x = F.embedding(ids, self.tokens) * 4.0
        return x.to(dtype) + F.linear(F.embedding(pair, self.pairs).to(dtype), self.pair_projection.to(dtype))

    def hidden(self, ids, dtype=torch.float32):
        """The state from which each next token is predicted, [batch, T, width]."""
        x = self.embed(ids, dtype)
        bias = attention_bias(ids.shape[1], dtype)
        for layer in self.layers:
            x = layer(x, bias)
        return normalise(x)

    def forward(self, ids):
        """Log-probability of every token but the first, given those before it: [batch, T − 1]."""
        logits = F.linear(self.hidden(ids)[:, :-1], self.tokens)
        return torch.log_softmax(logits, dim=-1).gather(2, ids[:, 1:, None])[:, :, 0]
