import torch

n_positions, d_model = 2, 4
i = torch.arange(d_model // 2)
omega = 10000.0 ** (-2 * i / d_model)
angle = torch.arange(n_positions)[:, None] * omega
encoding = torch.empty(n_positions, d_model)
encoding[:, 0::2] = torch.sin(angle)
encoding[:, 1::2] = torch.cos(angle)

words = torch.tensor([[1.0, 2, 3, 4], [2, 3, 4, 5]])
summed = words + encoding
print(summed)
