"""Side-by-side measurements: all in turn, in one run, so that a change of the machine's speed affects all."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rounds:
    """The results of some rounds: for each name one figure per round. With `rate` more is better, otherwise less."""

    figures: Mapping[str, Sequence[float]]
    unit: str = "s"
    rate: bool = False

    def rates(self, count: int, unit: str) -> Rounds:
        """Converts seconds to a rate: how many of `count` things per second."""
        rates = {name: [count / seconds for seconds in values] for name, values in self.figures.items()}
        return Rounds(rates, unit, rate=True)

    def show(self, notes: Mapping[str, str] | None = None) -> None:
        """Prints the median of each, and the range; `notes` are remarks on a name."""
        for name, values in self.figures.items():
            note = (notes or {}).get(name)
            text = (
                f"median {self._one(statistics.median(values))}  ({self._one(min(values))} … {self._one(max(values))})"
            )
            print(f"  {name:<62} {text}{f'; {note}' if note else ''}")

    def compare(self, ours: str, rivals: Sequence[str], goal: str) -> float:
        """Prints and returns the median of the ratios ours/theirs, round by round, against the best of the rivals."""
        best = (max if self.rate else min)(rivals, key=lambda name: statistics.median(self.figures[name]))
        ratios = [a / b for a, b in zip(self.figures[ours], self.figures[best], strict=True)]
        ratio = statistics.median(ratios)
        print(
            f"  ratio {ratio:.2f} ({min(ratios):.2f} … {max(ratios):.2f}) of {ours} to {best}; goal: {goal}", flush=True
        )
        return ratio

    def _one(self, value: float) -> str:
        return f"{value:,.0f} {self.unit}" if self.rate else f"{value:.2f} {self.unit}"


def rounds(contenders: Mapping[str, Callable[[], float]], count: int, unit: str = "s") -> Rounds:
    """Measures each of the contenders `count` times, one after another; less is better."""
    names = list(contenders)
    figures: dict[str, list[float]] = {name: [] for name in names}
    for number in range(count):
        # The first contender changes from round to round: it often has the quieter machine.
        first = number % len(names)
        for name in names[first:] + names[:first]:
            figures[name].append(contenders[name]())
    return Rounds(figures, unit)


def pair(contenders: Mapping[str, Callable[[], float]], goal: str, count: int = 5, unit: str = "s") -> None:
    """Measures rowtime, the first of two contenders, against the other one, and prints both and the ratio."""
    measured = rounds(contenders, count, unit)
    measured.show()
    ours, theirs = contenders
    measured.compare(ours, [theirs], goal)
    print(flush=True)
