"""The judge: `grade ASSIGNMENT SUBMISSIONS_DIR --out DIR`; README.md says how it works."""
