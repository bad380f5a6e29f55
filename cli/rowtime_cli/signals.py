"""Ctrl-C and SIGTERM: how each command ends."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Sequence
from types import FrameType
from typing import NoReturn

_ENDING = (signal.SIGINT, signal.SIGTERM)

_AT_ONCE = frozenset(("validate", "explain", "fmt", "doctor", "version"))
"""Commands that need no clean-up."""
_WITHOUT_SPARK = frozenset(("stream", "pump"))
_PATIENCE = 2.0
"""Seconds that such a command has for its clean-up."""


_terminated = False
_ending = False


def is_ending() -> bool:
    """Returns whether a signal has asked this process to end."""
    return _ending


def exit_code() -> int:
    """Returns the exit code of a command that a KeyboardInterrupt has ended: 143 for SIGTERM, 130 for Ctrl-C, as in
    shells."""
    return 128 + (signal.SIGTERM if _terminated else signal.SIGINT)


def begin(arguments: Sequence[str]) -> None:
    """Handles both signals for a command line. Call it in the main thread, before anything else.

    Python runs its handlers only in the main thread, and not while that waits for the JVM. So a separate thread, which
    the signal wakes, ends a command that starts no Spark.
    """
    command = arguments[0] if arguments else ""
    if command in _AT_ONCE:
        for number in _ENDING:
            signal.signal(number, _leave)
        _watch(0.2)
    else:
        signal.signal(signal.SIGTERM, _terminate)
        if command in _WITHOUT_SPARK and "run" not in arguments[1:2]:
            _watch(_PATIENCE)


def flush_output() -> None:
    """Writes out what was printed."""
    for stream in (sys.stdout, sys.stderr):
        # A stream that a signal interrupted during a write accepts no more.
        with contextlib.suppress(OSError, ValueError, RuntimeError):
            stream.flush()


def leave(code: int, *, flush: bool = True) -> NoReturn:
    """Ends the process without shutting down its embedded JVM, or threads that still start it. Without `flush`, output
    that is not written yet is lost."""
    if flush:
        flush_output()
    os._exit(code)


def stop_event() -> threading.Event:
    """Returns an event that the first Ctrl-C or SIGTERM sets from now on; the next one has its usual effect.

    A KeyboardInterrupt would interrupt py4j while it waits for the JVM, which then drops connections that others
    use."""
    event = threading.Event()

    def end(number: int, frame: FrameType | None) -> None:
        global _ending
        _ending = True
        event.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, _terminate)

    for number in _ENDING:
        signal.signal(number, end)
    return event


def _leave(number: int, frame: FrameType | None) -> None:
    leave(128 + number)


def _terminate(number: int, frame: FrameType | None) -> None:
    """SIGTERM ends a command like Ctrl-C; the next one ends it without clean-up."""
    global _terminated, _ending
    _terminated = _ending = True
    signal.signal(signal.SIGTERM, _leave)
    raise KeyboardInterrupt


def _watch(patience: float) -> None:
    """Ends the process `patience` seconds after the first signal, if it is still running."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)

    def wait() -> None:
        while True:
            (number,) = os.read(reader, 1)
            if number in _ENDING:
                time.sleep(patience)
                os._exit(128 + number)

    threading.Thread(target=wait, name="rowtime-signals", daemon=True).start()
