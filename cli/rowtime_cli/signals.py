"""Ctrl-C and SIGTERM where something runs until then."""

from __future__ import annotations

import signal
import threading
from types import FrameType

_ENDING = (signal.SIGINT, signal.SIGTERM)


def ended() -> threading.Event:
    """An event that the first Ctrl-C or SIGTERM sets from now on; the next one is taken as ever.

    A KeyboardInterrupt would meet py4j as it waits for the JVM, which then drops connections that others use."""
    event = threading.Event()

    def end(number: int, frame: FrameType | None) -> None:
        event.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)

    for number in _ENDING:
        signal.signal(number, end)
    return event
