import warnings

import torch
from torch.nn.functional import softmax

warnings.simplefilter("ignore")  # PyTorch warns, once
scores = torch.tensor([[0.0, 2], [1, 0]])
batch = torch.stack([scores, scores])  # (2, 2, 2)
right = softmax(batch, dim=-1)
no_dim = softmax(batch)  # takes the axis of the batch
print(right[0])
print(no_dim[0])
