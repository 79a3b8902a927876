import torch
from torch.nn.functional import scaled_dot_product_attention

q = torch.tensor([[1.0, 0], [-1, 2], [2, 0]])
k = torch.tensor([[0.0, -1], [1, 1], [-1, 1]])
v = torch.tensor([[2.0, 2], [-2, -1], [2, -2]])

output = scaled_dot_product_attention(q, k, v)
print(output)
