"""Composed queries: each operator above any other, two to four deep, over every kind of source.

Any query whose first column is ROWTIME is a source for the next one. A result never depends on which of two rows with
equal ROWTIME comes first, because only a source knows how its rows have arrived.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from . import compositions, joins, overs, window_functions, windowed
from .compositions import timed
from .sources import From, Names, from_relation
from .text import Query

BASES = "SSSRVWLLDDDFEP"
"""Streams, versions, views (of groups; with LATENESS), streams with disorder, and files."""
SHAPES: tuple[str, ...] = (
    "rows",
    "rows",
    "filtered",
    "groups",
    "groups",
    "groups",
    "sets",
    "distinct",
    "merged",
    "over",
    "over",
    "top",
    "top",
    "near",
    "near",
    "as of",
    "looked up",
    "window function",
    "window function",
    "over windows",
    "top of windows",
    "process function",
)


def composed(names: Names) -> Query:
    """A query of two to four operators in a row, some of them with a second input."""
    depth = names.chance.choice((2, 2, 3, 3, 4))
    made = stage(names, depth)
    return Query(made.sql, made.columns, streams=True, about=made.about, streamed=made.streamed)


def about(seed: int, number: int) -> tuple[str, ...]:
    """Returns what the query of a number is made of, as it is drawn first."""
    return composed(Names.of(random.Random(f"{seed} {number} 0"))).about


def stage(names: Names, depth: int) -> Query:
    """An operator over what has one operator less."""
    shape = names.chance.choice(SHAPES)
    if shape in ("near", "merged"):
        sides = [source(names, depth - 1), source(names, names.chance.choice((0, 0, depth - 2)))]
        if names.chance.random() < 0.3:
            sides.reverse()
        made = joins.near_of(names, *sides) if shape == "near" else compositions.merged(names, sides)
        return _said(made, *sides)
    found = source(names, depth - 1)
    return _said(_SINGLE[shape](names, found), found)


def source(names: Names, depth: int) -> From:
    """What has a ROWTIME: a relation, or a query with `depth` operators."""
    if depth <= 0:
        return from_relation(names, names.chance.choice(BASES))
    for _ in range(6):
        made = stage(names, depth)
        if made.columns[0].name == "rowtime" and not made.streamed:
            return timed(names, made)
    return from_relation(names, "S")


def _said(made: Query, *sides: From) -> Query:
    """Adds what the sources are made of to a query."""
    about = (*(word for side in sides for word in side.about), *(word for word in made.about if word != "sub-query"))
    return Query(made.sql, made.columns, streams=True, about=tuple(dict.fromkeys(about)), streamed=made.streamed)


_SINGLE: dict[str, Callable[[Names, From], Query]] = {
    "rows": compositions.rows,
    "filtered": compositions.filtered,
    "groups": windowed.groups_of,
    "sets": compositions.sets,
    "distinct": windowed.distinct_of,
    "over": overs.over,
    "top": overs.top,
    "over windows": overs.over_windows,
    "top of windows": overs.top_windows,
    "as of": joins.as_of_of,
    "looked up": joins.looked_up_of,
    "window function": window_functions.window_function,
    "process function": compositions.process_function,
}
