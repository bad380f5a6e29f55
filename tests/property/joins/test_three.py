"""Random joins of three streams, end to end through SQL: the rows of nested loops, in order of ROWTIME, whatever the
steps, bounds (or none at all), late rows and restarts; and the same rows over the histories of the streams."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from rowtime.script.runner import ScriptRunner
from rowtime.session import Session
from rowtime.splitter import split
from rowtime.streams.start import Start

from . import cases
from .arrivals import Arrivals, LateRows, feed, millis
from .cases import LAST, Row

CASES = {"number": (4, 300)}
OFFSETS = (-20, -3, -1, 0, 0, 1, 3, 20)
Found = tuple[Row | None, ...]


@dataclass(frozen=True)
class Step:
    """A join of the rows found so far with the next stream: its rows are `least` to `most` seconds later than those of
    the input `of`, whose key they have if `keyed`."""

    kind: str
    of: int
    least: int
    most: int
    keyed: bool

    def matches(self, found: Found, row: Row) -> bool:
        other = found[self.of]
        if other is None or (self.keyed and (other.k is None or other.k != row.k)):
            return False
        return self.least * 1000 <= row.time - other.time <= self.most * 1000

    def sql(self, name: str, place: int) -> str:
        of, new = "abc"[self.of], "abc"[place]
        on = [f"{new}.k = {of}.k"] if self.keyed else []
        least, most = (f"{of}.rowtime + {cases.interval(bound)}" for bound in (self.least, self.most))
        on.append(f"{new}.rowtime BETWEEN {least} AND {most}")
        return f"{self.kind} JOIN {name} AS {new} ON {' AND '.join(on)}"


def steps_of(chance: random.Random) -> list[Step]:
    found = []
    for place in (1, 2):
        least, most = sorted(chance.choice(OFFSETS) for _ in range(2))
        kind = chance.choice(["INNER", "LEFT", "RIGHT", "FULL"])
        found.append(Step(kind, chance.randrange(place), least, most, chance.random() < 0.8))
    return found


def nested_loops(steps: Sequence[Step], inputs: Sequence[Sequence[Row]]) -> list[Found]:
    """Returns what the joins return, one after the other, as SQL defines it."""
    found: list[Found] = [(row,) for row in inputs[0]]
    for place, step in enumerate(steps, 1):
        pairs = [(have, row) for have in found for row in inputs[place] if step.matches(have, row)]
        matched, used = {id(have) for have, _ in pairs}, {id(row) for _, row in pairs}
        joined: list[Found] = [(*have, row) for have, row in pairs]
        if step.kind in ("LEFT", "FULL"):
            joined += [(*have, None) for have in found if id(have) not in matched]
        if step.kind in ("RIGHT", "FULL"):
            joined += [(*(None,) * place, row) for row in inputs[place] if id(row) not in used]
        found = joined
    return found


@pytest.mark.usefixtures("interpreted")
def test_equals_nested_loops(number: int, session: Session) -> None:
    chance = random.Random(f"three streams {number}")
    steps = steps_of(chance)
    names = [f"V{number}{x}" for x in "ABC"]
    late = {name: chance.random() < 0.25 for name in names}
    streams = {name: cases.data(chance, 25, late[name]) for name in names}
    sql = f"SELECT STREAM ROWTIME, a.n AS an, b.n AS bn, c.n AS cn FROM {names[0]} AS a " + " ".join(
        step.sql(name, place) for place, (name, step) in enumerate(zip(names[1:], steps, strict=True), 1)
    )
    script = "".join(cases.declared(name, late[name]) for name in names) + f"{sql};\n"
    recorder = LateRows()
    runner = ScriptRunner(session, recorder, Start())
    arrivals = Arrivals(late)
    try:
        runner.run(split(script))
        script += feed(runner, arrivals, cases.steps(chance, streams, bounded=chance.random() < 0.7))
        streamed = without_ends(recorder.take())
        joined = nested_loops(steps, [arrivals.entered[name] for name in names])
        wanted = Counter(shown(found) for found in joined if LAST not in shown(found))
        assert not recorder.errors, (recorder.errors, script)
        assert recorder.late == arrivals.late, script
        assert Counter(row[1:] for row in streamed) == wanted, script
        times = [millis(row[0]) for row in streamed]
        assert times == sorted(times), script
        # A row of three streams comes at the time of its last one.
        whole = {shown(found): max(row.time for row in found if row) for found in joined if None not in found}
        assert {row[1:]: millis(row[0]) for row in streamed if None not in row} == {
            row: time for row, time in whole.items() if LAST not in row
        }, script
        relation = sql.replace("SELECT STREAM ROWTIME, ", "SELECT ", 1)
        runner.run(split(f"{relation};\n"))
        assert not recorder.errors, (recorder.errors, script)
        assert Counter(row for row in recorder.take() if LAST not in row) == wanted, script
    finally:
        runner.close()


def without_ends(rows: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Leaves out rows that only end a stream."""
    return [row for row in rows if LAST not in row[1:]]


def shown(found: Found) -> tuple[int | None, ...]:
    return tuple(None if row is None else row.n for row in found)
