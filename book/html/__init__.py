"""What is done to the pages after Sphinx has made them."""
