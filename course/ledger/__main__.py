"""`python -m course.ledger --write | --check`: store or prove the recomputed numbers."""

import argparse
import sys

from course.ledger.entries import PATH
from course.ledger.storage import differences, write


def main() -> int:
    """Run the command and return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m course.ledger", description=__doc__)
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--write", action="store_true", help="recompute and store every entry")
    action.add_argument("--check", action="store_true", help="fail where a stored entry differs")
    parser.add_argument("path", nargs="?", default=PATH, help="the ledger's file (%(default)s)")
    options = parser.parse_args()
    if options.write:
        print(f"{write(options.path)} entries recomputed and stored in {options.path}")
        return 0
    found = differences(options.path)
    print("\n".join(found) if found else f"every entry of {options.path} is as recomputed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
