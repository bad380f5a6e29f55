"""How many rows a query reads in a second."""

from __future__ import annotations

from collections import deque

_RECENT = 20
WINDOW = 10.0
"""Seconds after which an idle query has the rate 0, unless its micro-batches take longer."""


class Rate:
    """The rate of the last micro-batches. While nothing comes it falls, and then it is 0.

    Times are seconds since 1970, by the clock of the machine.
    """

    def __init__(self) -> None:
        self._batches: deque[tuple[int, float, float]] = deque(maxlen=_RECENT)

    def add(self, rows: int, begin: float, seconds: float) -> None:
        """Adds a micro-batch of this many rows."""
        self._batches.append((rows, begin, seconds))

    def at(self, now: float) -> float:
        """Returns the rows per second."""
        # While a long micro-batch runs, the rate is that of those before it.
        longest = max((seconds for _, _, seconds in self._batches), default=0.0)
        recent = [batch for batch in self._batches if now - (batch[1] + batch[2]) < max(WINDOW, 2 * longest)]
        if not recent:
            return 0.0
        elapsed = max(now - recent[0][1], sum(seconds for _, _, seconds in recent))
        return sum(rows for rows, _, _ in recent) / elapsed if elapsed > 0 else 0.0
