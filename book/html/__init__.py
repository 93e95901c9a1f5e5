"""What is done to the pages beside Sphinx."""
