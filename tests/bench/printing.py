"""How measurements without an opponent are printed."""

from __future__ import annotations

import statistics
from collections.abc import Sequence


def say(what: str, figure: str) -> None:
    print(f"  {what:<62} {figure}", flush=True)


def milliseconds(seconds: Sequence[float], percentile: int = 99) -> str:
    """Returns the median, and the percentile, of some numbers of seconds."""
    ordered = sorted(seconds)
    high = ordered[min(len(ordered) - 1, len(ordered) * percentile // 100)]
    return f"median {statistics.median(ordered) * 1e3:,.0f} ms, p{percentile} {high * 1e3:,.0f} ms"
