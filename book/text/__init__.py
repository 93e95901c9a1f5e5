"""What the text of a chapter contains: words, numbers, cells, terms, references, minutes."""
