"""Read the assignment as its instructor wrote it, and what a class handed in."""
