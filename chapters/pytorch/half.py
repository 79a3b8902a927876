import torch
from torch.nn.functional import scaled_dot_product_attention

# One query, two keys: 64 numbers of 32 or −32 each.
q = torch.full((1, 64), 32.0, dtype=torch.float16)
k = torch.cat([q, -q])
v = torch.eye(2, dtype=torch.float16)  # the weights come out
scores = q @ k.T  # 65,536 is too large
late = (scores / 8).softmax(dim=-1, dtype=torch.float32)
early = ((q / 8) @ k.T).softmax(dim=-1, dtype=torch.float32)
fused = scaled_dot_product_attention(q, k, v)
print("scores:", scores)
print("scaled after the product:", late)
print("scaled before it:", early)
print("fused:", fused)

lowest = torch.full((2,), torch.finfo(torch.float16).min).half()
print("two masks:", lowest + lowest)
