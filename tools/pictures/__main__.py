"""Makes the pictures of the documentation: `.venv/bin/python tools/pictures`, in the checkout, after `make setup`.

With `plan` or `shell`, makes only that picture. No test needs the pictures, or the programs that draw them.
"""

from __future__ import annotations

import sys

import plan
import shell

PICTURES = {"plan": plan.main, "shell": shell.main}

if __name__ == "__main__":
    for name in sys.argv[1:] or PICTURES:
        PICTURES[name]()
