"""make bench: rowtime against its opponents, side by side, and the figures of windows and named streams.

`python tests/bench [planning] [first_row] [q0] [q2] [q5] [q7] [q8] [distinct] [sessions] [best] [top]
[top_by_auction] [O1] [O2] [O3] [q3] [q4] [q9] [q15] … [q20] [q23] [counts] [consistency] [windows] [table_functions] [upserts] [large_state]
[realtime] [appends] [latency] [small_steps] [join_latency] [hold] [state] [disk] [search_key] [search_files] [skew] [jdbc]` runs some of them;
`--brief` uses far fewer rows, and one round, to check that they work. README.md in this folder says more.
"""

from __future__ import annotations

import os
import platform
import sys


def main(arguments: list[str]) -> None:
    import changes
    import nexmark
    import streams

    brief = "--brief" in arguments
    known = (
        "planning",
        "first_row",
        *nexmark.SQL,
        *changes.QUERIES,
        "consistency",
        "windows",
        "table_functions",
        "upserts",
        "large_state",
        "realtime",
        *streams.MEASURES,
    )
    chosen = [name for name in arguments if name != "--brief"] or known
    if unknown := [name for name in chosen if name not in known]:
        raise SystemExit(f"There is no {', '.join(unknown)}; there are {', '.join(known)}")
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}\n")
    if "planning" in chosen:
        import planning

        planning.compare()
    if "first_row" in chosen:
        import first_row

        first_row.compare(brief=brief)
    if queries := tuple(name for name in nexmark.SQL if name in chosen):
        nexmark.compare(queries, brief=brief)
    if queries := tuple(name for name in changes.QUERIES if name in chosen):
        changes.compare(queries, brief=brief)
    if "consistency" in chosen:
        import consistency

        consistency.measure(brief=brief)
    if "windows" in chosen:
        import windows

        windows.measure(brief=brief)
    if "table_functions" in chosen:
        import table_functions

        table_functions.measure(brief=brief)
    if "upserts" in chosen:
        import upserts

        upserts.measure(brief=brief)
    if "large_state" in chosen:
        import large_state

        large_state.measure(brief=brief)
    if "realtime" in chosen:
        import realtime

        realtime.measure(brief=brief)
    if parts := tuple(name for name in streams.MEASURES if name in chosen):
        streams.measure(parts, brief=brief)


if __name__ == "__main__":
    main(sys.argv[1:])
