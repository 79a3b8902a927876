import torch
from torch.nn.functional import scaled_dot_product_attention

q = torch.tensor(
    [[1.0, 0, 0, 1], [1, 1, 0, 0], [1, 1, 0, 1], [2, 0, 1, 0]]
)
k = torch.tensor(
    [[2.0, 0, 0, 0], [0, 2, 0, 0], [0, 0, 2, 0], [2, 0, 0, 2]]
)
v = torch.tensor([[2.0, 0], [0, 2], [-1, 0], [3, 3]])

output = scaled_dot_product_attention(q, k, v, is_causal=True)
sees = torch.ones(4, 4, dtype=torch.bool).tril()  # may look
by_mask = scaled_dot_product_attention(q, k, v, attn_mask=sees)
assert torch.allclose(output, by_mask)
print(output)
