import torch

torch.manual_seed(0)
layer = torch.nn.Linear(512, 64, bias=False)
x = torch.randn(4000, 512)
q_variance = layer(x).var().item()
largest = layer.weight.abs().max().item()
print(f"variance of q: {q_variance:.2f}")
print(f"largest weight · √512: {largest * 512**0.5:.3f}")
