import torch
from torch.nn.functional import scaled_dot_product_attention

torch.manual_seed(0)
q, k, v = torch.randn(3, 4, 16)
once = scaled_dot_product_attention(q, k, v)

divided = q / 16**0.5  # as some projections already do
twice = scaled_dot_product_attention(divided, k, v)
right = scaled_dot_product_attention(divided, k, v, scale=1.0)
print("scaled twice:", torch.allclose(twice, once))
print("with scale=1.0:", torch.allclose(right, once))
