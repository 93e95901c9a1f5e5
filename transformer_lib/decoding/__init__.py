"""Decoding: from the logits of the next token to a sequence, by search or by sampling."""
