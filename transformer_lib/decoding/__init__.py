"""Decoding turns the logits of the next token into a sequence, by search or by sampling."""
