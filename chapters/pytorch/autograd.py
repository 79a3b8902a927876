import torch

tokens = torch.tensor([1, 0.5, -0.5, -1])
q = torch.tensor(2.0, requires_grad=True)
weights = torch.softmax(q * tokens, dim=0)
read = weights @ tokens
logits = torch.stack([torch.tensor(0.0), read])
loss = torch.nn.functional.cross_entropy(
    logits,
    torch.tensor(1),  # the answer "differ"
)
loss.backward()
gradient = q.grad
print(f"loss {loss:.3f}, gradient of q {gradient:.3f}")
