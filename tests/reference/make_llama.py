"""Make the golden vectors of llama.npz with Hugging Face's Transformers 5.23.0 (how: making.py).

One `LlamaDecoderLayer` of that library, with weights of two decimals, so that the file stays small, and gains that are
not 1, so that a forgotten one shows. Norms and angles are computed there in float32, whatever the weights are: that is
how near the book's lines can come.
"""

from pathlib import Path

import numpy as np
import torch
import transformers
from transformers.models.llama.configuration_llama import LlamaConfig
from transformers.models.llama.modeling_llama import LlamaDecoderLayer, LlamaRotaryEmbedding

HERE = Path(__file__).parent
N, D_MODEL, N_HEADS, N_GROUPS, D_FF = 7, 24, 4, 2, 20  # heads of 6 numbers: √6 is not exact
NAMES = {
    "input_layernorm": "gain_1",
    "post_attention_layernorm": "gain_2",
    **{f"self_attn.{one}_proj": f"w_{one}" for one in "qkvo"},
    **{f"mlp.{one}_proj": f"w_{one}" for one in ("gate", "up", "down")},
}


def main():
    rng = np.random.default_rng(17)
    heads = {"num_attention_heads": N_HEADS, "num_key_value_heads": N_GROUPS}
    sizes = {"hidden_size": D_MODEL, "intermediate_size": D_FF, "num_hidden_layers": 1, "vocab_size": 8}
    config = LlamaConfig(**heads, **sizes)
    config._attn_implementation = "eager"
    layer = LlamaDecoderLayer(config, 0).double().eval()
    versions = np.array([transformers.__version__, torch.__version__.partition("+")[0]])
    golden = {"versions": versions, "eps": np.array(config.rms_norm_eps)}
    with torch.no_grad():
        for name, parameter in layer.named_parameters():
            around = 1.0 if "norm" in name else 0.0
            drawn = rng.normal(around, 0.3, size=tuple(parameter.shape)).round(2)
            parameter.copy_(torch.from_numpy(drawn))
            golden[NAMES[name.removesuffix(".weight")]] = drawn.T  # PyTorch multiplies by the transpose
        for case, first in (("start", 0), ("later", 100)):
            x = rng.normal(size=(1, N, D_MODEL)).round(2)
            places = torch.arange(first, first + N)[None]
            hidden = torch.from_numpy(x)
            turns = LlamaRotaryEmbedding(config)(hidden, places)
            mask = torch.full((N, N), -torch.inf, dtype=torch.float64).triu(1)[None, None]
            weights = {}
            layer.self_attn.register_forward_hook(lambda _, __, out, kept=weights: kept.update(seen=out[1]))
            out = layer(hidden, attention_mask=mask, position_ids=places, position_embeddings=turns)
            out = out[0] if isinstance(out, tuple) else out
            golden |= {f"{case}/x": x[0], f"{case}/places": places[0].numpy()}
            golden |= {
                f"{case}/out": out.reshape(N, D_MODEL).numpy(),
                f"{case}/weights": weights["seen"][0].numpy(),
            }
    np.savez_compressed(HERE / "llama.npz", **golden)


if __name__ == "__main__":
    main()
