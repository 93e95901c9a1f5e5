"""`python -m exercises.grader` is the command `grade`."""

import sys

from exercises.grader.command import main

if __name__ == "__main__":
    sys.exit(main())
