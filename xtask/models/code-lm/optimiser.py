"""Muon for the matrices of the layers, AdamW for embeddings and gains."""

import torch

MATRIX_RATE, EMBEDDING_RATE, GAIN_RATE = 0.02, 0.003, 0.004
MOMENTUM = 0.95


def orthogonalise(gradient, steps=5):
    """The nearest orthogonal matrix, roughly, by a quintic Newton–Schulz iteration (Jordan et al. 2024)."""
    a, b, c = 3.4445, -4.7750, 2.0315
    x = gradient.to(torch.bfloat16)
    tall = x.shape[0] > x.shape[1]
    if tall:
        x = x.T
    x = x / (x.norm() + 1e-7)
    for _ in range(steps):
        square = x @ x.T
        x = a * x + (b * square + c * square @ square) @ x
    return x.T if tall else x


class Muon(torch.optim.Optimizer):
    def __init__(self, matrices, rate=MATRIX_RATE, decay=0.02):
        super().__init__(matrices, {"lr": rate, "decay": decay})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for matrix in group["params"]:
                state = self.state[matrix]
                if "momentum" not in state:
                    state["momentum"] = torch.zeros_like(matrix)
                momentum = state["momentum"].lerp_(matrix.grad, 1 - MOMENTUM)
                blended = matrix.grad.lerp(momentum, MOMENTUM)
                matrix.mul_(1 - group["lr"] * group["decay"])
                # Query, key and value lie in one matrix and are three maps.
                for part, update in zip(square_parts(matrix), square_parts(blended)):
                    scale = max(1.0, part.shape[0] / part.shape[1]) ** 0.5
                    part.add_(orthogonalise(update), alpha=-group["lr"] * scale)


def square_parts(matrix):
    rows, columns = matrix.shape
    return matrix.split(columns) if rows == 3 * columns else (matrix,)


def build(model):
    matrices, embeddings, gains = [], [], []
    for name, parameter in model.named_parameters():
        if name in ("tokens", "pairs"):
            embeddings.append(parameter)
        elif parameter.ndim == 2 and parameter.shape[0] > 3:
            matrices.append(parameter)
        else:
            gains.append(parameter)
    adam = torch.optim.AdamW(
        [{"params": embeddings, "lr": EMBEDDING_RATE}, {"params": gains, "lr": GAIN_RATE}],
        betas=(0.9, 0.98),
        eps=1e-9,
        weight_decay=0.0,
        fused=True,
    )
    optimisers = [Muon(matrices), adam]
    for optimiser in optimisers:
        for group in optimiser.param_groups:
            group["full_rate"] = group["lr"]
    return optimisers


def set_rate(optimisers, share):
    for optimiser in optimisers:
        for group in optimiser.param_groups:
            group["lr"] = group["full_rate"] * share
