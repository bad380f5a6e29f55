"""What a query in real-time mode has written, by the reports of Spark: no row passes through this process."""

from __future__ import annotations

import time
from typing import Any


class RealTimeFeed:
    """Counts the rows of a query in real-time mode, when a batch has ended. `count` is that of earlier runs."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.rejected = 0
        self.batches = 0
        self.last = time.monotonic()
        self.failure: BaseException | None = None

    def add(self, report: dict[str, Any]) -> None:
        """Counts the rows of a batch, by its report."""
        self.count += max(report["sink"].get("numOutputRows", 0), 0)
        self.batches += 1
        self.last = time.monotonic()

    def close(self) -> None:
        """Nothing waits here: the query ends its batch when it is stopped."""
