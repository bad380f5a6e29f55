"""Side-by-side measurements: ours and theirs in turn, in one run, so that a machine that drifts drifts for both."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pairs:
    """Two things to measure, and the unit that both measures are in; less is better unless `rate`."""

    ours: str
    theirs: str
    unit: str
    rate: bool = False
    count: int = 5

    def run(self, ours: Callable[[], float], theirs: Callable[[], float], goal: str) -> float:
        """Measures `count` pairs and prints the medians and the ratios ours/theirs; returns the median ratio."""
        pairs = []
        for i in range(self.count):
            # Who goes first changes from pair to pair: it often has the quieter machine.
            if i % 2:
                b = theirs()
                a = ours()
            else:
                a = ours()
                b = theirs()
            pairs.append((a, b))
        ratios = [a / b for a, b in pairs]
        for name, values in ((self.ours, [a for a, _ in pairs]), (self.theirs, [b for _, b in pairs])):
            print(f"  {name:<62} {self._text(values)}")
        ratio = statistics.median(ratios)
        print(f"  ratio {ratio:.2f} (pairs {min(ratios):.2f} … {max(ratios):.2f}); goal: {goal}\n", flush=True)
        return ratio

    def _text(self, values: list[float]) -> str:
        return f"median {self._one(statistics.median(values))}  ({self._one(min(values))} … {self._one(max(values))})"

    def _one(self, value: float) -> str:
        return f"{value:,.0f} {self.unit}" if self.rate else f"{value:.2f} {self.unit}"
