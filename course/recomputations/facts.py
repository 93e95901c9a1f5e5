"""Published figures, and our own counts to stand beside them."""


def published(figure: float | str) -> float | str:
    """Return the figure as its source prints it."""
    return figure


def gpt_parameters(layers: int, d_model: int, vocabulary: int, context: int) -> int:
    """Count the parameters of a GPT whose head shares its weights with the embedding.

    A block has 12 d_model^2 weights and 13 d_model biases and gains.
    """
    block = 12 * d_model**2 + 13 * d_model
    return layers * block + (vocabulary + context) * d_model


def gpt_1() -> int:
    """Count the original GPT: 12 layers, no layer norm after the last block."""
    return gpt_parameters(12, 768, 40478, 512)


def gpt_2() -> int:
    """Count the largest GPT-2: 48 layers and a last layer norm."""
    return gpt_parameters(48, 1600, 50257, 1024) + 2 * 1600


def gpt_3() -> int:
    """Count the largest GPT-3: 96 layers and a last layer norm."""
    return gpt_parameters(96, 12288, 50257, 2048) + 2 * 12288


def bloom() -> int:
    """Count BLOOM: 70 layers, ALiBi for positions, layer norms after embedding and last block."""
    return gpt_parameters(70, 14336, 250880, 0) + 4 * 14336


def bert_base() -> int:
    """Count BERT-base with its pooler: three embedding tables with a layer norm, 12 layers."""
    d_model = 768
    return gpt_parameters(12, d_model, 30522, 512) + (2 + 2) * d_model + d_model**2 + d_model


def distilbert() -> int:
    """Count DistilBERT: 6 layers of the same width, no segments, no pooler."""
    return gpt_parameters(6, 768, 30522, 512) + 2 * 768


def distilbert_saving() -> float:
    """Return the share of BERT-base's parameters that DistilBERT does without."""
    return 1 - distilbert() / bert_base()


def distilbert_speed() -> float:
    """Return how many more sentences a second: the times are those of the paper's table 3."""
    return 668 / 410 - 1


def distilbert_score() -> float:
    """Return the share of BERT-base's GLUE score kept: the scores are those of table 1."""
    return 77.0 / 79.5
