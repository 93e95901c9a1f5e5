"""What minicons gives for pairs.csv: `python -m tests.course.published.minicons_numbers`.

It writes minicons.csv: for each word the bits of its tokens, and those up to where the word ends.
minicons is no package of this project. Before, set PYTHONPATH=/tmp/minicons and call

    pip install --no-deps --target /tmp/minicons minicons==0.3.39 wonderwords accelerate pandas \
        pillow pytz python-dateutil tzdata six
"""

import csv
import math
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from course.published import fetch
from course.published.model import START

HERE = Path(__file__).parent


def main() -> None:
    from minicons.scorer import IncrementalLMScorer

    folder, file = fetch.place().parent, fetch.place().name
    model = AutoModelForCausalLM.from_pretrained(folder, gguf_file=file, dtype=torch.float32)
    tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=file)
    tokenizer.bos_token = START
    by = IncrementalLMScorer(model.eval(), "cpu", tokenizer=tokenizer)
    asked: dict[str, Any] = {"tokenize_function": str.split, "bos_token": True, "surprisal": True}
    with (HERE / "pairs.csv").open(encoding="utf-8", newline="") as opened:
        sentences = [row["sentence"] for row in csv.DictReader(opened)]
    with (HERE / "minicons.csv").open("w", encoding="utf-8", newline="") as opened:
        writer = csv.writer(opened, lineterminator="\n")
        writer.writerow(["sentence", "word", "tokens", "corrected"])
        for sentence in sentences:
            plain, corrected = (
                by.word_score_tokenized(sentence, bow_correction=x, **asked)[0]
                for x in (False, True)
            )
            for (word, x), (_, y) in zip(plain, corrected, strict=True):
                bits = [f"{each / math.log(2):.4f}" for each in (x, y)]
                writer.writerow([sentence, word, *bits])


if __name__ == "__main__":
    main()
