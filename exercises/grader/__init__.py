"""The judge is the command `grade ASSIGNMENT SUBMISSIONS --out DIR`; README.md explains it."""
