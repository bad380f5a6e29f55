"""One pump takes over from another: every row is there once, wherever the sequence of steps fails or is killed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from queries import eventually

from rowtime.errors import RowtimeError, error
from rowtime.opening import connect
from rowtime.runtime.pump import takeover as pump_takeover
from rowtime.runtime.pump.pumps import Pumps
from rowtime.runtime.pump.registry import PumpRegistry
from rowtime.runtime.pump_diff import difference
from rowtime.session import Session

from .conftest import at, rows, settle, status

STEPS = ((pump_takeover, "attach"), (pump_takeover, "switch"), (PumpRegistry, "unregister"))


def failing(step: Callable[..., None], *, first: bool) -> Callable[..., None]:
    """Returns a step that fails, before it does what it shall, or after that."""

    def fail(*args: Any) -> None:
        if not first:
            step(*args)
        raise OSError("killed")

    return fail


def test_a_takeover_goes_on_after_any_of_its_steps(streams: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    rt = streams
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO b SELECT STREAM rowtime, n FROM a")
    source, expected = rt.producer("A"), []
    for number, (owner, name) in enumerate([step for step in STEPS for _ in range(2)], 1):
        rt.sql(f"CREATE PUMP q STARTED AS INSERT INTO c SELECT STREAM rowtime, n * 10 + {number} AS n FROM a")
        # Both read it; the first writes it to B.
        source.insert([(at(number), number)])
        expected.append(number if number == 1 else number * 10 + number - 1)
        with monkeypatch.context() as patched:
            patched.setattr(owner, name, failing(getattr(owner, name), first=number % 2 == 1))
            # The thread that carries on takeovers could do the step before the statement does.
            patched.setattr(Pumps, "_carry_on", lambda pumps: None)
            with pytest.raises(OSError, match="killed"):
                rt.sql("ALTER PUMP p REPLACE WITH q")
            if number == 2:
                # It was attached to B, and is no longer, once the takeover is given up.
                rt.sql("ALTER PUMP p RESUME")
                eventually(lambda: len(rt.runtime.pumps.running()) == 2)
                assert len([name for name in rt.log("B").state().producers if name.startswith("pump:")]) == 1
        if number == 2:
            rt.sql("ALTER PUMP p REPLACE WITH q")
        eventually(lambda: [pump.name for pump in rt.pumps] == ["P"] and bool(rt.runtime.pumps.running()))
        settle(rt)
        assert rows(rt, "SELECT n FROM b") == [(n,) for n in expected], f"{name} {number}"
    source.insert([(at(20), 20)])
    settle(rt)
    assert rows(rt, "SELECT n FROM b") == [(n,) for n in [*expected, 206]]
    found = status(rt, "P")
    # What it has read it has written, here or to its own target.
    assert (found.rows_in, found.late_rows) == (found.rows_out, 0)
    # Of the first pump, and of all shadows, nothing is left.
    pumps = [[name for name in rt.log(each).state().producers if name.startswith("pump:")] for each in "BC"]
    assert pumps == [[f"pump:{entry.id}" for entry in rt.store.entries() if entry.is_pump], []]


def test_a_target_whose_bound_is_ahead(streams: Session) -> None:
    """Its last row is later than the bound of the pumps, whose rows may be out of order."""
    rt = streams
    rt.sql(
        "CREATE STREAM s (rowtime TIMESTAMP(3) NOT NULL LATENESS INTERVAL '1' HOUR, n INTEGER) OPTIONS (history 'all')"
    )
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO b SELECT STREAM rowtime, n FROM s")
    rt.sql("CREATE PUMP q STARTED AS INSERT INTO c SELECT STREAM rowtime, n * 10 AS n FROM s")
    source = rt.producer("S")
    source.insert([(at(1), 1), (at(3), 2)])
    settle(rt)
    rt.sql("ALTER PUMP p REPLACE WITH q")
    source.insert([(at(4), 3)])
    eventually(lambda: bool(rt.runtime.pumps.running()))
    settle(rt)
    assert rows(rt, "SELECT n FROM b") == [(1,), (2,), (30,)]


def test_both_pumps_go_on_if_a_step_is_refused(streams: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    rt = streams
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO b SELECT STREAM rowtime, n FROM a")
    rt.sql("CREATE PUMP q STARTED AS INSERT INTO c SELECT STREAM rowtime, n * 10 AS n FROM a")
    source = rt.producer("A")
    source.insert([(at(1), 1)])
    settle(rt)

    def refused(*_: Any) -> None:
        raise error("RT0605", "The log of stream 'B' is damaged")

    monkeypatch.setattr(pump_takeover, "attach", refused)
    with pytest.raises(RowtimeError, match="RT0562: The log of stream 'B' is damaged"):
        rt.sql("ALTER PUMP p REPLACE WITH q")
    source.insert([(at(2), 2)])
    eventually(lambda: len(rt.runtime.pumps.running()) == 2)
    settle(rt)
    assert rows(rt, "SELECT n FROM b") == [(1,), (2,)]
    assert rows(rt, "SELECT n FROM c") == [(10,), (20,)]


def test_another_process_carries_a_takeover_on(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with connect(spark, tmp_path / "w") as rt:
        for name in ("a", "b", "c"):
            rt.sql(f"CREATE STREAM {name} (n INTEGER) OPTIONS (history 'all')")
        rt.sql("CREATE PUMP p STARTED AS INSERT INTO b SELECT STREAM rowtime, n FROM a")
        rt.sql("CREATE PUMP q STARTED AS INSERT INTO c SELECT STREAM rowtime, n * 10 AS n FROM a")
        rt.producer("A").insert([(at(1), 1), (at(2), 2)])
        settle(rt)
        found = difference(rt.runtime, ("P", "Q"))
        assert not found.is_equal
        assert [(side.rows, side.only) for side in found.sides] == [(1, 1), (1, 1)]
        assert found.lines()[0] == "rows before 2006-09-11 02:00:00.000: 1 row of 'B' and 1 row of 'C', not equal"
        assert json.loads(json.dumps(found.to_dict()))["sides"][1]["shown"][0]["N"] == 10
        assert difference(rt.runtime, ("P", "P")).is_equal
        with pytest.raises(RowtimeError, match="RT0313"):
            difference(rt.runtime, ("P", "A"))
        # The process dies as soon as the catalog has the statement.
        monkeypatch.setattr(pump_takeover, "finish", lambda *_: None)
        monkeypatch.setattr(pump_takeover, "advance", lambda *_: None)
        rt.sql("ALTER PUMP p REPLACE WITH q")
        rt.runtime.pumps.kill()
    monkeypatch.undo()
    with connect(spark, tmp_path / "w") as rt:
        rt.producer("A").insert([(at(3), 3)])
        eventually(lambda: [pump.name for pump in rt.pumps] == ["P"] and bool(rt.runtime.pumps.running()))
        settle(rt)
        assert rows(rt, "SELECT n FROM b") == [(1,), (2,), (30,)]
        # A takeover that is waiting can be given up: both go on.
        rt.sql("CREATE PUMP q STARTED AS INSERT INTO c SELECT STREAM rowtime, n AS n FROM a")
        monkeypatch.setattr(pump_takeover, "finish", lambda *_: None)
        monkeypatch.setattr(pump_takeover, "advance", lambda *_: None)
        rt.sql("ALTER PUMP p REPLACE WITH q")
        rt.sql("ALTER PUMP p RESUME")
        monkeypatch.undo()
        rt.producer("A").insert([(at(4), 4)])
        eventually(lambda: len(rt.runtime.pumps.running()) == 2)
        settle(rt)
        assert rows(rt, "SELECT n FROM b") == [(1,), (2,), (30,), (40,)]
        assert rows(rt, "SELECT n FROM c")[-1:] == [(4,)]
