"""Attention by Hand: the helper package. Attention in NumPy, one module a chapter.

`import attn` needs NumPy alone. Import the functions from their modules, for example
`from attn.softmax import softmax`; `attn.softmax` itself is the module.
"""

from attn import (
    attention,
    audit,
    bias,
    bilinear,
    masks,
    multihead,
    pmi,
    positional,
    rotary,
    softmax,
    transformer,
    variance,
    xor,
)

__version__ = "0.1.0"
