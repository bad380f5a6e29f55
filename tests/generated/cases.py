"""The generated queries, by number: each is drawn again until DuckDB returns rows for it, if possible."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from rowtime.plan.parts import Field

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
    """One query and its results."""

    number: int
    query: Query
    expected: list[tuple[Any, ...]]
    """DuckDB's rows."""
    differs: str = ""
    """The difference of rowtime's rows, as a relation; or its error."""
    streamed: str | None = None
    """The same as a stream; None if it has not run as one."""
    refused: str = ""
    """The reason why it does not run as a stream."""
    rowtime: int | None = None
    """The index of the stream's column that is its ROWTIME."""
    name: str = ""
    """The name of the difference, if it has one."""
    attempt: int = 0
    """Which of the draws of that number it is."""
    pumped: bool = False
    """Whether it runs in a pump, as a stream."""
    fed: str = ""
    """How its input arrives, as a stream."""
    not_relational: str = ""
    """The reason why it does not run as a relation."""
    fields: list[Field] = field(default_factory=list)
    """The columns of the stream."""

    @property
    def faulty(self) -> bool:
        return bool(self.differs or self.streamed) and not self.name


def draw(engines: Engines, number: int, seed: int) -> Case:
    """Returns query `number`; even ones are relational, odd ones are for streams. It does not depend on other
    queries."""
    made = relational if number % 2 == 0 else windowed
    case = None
    for attempt in range(DRAWS):
        query = made(Names.of(random.Random(f"{seed} {number} {attempt}")))
        rows = engines.duckdb_rows(query)
        case = Case(number, query, rows)
        if 0 < len(rows) <= MOST:
            break
    assert case is not None
    return case
