"""Ctrl-C and SIGTERM: how each command ends by them."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Sequence
from types import FrameType

_ENDING = (signal.SIGINT, signal.SIGTERM)

_AT_ONCE = frozenset(("validate", "explain", "fmt", "doctor", "version"))
"""Commands that leave nothing behind that would have to be put away."""
_WITHOUT_SPARK = frozenset(("stream", "pump"))
_PATIENCE = 2.0
"""Seconds that such a command has to put things away."""


_terminated = False


def exit_code() -> int:
    """Of a command that a KeyboardInterrupt has ended: 143 for SIGTERM, 130 for Ctrl-C, as shells count."""
    return 128 + (signal.SIGTERM if _terminated else signal.SIGINT)


def begin(arguments: Sequence[str]) -> None:
    """Takes charge of both signals for a command line. To be called in the main thread, before anything else.

    Python runs its handlers in the main thread only, and not while that waits for the JVM. So a thread of its own,
    which is woken as the signal comes, ends a command that starts no Spark.
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


def leave(code: int) -> None:
    """Ends the process without taking down what runs in it: an embedded JVM, or threads that still start it."""
    for stream in (sys.stdout, sys.stderr):
        # A stream that the signal has met while it wrote takes no more.
        with contextlib.suppress(OSError, ValueError, RuntimeError):
            stream.flush()
    os._exit(code)


def ended() -> threading.Event:
    """An event that the first Ctrl-C or SIGTERM sets from now on; the next one is taken as ever.

    A KeyboardInterrupt would meet py4j as it waits for the JVM, which then drops connections that others use."""
    event = threading.Event()

    def end(number: int, frame: FrameType | None) -> None:
        event.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, _terminate)

    for number in _ENDING:
        signal.signal(number, end)
    return event


def _leave(number: int, frame: FrameType | None) -> None:
    leave(128 + number)


def _terminate(number: int, frame: FrameType | None) -> None:
    """SIGTERM ends a command as Ctrl-C does; the next one, without putting anything away."""
    global _terminated
    _terminated = True
    signal.signal(signal.SIGTERM, _leave)
    raise KeyboardInterrupt


def _watch(patience: float) -> None:
    """Ends the process `patience` seconds after the first of the signals, if it still runs."""
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
