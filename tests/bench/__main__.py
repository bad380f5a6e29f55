"""make bench: rowtime against its opponents, side by side. `python tests/bench [planning] [q0] [q2] [q7]` runs some."""

from __future__ import annotations

import os
import platform
import sys


def main(chosen: list[str]) -> None:
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}\n")
    if not chosen or "planning" in chosen:
        import planning

        planning.compare()
    queries = [name for name in chosen if name.startswith("q")]
    if not chosen or queries:
        import nexmark

        nexmark.compare(tuple(queries) or tuple(nexmark.SQL))
        if (rows := nexmark.state_rows()) is not None:
            print(f"most state rows at once: {rows}")


if __name__ == "__main__":
    main(sys.argv[1:])
