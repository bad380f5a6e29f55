"""The generated queries, by number: each is drawn again until DuckDB has rows for it, or nearly so."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from .engines import Engines
from .relational import relational
from .sources import Names
from .text import Query
from .windowed import windowed

DRAWS = 12
MOST = 3000
"""Rows of a result."""


@dataclass
class Case:
    """One query and what came of it."""

    number: int
    query: Query
    expected: list[tuple[Any, ...]]
    """DuckDB's rows."""
    differs: str = ""
    """How rowtime's rows differ, as a relation; or its error."""
    streamed: str | None = None
    """The same as a stream; None if it has not run as one."""
    refused: str = ""
    """Why it does not run as a stream."""
    rowtime: int | None = None
    """Which of the stream's columns is its ROWTIME."""
    name: str = ""
    """That of the difference, where it has one."""

    @property
    def faulty(self) -> bool:
        return bool(self.differs or self.streamed) and not self.name


def draw(engines: Engines, number: int, seed: int) -> Case:
    """Query `number`; even ones are relational, odd ones are made for streams. The same whatever else is drawn."""
    made = relational if number % 2 == 0 else windowed
    case = None
    for attempt in range(DRAWS):
        query = made(Names.of(random.Random(f"{seed} {number} {attempt}")))
        rows = engines.expected(query)
        case = Case(number, query, rows)
        if 0 < len(rows) <= MOST:
            break
    assert case is not None
    return case
