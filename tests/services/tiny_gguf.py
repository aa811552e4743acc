"""Writes a language model of random weights that llama.cpp can serve: `tiny_gguf.py MODEL.gguf`.

Two blocks of width 64, a vocabulary of bytes and single characters, a window of 32,768 tokens. What it says
is nonsense; how it is said is llama.cpp's. The same bytes come out each time.
"""

import sys

import gguf
import numpy as np

WIDTH, INNER, HEADS, BLOCKS, WINDOW = 64, 128, 4, 2, 32768
UNKNOWN, BEGIN, END = 0, 1, 2
CHARACTERS = "▁etaoinshrdlucmfwygpbvkjxqzETAOINSHRDLUCMFWYGPBVKJXQZ0123456789.,:;()[]{}_-+*/=<>\"'`#\n"
TEMPLATE = (
    "{% for message in messages %}{{ message['role'] + ': ' + message['content'] + '\n' }}{% endfor %}"
    "assistant: "
)


def vocabulary() -> tuple[list[bytes], list[float], list[gguf.TokenType]]:
    """Special tokens, all bytes, characters: whatever text comes, there are tokens for it."""
    tokens = [(b"<unk>", gguf.TokenType.UNKNOWN), (b"<s>", gguf.TokenType.CONTROL), (b"</s>", gguf.TokenType.CONTROL)]
    tokens += [(f"<0x{byte:02X}>".encode(), gguf.TokenType.BYTE) for byte in range(256)]
    tokens += [(character.encode(), gguf.TokenType.NORMAL) for character in CHARACTERS]
    texts, types = zip(*tokens)
    return list(texts), [-float(at) for at in range(len(texts))], list(types)


def add_metadata(writer: gguf.GGUFWriter) -> int:
    """Shapes and vocabulary; returns the number of tokens."""
    writer.add_context_length(WINDOW)
    writer.add_embedding_length(WIDTH)
    writer.add_feed_forward_length(INNER)
    writer.add_block_count(BLOCKS)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    texts, scores, types = vocabulary()
    writer.add_vocab_size(len(texts))
    writer.add_tokenizer_model("llama")
    writer.add_token_list(texts)
    writer.add_token_scores(scores)
    writer.add_token_types(types)
    writer.add_unk_token_id(UNKNOWN)
    writer.add_bos_token_id(BEGIN)
    writer.add_eos_token_id(END)
    writer.add_chat_template(TEMPLATE)
    return len(texts)


def add_weights(writer: gguf.GGUFWriter, n_tokens: int) -> None:
    """Random matrices, scaled so that activations keep their size."""
    random = np.random.default_rng(0)

    def matrix(name: str, rows: int, columns: int) -> None:
        weights = random.standard_normal((rows, columns)) / np.sqrt(columns)
        writer.add_tensor(name, weights.astype(np.float32))

    def norm(name: str) -> None:
        writer.add_tensor(name, np.ones(WIDTH, dtype=np.float32))

    matrix("token_embd.weight", n_tokens, WIDTH)
    for block in range(BLOCKS):
        norm(f"blk.{block}.attn_norm.weight")
        for part in ("attn_q", "attn_k", "attn_v", "attn_output"):
            matrix(f"blk.{block}.{part}.weight", WIDTH, WIDTH)
        norm(f"blk.{block}.ffn_norm.weight")
        matrix(f"blk.{block}.ffn_gate.weight", INNER, WIDTH)
        matrix(f"blk.{block}.ffn_up.weight", INNER, WIDTH)
        matrix(f"blk.{block}.ffn_down.weight", WIDTH, INNER)
    norm("output_norm.weight")
    # Characters win over bytes, which rarely make a text, and over the end, which comes with the limit then.
    output = random.standard_normal((n_tokens, WIDTH)) * 4 / np.sqrt(WIDTH)
    output[: n_tokens - len(CHARACTERS)] = 0
    writer.add_tensor("output.weight", output.astype(np.float32))


def main() -> None:
    writer = gguf.GGUFWriter(sys.argv[1], "llama")
    add_weights(writer, add_metadata(writer))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    main()
