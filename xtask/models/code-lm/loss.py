"""Cross entropy over the vocabulary in pieces, with the gradients computed on the way.

The scores of a batch (8,192 tokens × 8,192 words) would not fit a cache; a piece does, and no piece is kept.
"""

import torch

PIECE = 2048


def piece(hidden, embedding, targets, words):
    scores = (hidden @ embedding.t()).float()
    total = torch.logsumexp(scores, -1)
    chosen = torch.gather(scores, 1, targets[:, None])[:, 0]
    error = torch.exp(scores - total[:, None]) - (words[None] == targets[:, None]).float()
    error = error.to(hidden.dtype)
    return (total - chosen).sum(), error @ embedding, error.t() @ hidden


compiled_piece = torch.compile(piece, dynamic=False)


class CrossEntropy(torch.autograd.Function):
    """Mean negative log-likelihood in nats; call it with as many tokens as a multiple of PIECE."""

    @staticmethod
    def forward(context, hidden, embedding, targets):
        low = embedding.detach().to(hidden.dtype)
        words = torch.arange(low.shape[0])
        losses, hidden_gradients = [], []
        embedding_gradient = torch.zeros_like(embedding)
        for start in range(0, hidden.shape[0], PIECE):
            part = slice(start, start + PIECE)
            loss, hidden_gradient, gradient = compiled_piece(hidden[part], low, targets[part], words)
            losses.append(loss)
            hidden_gradients.append(hidden_gradient)
            embedding_gradient += gradient
        count = hidden.shape[0]
        context.save_for_backward(torch.cat(hidden_gradients), embedding_gradient)
        context.count = count
        return torch.stack(losses).sum() / count

    @staticmethod
    def backward(context, upstream):
        hidden_gradient, embedding_gradient = context.saved_tensors
        scale = upstream / context.count
        return hidden_gradient * scale.to(hidden_gradient.dtype), embedding_gradient * scale, None
