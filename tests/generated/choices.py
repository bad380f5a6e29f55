"""Random choices that are recorded, so that a query can be drawn again from fewer and simpler ones."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

T = TypeVar("T")
Choice = int | float | tuple[int, ...]
_SELDOM = 0.999
"""Conditions of the kind `random() < probability` do not hold."""


class Choices(random.Random):
    """Draws what `random.Random` draws for the same seed, or the recorded choices that it is given; after the last of
    those, the simplest: the first of several, the least number."""

    def __init__(self, seed: str, recorded: Sequence[Choice] | None = None) -> None:
        super().__init__(seed)
        self.recorded = recorded
        self.made: list[Choice] = []

    def getrandbits(self, k: int, /) -> int:
        """Is there so that `random` can be replaced without another method's choices changing."""
        return super().getrandbits(k)

    def random(self) -> float:
        return float(self._next(super().random, _SELDOM))

    def choice(self, seq: Any) -> Any:
        return seq[min(self._index(len(seq)), len(seq) - 1)]

    def _index(self, count: int) -> int:
        return int(self._next(lambda: super(Choices, self).choice(range(count)), 0))

    def randint(self, a: int, b: int) -> int:
        return a + min(int(self._next(lambda: super(Choices, self).randint(a, b) - a, 0)), b - a)

    def sample(self, population: Any, k: int, *, counts: Any = None) -> list[Any]:
        chosen = self._next(lambda: tuple(super(Choices, self).sample(range(len(population)), k)), tuple(range(k)))
        places = [i for i in (chosen if isinstance(chosen, tuple) else ()) if i < len(population)]
        rest = [i for i in range(len(population)) if i not in places]
        return [population[i] for i in [*places, *rest][:k]]

    def _next(self, draw: Callable[[], Choice], simplest: Choice) -> Any:
        if self.recorded is None:
            made = draw()
        elif len(self.made) < len(self.recorded) and type(self.recorded[len(self.made)]) is type(simplest):
            made = self.recorded[len(self.made)]
        else:
            made = simplest
        self.made.append(made)
        return made


def simpler(made: Sequence[Choice]) -> Iterator[list[Choice]]:
    """Yields lists with fewer choices: without one part after another, from halves to single ones; then with one of
    them as simple as possible."""
    size = max(len(made) // 2, 1)
    while size:
        for start in range(0, len(made), size):
            yield [*made[:start], *made[start + size :]]
        size //= 2
    for place, choice in enumerate(made):
        simplest: Choice = 0 if isinstance(choice, int) else _SELDOM if isinstance(choice, float) else ()
        if choice != simplest:
            yield [*made[:place], simplest, *made[place + 1 :]]
