import torch

q = torch.tensor([[-1.0, 0, 0, -2]])
k = torch.tensor([[1.0, 0, 1, 0]])
omega = 10000.0 ** (-torch.arange(0, 4, 2) / 4)


# Neighbors: each pair is a complex number.
def neighbors(x, position):
    turns = torch.polar(torch.ones(2), position * omega)
    pairs = torch.view_as_complex(x.reshape(-1, 2, 2))
    return torch.view_as_real(pairs * turns).flatten(1)


# Halves: number i turns with i + d / 2.
def halves(x, position):
    angle = (position * omega).repeat(2)
    first, second = x.chunk(2, dim=-1)
    aside = torch.cat([-second, first], dim=-1)
    return x * angle.cos() + aside * angle.sin()


by_neighbors = neighbors(q, 3) @ neighbors(k, 2).T
order = [0, 2, 1, 3]
by_halves = halves(q[:, order], 3) @ halves(k[:, order], 2).T
not_reordered = halves(q, 3) @ halves(k, 2).T
print("neighbors:", round(by_neighbors.item(), 4))
print("halves, reordered:", round(by_halves.item(), 4))
print("halves, as loaded:", round(not_reordered.item(), 4))
