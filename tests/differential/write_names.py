"""Writes docs/function_names.md: `python tests/differential/write_names.py`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "helpers")]

if __name__ == "__main__":
    from names import DOCUMENT, document
    from test_names import hints

    from rowtime.jvm.jpype import planner

    DOCUMENT.write_text(document(hints(planner())))
