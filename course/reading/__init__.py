"""The sentences that people read word by word, and what the published model predicts in them."""
