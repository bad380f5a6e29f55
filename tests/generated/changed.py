"""Changed definitions: random pairs of queries, of which the second replaces the first in a pump in mid-input.

Either it is refused with RT0516, or from then on the pump returns the rows of the second query as if it had always run.
A query that is the same in other words is never refused.

python tests/generated/changed.py                  100 pairs
python tests/generated/changed.py --pairs 300      that many
python tests/generated/changed.py --begin 200      from that number on
python tests/generated/changed.py --seed 7         others
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
if __name__ == "__main__":
    os.environ.setdefault("ROWTIME_CHECK_CLAIMS", "1")

from generated.changed_queries import Query, pair
from rowtime.errors import RowtimeError
from rowtime.opening import connect
from rowtime.session import Session

_BLOCK = 6
"""So many pairs run together."""
_COLUMNS = "a INTEGER NOT NULL, b INTEGER NOT NULL, x INTEGER NOT NULL, y INTEGER NOT NULL"


@dataclass
class Outcome:
    """What became of a pair: `verdict` is `refused`, `same` or the reason why it is wrong; None if the first query
    cannot run."""

    number: int
    first: Query
    second: Query
    verdict: str | None = None

    @property
    def wrong(self) -> bool:
        return self.verdict not in (None, "refused", "same")

    def __str__(self) -> str:
        return f"{self.number}: {self.verdict}\n  {self.first}\n  {self.second}"


def run(session: Session, numbers: Sequence[int], seed: int) -> list[Outcome]:
    """Runs pairs together over the same input, whose second half arrives after the change."""
    tag = f"{seed}_{numbers[0]}"
    streams = {"s": f"s_{tag}", "r": f"r_{tag}"}
    for name in streams.values():
        session.sql(f"CREATE STREAM {name} ({_COLUMNS})")
    outcomes = [Outcome(number, *pair(random.Random(f"{seed} {number}"))) for number in numbers]
    running = [each for each in outcomes if _start(session, each, streams, tag)]
    chance = random.Random(f"{seed} rows {numbers[0]}")
    rows = _rows(chance)
    half = len(rows) // 2
    _insert(session, streams, rows[:half], chance)
    before = {name: len(_read(session, name)) for each in running for name in _targets(each, tag)}
    changed = [each for each in running if _change(session, each, streams, tag)]
    _insert(session, streams, rows[half:], chance)
    for name in streams.values():
        with session.producer(name.upper()) as producer:
            producer.set_rowtime_bound("2024-05-02 00:00:00")
    session.runtime.settle([])
    for each in changed:
        target, _, other = _targets(each, tag)
        found, expected = (Counter(_read(session, name)[before[name] :]) for name in (target, other))
        if found == expected:
            each.verdict = "same"
        else:
            missing, more = (sorted(rows.elements())[:4] for rows in (expected - found, found - expected))
            each.verdict = f"missing {missing}, too many {more}"
    for each in running:
        for name in _targets(each, tag):
            session.sql(f"DROP STREAM {name} CASCADE")
    return outcomes


def _targets(outcome: Outcome, tag: str) -> tuple[str, str, str]:
    """Returns the streams with the rows of the pump that is changed, of the first query and of the second."""
    return (f"t_{tag}_{outcome.number}", f"u_{tag}_{outcome.number}", f"v_{tag}_{outcome.number}")


def _start(session: Session, outcome: Outcome, streams: dict[str, str], tag: str) -> bool:
    queries = (outcome.first, outcome.first, outcome.second)
    for name, query in zip(_targets(outcome, tag), queries, strict=True):
        session.sql(f"CREATE STREAM {name} (k INTEGER, n BIGINT) OPTIONS (history 'all')")
        try:
            session.sql(f"CREATE PUMP p{name} STARTED AS INSERT INTO {name} {query.text(streams)}")
        except RowtimeError as fault:
            outcome.verdict = f"{query.text(streams)}: {fault}"
            return False
    return True


def _change(session: Session, outcome: Outcome, streams: dict[str, str], tag: str) -> bool:
    name = _targets(outcome, tag)[0]
    try:
        session.sql(f"CREATE OR REPLACE PUMP p{name} STARTED AS INSERT INTO {name} {outcome.second.text(streams)}")
    except RowtimeError as fault:
        same = outcome.first.parts == outcome.second.parts and outcome.first.kind == outcome.second.kind
        outcome.verdict = "refused" if fault.code == "RT0516" and not same else str(fault)
        return False
    return True


def _rows(chance: random.Random) -> list[tuple[str, str, tuple[int, ...]]]:
    """Returns rows of both streams in order of time: the stream, the time, the values."""
    found, minute = [], 0
    for _ in range(60):
        minute += chance.choice((1, 3, 7, 11))
        time = f"2024-05-01 {10 + minute // 60:02}:{minute % 60:02}:00"
        found.append(
            (
                chance.choice("sr"),
                time,
                tuple(chance.randint(0, 3) if i < 2 else chance.randint(0, 9) for i in range(4)),
            )
        )
    return found


def _insert(session: Session, streams: dict[str, str], rows: Sequence[Any], chance: random.Random) -> None:
    rows = list(rows)
    while rows:
        step = rows[: (count := chance.choice((9, 17)))]
        rows = rows[count:]
        for letter, stream in streams.items():
            values = [f"(TIMESTAMP '{time}', {', '.join(map(str, row))})" for to, time, row in step if to == letter]
            if values:
                session.sql(f"INSERT INTO {stream} VALUES {', '.join(values)}")
        session.runtime.settle([])


def _read(session: Session, name: str) -> list[tuple[Any, ...]]:
    found: Any = session.sql(f"SELECT * FROM {name}")
    rows: list[tuple[Any, ...]] = found.tuples()
    return rows


def campaign(
    spark: Any, folder: Path, numbers: Sequence[int], seed: int, say: Callable[[str], None] | None = None
) -> list[Outcome]:
    """Runs pairs in blocks, and returns their outcomes."""
    found: list[Outcome] = []
    with connect(spark, folder) as session:
        for i in range(0, len(numbers), _BLOCK):
            block = run(session, numbers[i : i + _BLOCK], seed)
            found += block
            if say is not None:
                say("\n".join(str(each) if each.wrong else f"{each.number}: {each.verdict}" for each in block))
    return found


def main() -> int:
    """Returns 0 if no pair is wrong."""
    from rowtime.runtime.cluster.spark import start_spark

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pairs", type=int, default=100, metavar="N", help="the first of them")
    parser.add_argument("--begin", type=int, default=0, metavar="N", help="of those from that number on")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="other pairs, over other rows")
    arguments = parser.parse_args()
    began = time.monotonic()
    spark = start_spark()
    try:
        with tempfile.TemporaryDirectory() as folder:
            numbers = range(arguments.begin, arguments.pairs)
            found = campaign(spark, Path(folder) / "w", numbers, arguments.seed, lambda what: print(what, flush=True))
    finally:
        spark.stop()
    print(Counter("wrong" if each.wrong else str(each.verdict) for each in found), f"{time.monotonic() - began:.0f} s")
    return int(any(each.wrong for each in found))


if __name__ == "__main__":
    sys.exit(main())
