import torch

torch.manual_seed(0)
layer = torch.nn.TransformerEncoderLayer(
    d_model=4, nhead=2, batch_first=True
).eval()  # without dropout
x = torch.randn(1, 3, 4)  # dog bites man
swap = [2, 1, 0]  # man bites dog
same = torch.allclose(
    layer(x[:, swap]), layer(x)[:, swap], atol=1e-6
)
print("only the order of the outputs changed:", same)
