"""A live line in the terminal while queries run: rows/s, rowtime, late rows, invalid records, state. Only on a
terminal."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rowtime.runtime.launch.progress import Progress

if TYPE_CHECKING:
    from rowtime.script.runner import ScriptRunner

_EVERY = 0.5


@contextlib.contextmanager
def live(runner: ScriptRunner) -> Iterator[None]:
    """Shows the line below all output inside the block, if stderr is a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    console = Console(stderr=True)
    done = threading.Event()
    # Rows go through the same console, which keeps the line below them; output to a file is unchanged.
    same = sys.stdout.isatty()
    with Live(Text(""), console=console, transient=True, auto_refresh=False, redirect_stdout=same) as shown:

        def watch() -> None:
            while not done.wait(_EVERY):
                with contextlib.suppress(Exception):
                    # A query may end between two reads of its progress; the line is not worth an error.
                    shown.update(Text(line(runner), overflow="ellipsis", no_wrap=True), refresh=True)

        watcher = threading.Thread(target=watch, name="rowtime-live", daemon=True)
        watcher.start()
        try:
            yield
        finally:
            done.set()
            watcher.join()


def line(runner: ScriptRunner) -> str:
    """Returns the line: one part per query."""
    return "   ".join(f"[{i}] {part(query.progress)}" for i, query in enumerate(runner.queries, 1))


def part(progress: Progress) -> str:
    """Returns `12,345 rows/s rowtime 2006-09-11 12:05:00 late 3 bad 1 state 1,024`, without parts that are zero."""
    found = [f"{progress.rows_per_second:,.0f} rows/s"]
    if progress.rowtime:
        found.append("rowtime " + progress.rowtime.replace("T", " ").removesuffix(".000"))
    for name, count in (("late", progress.late_rows), ("bad", progress.bad_rows), ("state", progress.state_rows)):
        if count:
            found.append(f"{name} {count:,}")
    return "  ".join(found)
