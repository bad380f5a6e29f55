"""What script mode says about inserts, rejected rows and producers, and what it leaves behind."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from rowtime.display.printers import Columns, CsvPrinter, JsonPrinter, TextPrinter
from rowtime.opening import connect
from rowtime.plan.parts import Field
from rowtime.script.runner import ScriptRunner
from rowtime.splitter import split
from rowtime.streams.start import Start

COLUMNS = Columns([Field(name="N", type="INTEGER", nullable=True, monotonicity="NOT_MONOTONIC")])


def text() -> TextPrinter:
    return TextPrinter("", "test.sql")


def test_text_tells_how_many_rows_were_inserted(capsys: pytest.CaptureFixture[str]) -> None:
    printer = text()
    printer.changed("1 row inserted")
    printer.rows(1, 1, COLUMNS, [(7,)])
    printer.changed("1,200 rows inserted, 1 rejected")
    printer.rejected("S", 2, COLUMNS, (8,), "late")
    printer.rejected("T", 2, COLUMNS, (9,), "late", "P")
    # The table goes on: its head stands there once.
    printer.rows(1, 2, COLUMNS, [(10,)])
    said = capsys.readouterr()
    assert said.out.splitlines() == [
        "1 row inserted", "-- query 1", " N", "---", " 7", "1,200 rows inserted, 1 rejected", " 10"
    ]  # fmt: skip
    assert said.err.splitlines() == ["rejected from S: late: N 8", "rejected from T (pump P): late: N 9"]


def test_json_and_csv_keep_to_rows(capsys: pytest.CaptureFixture[str]) -> None:
    for printer in (JsonPrinter(), CsvPrinter(text())):
        printer.changed("3 rows inserted, 1 rejected")
    JsonPrinter().rejected("T", 2, COLUMNS, (9,), "late", "P")
    JsonPrinter().rejected("S", 2, COLUMNS, (9,), "late")
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    late = {"step": 2, "row": {"N": 9}, "reason": "late"}
    assert lines == [{"rejected": {"stream": "T", **late, "pump": "P"}}, {"rejected": {"stream": "S", **late}}]


def test_csv_tells_null_from_empty_text(capsys: pytest.CaptureFixture[str]) -> None:
    fields = [Field(name=n, type="VARCHAR", nullable=True, monotonicity="NOT_MONOTONIC") for n in ("A", 'B "x", y')]
    CsvPrinter(text()).rows(1, 1, Columns(fields), [("", None), (None, ""), ("a,b", 'c"d'), ("e\nf", "g\rh")])
    said = capsys.readouterr().out
    assert said == 'A,"B ""x"", y"\n"",\n,""\n"a,b","c""d"\n"e\nf","g\rh"\n'


SCRIPT = """\
CREATE STREAM s (n INTEGER);
!producer P1
INSERT INTO s VALUES (TIMESTAMP '2006-09-11 10:00:00', 1);
!producer P2
INSERT INTO s VALUES (TIMESTAMP '2006-09-11 10:05:00', 2);
!producer
INSERT INTO s VALUES (TIMESTAMP '2006-09-11 10:06:00', 3);
!detach P3
"""


def test_producers_of_a_script_leave_with_it(spark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with connect(spark, tmp_path / "warehouse") as session:
        runner = ScriptRunner(session, JsonPrinter(), Start())
        assert runner.run(split(SCRIPT))
        state = session.log("S").state()
        # P1 holds back the rows of P2 and of the one outside any producer, which is not attached any more.
        assert (state.entered, state.held, sorted(state.producers)) == (1, 2, ["P1", "P2"])
        assert all(each.timeout is None for each in state.producers.values())
        runner.close()
        state = session.log("S").state()
        assert (state.entered, state.held, state.producers) == (3, 0, {})
    (warning,) = [json.loads(line)["warning"] for line in capsys.readouterr().out.splitlines()]
    assert (warning["code"], warning["line"], warning["column"]) == ("RT0407", 8, 1)
    assert warning["message"] == "Producer 'P3' is not attached to any stream"


def test_follow_lasts_as_long_as_a_pump_runs(spark: Any, tmp_path: Path) -> None:
    script = """\
CREATE STREAM a (n INTEGER);
CREATE STREAM b (n INTEGER);
CREATE PUMP p STARTED AS INSERT INTO b SELECT STREAM * FROM a;
"""
    with connect(spark, tmp_path / "warehouse") as session:
        runner = ScriptRunner(session, JsonPrinter(), Start())
        assert runner.run(split(script))
        followed: list[bool] = []
        following = threading.Thread(target=lambda: followed.append(runner.follow(threading.Event())))
        following.start()
        following.join(2)
        assert following.is_alive()
        session.sql("ALTER PUMP p STOP")
        following.join(30)
        assert followed == [True]
        runner.close()


def test_follow_ends_when_it_is_told_to(spark: Any, tmp_path: Path) -> None:
    with connect(spark, tmp_path / "warehouse") as session:
        runner = ScriptRunner(session, JsonPrinter(), Start())
        assert runner.run(split("CREATE STREAM s (n INTEGER);\nSELECT STREAM n FROM s;\n"))
        ended = threading.Event()
        threading.Timer(0.5, ended.set).start()
        assert runner.follow(ended)
        assert all(query.is_active for query in runner.queries)
        runner.close()
