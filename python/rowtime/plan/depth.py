"""Recursion over plans as deep as the planner allows: code that walks a plan recurses once per level."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from rowtime.errors import error

_LIMIT = 20_000
"""Python's own limit of 1,000 is reached at about 150 levels. Expressions that a program has written may have more."""

_lock = threading.Lock()
_inside = 0
_before = 0


@contextmanager
def deep() -> Iterator[None]:
    """Allows recursion over a plan inside the block. Raises RowtimeError RT0003 if the plan is deeper than the planner
    allows."""
    global _inside, _before
    with _lock:
        if _inside == 0:
            _before = sys.getrecursionlimit()
            sys.setrecursionlimit(max(_before, _LIMIT))
        _inside += 1
    try:
        yield
    except RecursionError:
        raise error("RT0003", "The plan is nested too deeply", hint="Split the statement into views") from None
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                sys.setrecursionlimit(_before)
