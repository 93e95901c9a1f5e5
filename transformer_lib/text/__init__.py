"""Text and tokens: a corpus that every reader has and tokenizers that are learned from it."""

from transformer_lib.text.bpe import BytePairTokenizer, merge_pair
from transformer_lib.text.bpe_training import piece_counts, train_bpe
from transformer_lib.text.byte_alphabet import from_printable, printable
from transformer_lib.text.compression import bits_per_byte, compressed_bits
from transformer_lib.text.copying import copied_runs, copied_share
from transformer_lib.text.corpus import Corpus, load_corpus, read_blocks
from transformer_lib.text.files import load_tokenizer, save_tokenizer, tokenizer_of_gguf
from transformer_lib.text.min_hash import near_duplicates
from transformer_lib.text.n_gram import NGramModel
from transformer_lib.text.package_docstrings import docstrings
from transformer_lib.text.pretokenization import pieces, whole_pieces
from transformer_lib.text.splitting import Split, leak, split
from transformer_lib.text.tokenizer import ForeignTokenizer, Tokenizer, as_tokenizer
from transformer_lib.text.units import UnitTokenizer, byte_tokenizer, train_units
from transformer_lib.text.words import ends_word, word_bits, words

__all__ = [
    "BytePairTokenizer",
    "Corpus",
    "ForeignTokenizer",
    "NGramModel",
    "Split",
    "Tokenizer",
    "UnitTokenizer",
    "as_tokenizer",
    "bits_per_byte",
    "byte_tokenizer",
    "compressed_bits",
    "copied_runs",
    "copied_share",
    "docstrings",
    "ends_word",
    "from_printable",
    "leak",
    "load_corpus",
    "load_tokenizer",
    "merge_pair",
    "near_duplicates",
    "piece_counts",
    "pieces",
    "printable",
    "read_blocks",
    "save_tokenizer",
    "split",
    "tokenizer_of_gguf",
    "train_bpe",
    "train_units",
    "whole_pieces",
    "word_bits",
    "words",
]
