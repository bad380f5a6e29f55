"""make bench: rowtime against its opponents, side by side, and the figures of named streams.

`python tests/bench [planning] [q0] [q2] [q5] [q7] [appends] [latency] [hold] [state] [disk]` runs some; `--brief` takes far
fewer rows for the figures of streams, to see that they work.
"""

from __future__ import annotations

import os
import platform
import sys


def main(chosen: list[str]) -> None:
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}\n")
    brief = "--brief" in chosen
    chosen = [name for name in chosen if name != "--brief"]
    if not chosen or "planning" in chosen:
        import planning

        planning.compare()
    queries = [name for name in chosen if name.startswith("q")]
    if not chosen or queries:
        import nexmark

        nexmark.compare(tuple(queries) or tuple(nexmark.SQL))
        if (rows := nexmark.state_rows()) is not None:
            print(f"most state rows at once: {rows}\n")
    import streams

    parts = tuple(name for name in streams.PARTS if not chosen or name in chosen)
    if parts:
        streams.measure(parts, brief=brief)


if __name__ == "__main__":
    main(sys.argv[1:])
