"""Random ASOF joins of two relations, by numbers and by times, against DuckDB's."""

from __future__ import annotations

import random
from collections import Counter

import duckdb
import pytest
from recorded import Recorder

from rowtime.script.runner import ScriptRunner
from rowtime.session import Session
from rowtime.splitter import split
from rowtime.streams.start import Start

from .cases import START, text
from .lookup_cases import null

CASES = {"number": (3, 100)}


def place(ts: int | None, type_: str) -> str:
    """Returns a literal of that type."""
    return null(ts) if ts is None or type_ == "INTEGER" else f"TIMESTAMP '{text(START + ts)}'"


@pytest.mark.usefixtures("interpreted")
def test_equals_duckdb(number: int, session: Session) -> None:
    chance = random.Random(f"asof {number}")
    a, b = f"A{number}", f"B{number}"
    type_ = ("INTEGER", "TIMESTAMP")[number % 2]
    keys = [1, 1, 2, 3, None]
    left = [(n, chance.choice(keys), chance.choice([None, *range(30)])) for n in range(40)]
    # Of equal times either row may be taken, so there are none.
    places = chance.sample([(k, ts) for k in (1, 2, 4, None) for ts in range(30)], 40)
    right = [(n, k, ts) for n, (k, ts) in enumerate(places)]
    script = "".join(
        f"CREATE TABLE {name} (n INTEGER, k INTEGER, ts {type_});\n"
        f"INSERT INTO {name} VALUES {', '.join(f'({n}, {null(k)}, {place(ts, type_)})' for n, k, ts in rows)};\n"
        for name, rows in ((a, left), (b, right))
    )
    reference = duckdb.connect()
    reference.execute(script)
    recorder = Recorder()
    runner = ScriptRunner(session, recorder, Start())
    try:
        runner.run(split(script))
        for comparison in ("<", "<=", ">", ">="):
            kind = chance.choice(["", "LEFT "])
            selected = f"SELECT a.n AS an, b.n AS bn FROM {a} AS a"
            ours = f"{selected} {kind}ASOF JOIN {b} AS b MATCH_CONDITION a.ts {comparison} b.ts ON a.k = b.k"
            runner.run(split(f"{ours};\n"))
            theirs = f"{selected} ASOF {kind}JOIN {b} AS b ON a.k = b.k AND a.ts {comparison} b.ts"
            assert not recorder.errors, (recorder.errors, script, ours)
            assert Counter(recorder.take()) == Counter(reference.execute(theirs).fetchall()), (script, ours)
    finally:
        runner.close()
