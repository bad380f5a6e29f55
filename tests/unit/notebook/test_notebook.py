"""rowtime in IPython: what results show of themselves, and the magics."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from rowtime.display.tables import plain, table
from rowtime.errors import RowtimeError
from rowtime.plan.parts import Field
from rowtime.runtime.query.query import Query
from rowtime.runtime.relation import Relation
from rowtime.runtime.sinks import MemorySink
from rowtime.session import Session


def field(name: str, type: str) -> Field:
    return Field(name=name, type=type, nullable=True, monotonicity="NOT_MONOTONIC")


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rt: Session) -> Iterator[InteractiveShell]:
    """A shell whose variable `rt` is the test's session, with the extension loaded."""
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    config = Config()
    config.HistoryManager.enabled = False
    made = InteractiveShell(config=config)
    made.user_ns["rt"] = rt
    made.run_line_magic("load_ext", "rowtime")
    yield made
    made.restore_sys_module_state()


def run(shell: InteractiveShell, cell: str) -> Any:
    done = shell.run_cell(cell)
    assert done.error_before_exec is None
    assert done.error_in_exec is None
    return done.result


def test_tables_are_escaped_and_aligned() -> None:
    fields = [field("<b>", "VARCHAR(10)"), field("N", "INTEGER"), field("T", "TIMESTAMP(3)")]
    rows = [("<script>", 1, None), ("a & b", None, None)]
    shown = table(fields, rows, "<rest>")
    assert "<b>" not in shown
    assert "<script>" not in shown
    assert '<td style="text-align: left">&lt;script&gt;</td><td style="text-align: right">1</td>' in shown
    assert shown.count("<tr>") == 3
    assert "<p>&lt;rest&gt;</p>" in shown
    assert plain(fields[:2], [row[:2] for row in rows], "rest").split("\n") == [
        " <b>      | N",
        "----------+---",
        " <script> | 1",
        " a & b    |",
        "rest",
    ]


def test_a_look_at_a_sink_takes_nothing() -> None:
    sink = MemorySink()
    assert sink.latest(2) == ([], 0)
    sink.write([(1,), (2,), (3,)])
    assert sink.latest(2) == ([(2,), (3,)], 3)
    assert sink.take() == [(1,), (2,), (3,)]


def test_cells_of_sql(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    created = (
        "%%rowtime\nCREATE STREAM s (n INTEGER) OPTIONS (history 'all');\nSELECT STREAM rowtime, n * 2 AS twice FROM s;"
    )
    query = run(shell, created)
    assert isinstance(query, Query)
    assert "0 rows that rows() has not returned" in query._repr_html_()
    values = ", ".join(f"(TIMESTAMP '2024-05-01 10:00:00', {n})" for n in range(60))
    assert run(shell, f"%%rowtime\nINSERT INTO s VALUES {values};") is None
    assert "60 rows inserted" in capsys.readouterr().out
    late = "%%rowtime\nINSERT INTO s VALUES (TIMESTAMP '2024-05-01 09:00:00', 1)"
    assert run(shell, late) is None
    assert "0 rows inserted, 1 rejected" in capsys.readouterr().out
    query.process_all_available()
    assert "60 rows that rows() has not returned, the latest 50 of them shown" in query._repr_html_()
    assert len(query.rows()) == 60
    relation = run(shell, "%rowtime -o kept SELECT n, 'it''s' AS t FROM s WHERE n >= 10")
    assert isinstance(relation, Relation)
    assert shell.user_ns["kept"] is relation
    assert relation._repr_html_().count("<tr>") == 51
    assert "the first 50 rows" not in relation._repr_html_()
    assert "the first 50 rows" in run(shell, "%rowtime SELECT n FROM s")._repr_html_()
    assert "10 | it's" in shell.display_formatter.format(relation)[0]["text/plain"]
    query.stop()
    assert "streaming query, stopped" in query._repr_html_()


def test_diagnostics_are_text_and_no_traceback(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    for cell, expected in [
        ("%%rowtime\nSELECT 1;\nSELECT x\nFROM nowhere",
         "3:6: error RT0111: Object 'NOWHERE' not found\n  FROM nowhere\n       ^^^^^^^"),
        ("%%rowtime\nSELECT 'a", "1:8: error RT0401: String is not closed"),
        ("%%rowtime\n!bound s '2024-05-01 10:00:00'", "1:1: error RT0405: !bound is a command of scripts"),
        ("%%rowtime SELECT 1\nSELECT 2", "error RT0621"),
        ("%rowtime SELECT * FROM nowhere", "1:15: error RT0111"),
    ]:  # fmt: skip
        assert run(shell, cell) is None
        out, errors = capsys.readouterr()
        assert expected in errors
        assert "Traceback" not in out + errors


def test_an_error_of_python_code_has_the_place_and_no_frames_of_ours(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    done = shell.run_cell("def mine():\n    return rt.sql('SELECT units FROM nowhere')\n\nmine()")
    assert isinstance(done.error_in_exec, RowtimeError)
    shown = "".join(capsys.readouterr())
    assert "return rt.sql('SELECT units FROM nowhere')" in shown and "mine()" in shown
    assert shown.rstrip().splitlines()[-4:] == [
        "RowtimeError: 1:19: error RT0111: Object 'NOWHERE' not found",
        "  SELECT units FROM nowhere",
        "                    ^^^^^^^",
        "  hint: Check the name, or create it first; SHOW STREAMS and SHOW TABLES list the existing ones",
    ]
    assert "session.py" not in shown and "planner.py" not in shown and "IPython" not in shown


def test_a_plan_shows_itself(rt: Session) -> None:
    rt.sql("CREATE STREAM s (n INTEGER)")
    plan = rt.plan("SELECT STREAM rowtime, '<i>' AS i FROM s WHERE n > 1")
    shown = plan._repr_html_()
    assert "<i>" not in shown
    assert 'data-node="1.2"' in shown
    assert plan.explain("html").count("<article") == 3
    assert plan.explain("mermaid").count("-->") == 3, "two between operators, one to what comes out"
    assert '"kind": "SELECT"' in plan.explain("json")
    with pytest.raises(Exception, match="RT0418"):
        plan.explain("pdf")  # type: ignore[arg-type]
