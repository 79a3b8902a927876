import torch
from torch.nn.functional import (
    cross_entropy,
    log_softmax,
    nll_loss,
    softmax,
)

logits = torch.tensor([[0.0, 0.794]])
y = torch.tensor([1])
losses = torch.stack(
    [
        cross_entropy(logits, y),
        nll_loss(log_softmax(logits, dim=-1), y),
        nll_loss(softmax(logits, dim=-1), y),
        cross_entropy(softmax(logits, dim=-1), y),
    ]
)
print(losses)
