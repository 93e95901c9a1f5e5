"""`python -P -m exercises.grader` is the command `grade`.

Without -P, Python searches for modules first in the folder where it was started. In a folder of
submissions it would therefore run a file of a student, for example one called secrets.py.
"""

import os  # Python itself has imported these two before it looked anywhere
import sys

if not sys.flags.safe_path:
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from exercises.grader.command import main

if __name__ == "__main__":
    sys.exit(main())
