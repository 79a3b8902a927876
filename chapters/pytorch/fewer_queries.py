import torch
from torch.nn.functional import scaled_dot_product_attention

torch.manual_seed(0)
q, k = torch.randn(1, 4), torch.randn(3, 4)
v = torch.eye(3)  # so that the output is the weights
newest = scaled_dot_product_attention(q, k, v)
is_causal = scaled_dot_product_attention(
    q, k, v, is_causal=True
)
print("no mask:", newest)
print("is_causal=True:", is_causal)
