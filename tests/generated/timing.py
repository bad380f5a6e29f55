"""Where the time of a campaign goes."""

from __future__ import annotations

import contextlib
import time
from collections import defaultdict
from collections.abc import Iterator

SECONDS: defaultdict[str, float] = defaultdict(float)
"""Seconds by what was done; of work in two threads, those of both."""


@contextlib.contextmanager
def measured(what: str) -> Iterator[None]:
    began = time.monotonic()
    try:
        yield
    finally:
        SECONDS[what] += time.monotonic() - began


def spent() -> str:
    return "seconds: " + ", ".join(f"{what} {seconds:.0f}" for what, seconds in SECONDS.items())
