import torch

torch.manual_seed(0)
n, d_model, n_heads, d_k = 5, 6, 2, 3
layer = torch.nn.MultiheadAttention(
    d_model, n_heads, bias=False, batch_first=True
)
x = torch.randn(n, d_model)
output, weights = layer(x, x, x, average_attn_weights=False)

packed = layer.in_proj_weight  # (3 · d_model, d_model)
w_q, w_k, w_v = packed.chunk(3)  # a row for each output
q, k = (
    (x @ w.T).view(n, n_heads, d_k).transpose(0, 1)
    for w in (w_q, w_k)
)
ours = (q @ k.mT / d_k**0.5).softmax(dim=-1)
w_o = layer.out_proj.weight
assert torch.allclose(ours, weights, atol=1e-6)
print(tuple(packed.shape), tuple(weights.shape))
