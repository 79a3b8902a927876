import torch

torch.manual_seed(0)
layer = torch.nn.MultiheadAttention(4, 1, batch_first=True)
packed = layer.in_proj_weight
x = torch.randn(1, 3, 4)
sees = torch.ones(3, 3, dtype=torch.bool).tril()  # may look

right = layer(x, x, x, attn_mask=~sees)[1][0].detach()
wrong = layer(x, x, x, attn_mask=sees)[1][0].detach()
print("True = hidden, so pass ~sees:", right, sep="\n")
print("with sees itself:", wrong, sep="\n")
