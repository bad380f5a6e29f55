"""Makes the pictures of the documentation: `.venv/bin/python tools/pictures`, in the checkout, after `make setup`.

With `plan` or `shell` only those. No test needs them, or what draws them.
"""

from __future__ import annotations

import sys

import plan
import shell

PICTURES = {"plan": plan.main, "shell": shell.main}

if __name__ == "__main__":
    for name in sys.argv[1:] or PICTURES:
        PICTURES[name]()
