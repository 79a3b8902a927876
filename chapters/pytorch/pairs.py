import torch

joint = torch.tensor([[0.10, 0.70], [0.15, 0.05]])
p_row, p_col = joint.sum(1, keepdim=True), joint.sum(0)
pmi = torch.log(joint / (p_row * p_col))

scores = (pmi + torch.log(p_col)).requires_grad_()
loss = -(joint * scores.log_softmax(dim=-1)).sum()
loss.backward()
gradient = scores.grad
weights = scores.softmax(dim=-1).detach()
print(weights)
print("gradient is 0:", bool(gradient.abs().max() < 1e-6))
