"""Plans as deep as the planner lets them be: all who go down one do so by calls of their own."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from rowtime.errors import error

_LIMIT = 20_000
"""Python's own limit of 1,000 is met at some 150 levels. Expressions that a program has written may have more."""

_lock = threading.Lock()
_inside = 0
_before = 0


@contextmanager
def deep() -> Iterator[None]:
    """Around what goes down a plan. Raises RowtimeError RT0003 if the plan is deeper than any of the planner's."""
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
