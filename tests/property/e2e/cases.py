"""Random scripts: actions of some producers on one or two streams, divided into steps at random, with restarts in
between."""

from __future__ import annotations

import random
from dataclasses import dataclass

from rowtime.types import times

START = times.parse_millis("2006-09-11 10:00:00")
_GRID = 20_000
"""Rowtimes are on a grid, so that equal ones are common."""


@dataclass(frozen=True)
class Action:
    """One step of a script: rows, a bound, or the detachment of a producer; or a restart (none of these)."""

    stream: str = ""
    producer: str | None = None
    rows: tuple[tuple[int, int], ...] = ()
    bound: int | None = None
    strict: bool = False
    leaves: bool = False

    @property
    def is_restart(self) -> bool:
        return not self.rows and self.bound is None and not self.leaves

    def text(self) -> str:
        """Returns the lines of the script."""
        if self.is_restart:
            return "!restart\n"
        if self.leaves:
            return f"!detach {self.producer}\n"
        switch = f"!producer {self.producer or ''}".rstrip() + "\n"
        if self.bound is not None:
            shown = times.text(self.bound - 1 if self.strict else self.bound)
            return f"{switch}!bound {self.stream} '{shown}'{' strict' if self.strict else ''}\n"
        values = ", ".join(f"(TIMESTAMP '{times.text(rowtime)}', {n})" for rowtime, n in self.rows)
        return f"{switch}INSERT INTO {self.stream} VALUES {values};\n"


def actions(chance: random.Random, streams: list[str], length: int, disorder: int = 0) -> list[Action]:
    """Returns `length` steps, then the detachment of all producers. Most rows go forward: some are late, by up to
    `disorder` or more."""
    found: list[Action] = []
    count = 0
    at = dict.fromkeys([(s, p) for s in streams for p in ("P", "Q", None)], START)
    used: set[str] = set()
    for _ in range(length):
        stream = chance.choice(streams)
        producer = chance.choice(["P", "P", "Q", "Q", None])
        cursor = at[stream, producer]
        what = chance.random()
        if what < 0.6:
            rows = []
            for _ in range(chance.choice([1, 1, 2, 3, 5])):
                back = chance.choice([0, 0, 0, 1, 2]) * max(disorder // 2, _GRID)
                cursor += chance.choice([0, 1, 1, 2]) * _GRID
                rows.append((cursor - back, count := count + 1))
            found.append(Action(stream, producer, rows=tuple(rows)))
        elif what < 0.85:
            strict = chance.random() < 0.3
            cursor += chance.choice([-1, 0, 1, 2, 3]) * _GRID
            found.append(Action(stream, producer, bound=cursor + strict, strict=strict))
        elif producer in used:
            found.append(Action(producer=producer, leaves=True))
        at[stream, producer] = max(cursor, at[stream, producer])
        used |= {producer} if producer else set()
        if chance.random() < 0.15:
            found.append(Action())
    found += [Action(producer=producer, leaves=True) for producer in sorted(used)]
    return found


def trains(chance: random.Random, stream: str, length: int) -> list[Action]:
    """Returns rows of two producers, of which none is late, with valid bounds between them; then both detach."""
    found: list[Action] = []
    at = {"P": START, "Q": START}
    count = 0
    # Both are attached from the beginning: the effect of a later attachment depends on the stream's bound.
    for producer, cursor in at.items():
        found.append(Action(stream, producer, rows=((cursor, count := count + 1),)))
    for _ in range(length):
        producer = chance.choice(["P", "Q"])
        if chance.random() < 0.5:
            at[producer] += chance.choice([0, 1, 2, 4]) * _GRID
            found.append(Action(stream, producer, bound=at[producer]))
        else:
            rows = []
            for _ in range(chance.choice([1, 2, 4])):
                at[producer] += chance.choice([0, 1, 2]) * _GRID
                rows.append((at[producer], count := count + 1))
            found.append(Action(stream, producer, rows=tuple(rows)))
        if chance.random() < 0.15:
            found.append(Action())
    return found + [Action(producer=producer, leaves=True) for producer in at]
