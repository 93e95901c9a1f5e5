"""What an answer is worth: the judge, and what a person and a deadline change."""
