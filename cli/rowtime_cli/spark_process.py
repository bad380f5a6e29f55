"""Ends a command whose JVM has ended: without Spark, nothing that the command promises would happen any more."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from rowtime_cli.signals import exit_code, flush_output, is_ending, leave

if TYPE_CHECKING:
    from rowtime.errors import Diagnostic
    from rowtime.session import Session

CODE = 1
"""The exit code."""
_LOOK = 0.2
_PATIENCE = 2.0
"""Seconds in which output has to be written: nobody may be reading it."""
_CLEAN_UP = 10.0
"""Seconds that a command has for its clean-up, if a signal has ended both it and the JVM."""
_BY_SIGNALS = (130, 143, -signal.SIGINT, -signal.SIGTERM)


@contextlib.contextmanager
def watched(
    session: Session,
    report: Callable[[Sequence[Diagnostic]], None] | None = None,
    before: Callable[[], None] | None = None,
) -> Iterator[None]:
    """While the block runs, ends this process if the JVM of the session ends: with exit code 1, after one diagnostic
    (RT0638), which `report` prints (default: to stderr). `before` is called before the end, in any thread."""
    from rowtime.jvm import process as spark

    process = spark.process_of(session.spark)
    if process is None:
        # Another program started the JVM, and ends with it.
        yield
        return
    over, reporting = threading.Event(), threading.Lock()

    def end(code: int) -> None:
        """Does not return, unless a signal has asked this process to end."""
        if code in _BY_SIGNALS:
            # Whoever ends a group of processes ends this one too.
            over.wait(_LOOK * 2)
        if is_ending():
            return
        # Never released: another thread that has found the same waits for the end here.
        reporting.acquire()
        _in_time(lambda: (report or _print)([spark.diagnostic_of_end(code)]))
        if before is not None:
            _in_time(before)
        _leave(CODE)

    def watch() -> None:
        while not over.wait(_LOOK):
            code = process.poll()
            if code is not None:
                end(code)
                # A clean-up may wait for an answer of the JVM.
                if not over.wait(_CLEAN_UP):
                    _leave(exit_code())
                return

    watcher = threading.Thread(target=watch, name="rowtime-spark-process", daemon=True)
    watcher.start()
    spark.on_end = end
    try:
        yield
    finally:
        code = process.poll()
        if code is not None:
            end(code)
        spark.on_end = None
        over.set()


def _leave(code: int) -> None:
    """Ends the process. Not by an exception: the main thread may wait for an answer of the JVM."""
    from rowtime.privatefolder import remove_folders

    remove_folders()
    _in_time(flush_output)
    leave(code, flush=False)


def _in_time(action: Callable[[], object]) -> None:
    """Runs an action for a limited time; its errors are not worth another message."""

    def run() -> None:
        with contextlib.suppress(Exception):
            action()

    thread = threading.Thread(target=run, name="rowtime-ending", daemon=True)
    thread.start()
    thread.join(_PATIENCE)


def _print(diagnostics: Sequence[Diagnostic]) -> None:
    from rowtime.errors import render_all
    from rowtime_cli.faults import supports_colors

    print(render_all(diagnostics, color=supports_colors(sys.stderr)), file=sys.stderr, flush=True)
