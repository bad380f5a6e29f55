"""How the input of composed queries arrives: in random steps, with random bounds, or with a restart in the middle."""

from __future__ import annotations

import datetime as dt
import itertools
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .data import END, Relation, insert

Row = tuple[Any, ...]
_LAST = END + dt.timedelta(days=730)
"""The ROWTIME of the rows that end files: everything else is complete then."""
ENDS = -1
"""The id of those rows."""


@dataclass(frozen=True)
class Rows:
    """Rows of a stream: an INSERT, or a file."""

    relation: Relation
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Bound:
    letter: str
    time: dt.datetime


@dataclass(frozen=True)
class Restart:
    """`partitions`: what Spark's settings say from then on, as on a machine with as many cores."""

    partitions: int


Step = Rows | Bound | Restart
VARIATIONS = ("all", "cut", "restart", "bounds")
"""How the input arrives: in many parts; in two with a restart between them; in a few with bounds; in all these ways."""


def variation(block: int) -> str:
    """Returns how the input of a block arrives. The blocks take turns."""
    return VARIATIONS[block % len(VARIATIONS)]


def rounds(data: dict[Relation, list[Row]], chance: random.Random, how: str = "all") -> list[list[Step]]:
    """Returns steps in which all rows arrive, each stream's in order. What is to be computed for a round waits for its
    end. The last two rounds complete everything."""
    count = chance.choice({"all": (2, 3, 3, 4, 6), "cut": (4, 5, 6), "restart": (2,), "bounds": (2, 3)}[how])
    found: list[list[Step]] = [[] for _ in range(count)]
    with_bounds = how == "bounds" or (how == "all" and chance.random() < 0.5)
    for relation, some in data.items():
        parts = _parts(some, chance.randint(1, count if how == "cut" else min(count, 3)), chance)
        for place, part in zip(sorted(chance.sample(range(count), len(parts))), parts, strict=True):
            found[place].append(Rows(relation, part))
            least = min((row[0] for row in some[some.index(part[-1]) + 1 :]), default=None)
            if with_bounds and least is not None and not relation.foreign and chance.random() < 0.5:
                found[place].append(Bound(relation.letter, least))
    if how in ("all", "restart"):
        restarted = chance.randint(1, count - 1)
        found[restarted].insert(0, Restart(chance.choice((1, 3, 5))))
    return [*found, *_ends(data)]


def _parts(some: Sequence[Row], count: int, chance: random.Random) -> list[tuple[Row, ...]]:
    cuts = sorted(chance.sample(range(1, len(some)), count - 1))
    return [tuple(some[a:b]) for a, b in itertools.pairwise([0, *cuts, len(some)])]


def _ends(data: dict[Relation, list[Row]]) -> list[list[Step]]:
    """Rows far away end files, of which the second one shows that the first has passed."""
    found: list[list[Step]] = [[], []]
    for relation in data:
        if not relation.foreign:
            found[0].append(Bound(relation.letter, END))
            continue
        for days, steps in enumerate(found):
            row = (_LAST + dt.timedelta(days=days), ENDS, *(None for _ in relation.columns[2:]))
            steps.append(Rows(relation, (row,)))
    return found


def statement(step: Rows | Bound, names: dict[str, str]) -> str:
    """Returns an INSERT or a client command."""
    if isinstance(step, Bound):
        return f"!bound {names[step.letter]} '{step.time.isoformat(' ', 'milliseconds')}'"
    return f"{insert(names[step.relation.letter], step.rows)};"


def write_file(step: Rows, folder: Path, number: int) -> None:
    """Writes the rows into a new file of a foreign stream."""
    columns = [name.upper() for name, _ in step.relation.columns]
    lines = [json.dumps(dict(zip(columns, map(_json, row), strict=True))) for row in step.rows]
    draft = folder.with_name(f"{folder.name}.draft")
    draft.write_text("".join(f"{line}\n" for line in lines))
    draft.rename(folder / f"{number:03}.json")


def _json(value: Any) -> Any:
    return value if value is None or isinstance(value, bool | int | float) else str(value)
