"""`python -P -m exercises.grader` is the command `grade`.

Without -P, Python looks for modules first in the folder where it was started. In a folder of
submissions that would run a file of a student, called secrets.py, say.
"""

import os  # Python itself has imported these two before it looked anywhere
import sys

if not sys.flags.safe_path:
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from exercises.grader.command import main

if __name__ == "__main__":
    sys.exit(main())
