"""Checks while typing: faults at their positions, and none for text that is only unfinished."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.layout.processors import TransformationInput

from rowtime.catalog.memory import MemoryCatalog
from rowtime.catalog.store import Store
from rowtime.editing.checking import Checker, CheckResult, check, is_whole, region
from rowtime.editing.names import CatalogNames
from rowtime.errors import Diagnostic
from rowtime.explain.analysis import analyze
from rowtime.shell.commands import COMMANDS
from rowtime.shell.keys import enter
from rowtime.shell.marks import Marks
from rowtime.shell.toolbar import ToolbarState, toolbar

SCHEMA = "CREATE STREAM orders (productId INTEGER, units INTEGER); CREATE TABLE products (a INTEGER);"


@pytest.fixture
def catalog(planner: Any) -> MemoryCatalog:
    made = MemoryCatalog()
    analyze(SCHEMA, made, planner)
    return made


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("SELECT STREAM * FROM products;", [("RT0102", "products")]),
        ("SELECT STREAM prod FROM orders", [("RT0112", "prod")]),
        ("SELEC 1", [("RT0001", "SELEC")]),
        ("SELECT , FROM orders;", [("RT0001", ",")]),
        ("SELECT *\nFROM nowhere\n;", [("RT0111", "nowhere")]),
        ("SELECT STREAM DISTINCT units FROM orders;", [("RT0201", "SELECT STREAM DISTINCT units FROM orders")]),
        ("SELECT * FROM a; SELECT * FROM b;", [("RT0111", "a"), ("RT0111", "b")]),
        ("!explain SELECT *\nFROM nowhere;", [("RT0111", "nowhere")]),
        ("!bla x", [("RT0405", "!bla")]),
        ("!bla\n", [("RT0405", "!bla")]),
        ("!bound orders\n", [("RT0406", "!bound")]),
        ("SELECT \"a;", [("RT0402", '"')]),
        # What is only not written yet is no fault.
        ("SEL", []),
        ("SELECT", []),
        ("SELECT STREAM * FROM ", []),
        ("SELECT STREAM * FROM nowh", []),
        ("SELECT 'a", []),
        ("SELECT /* a", []),
        ("!bo", []),
        ("!bound orders", []),
        # … until it is ended.
        ("SELECT STREAM * FROM nowh ", [("RT0111", "nowh")]),
        ("SELECT STREAM * FROM;", [("RT0001", "FROM")]),
        # DDL counts for what follows it.
        ("CREATE STREAM x (y INTEGER); SELECT STREAM y FROM x;", []),
    ],
)  # fmt: skip
def test_faults(text: str, faults: list[tuple[str, str]], catalog: MemoryCatalog, planner: Any) -> None:
    found = check(text, catalog, planner, COMMANDS)
    assert [(d.code, text[slice(*region(d, text))]) for d in found.diagnostics] == faults


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("SELECT STREAM * FROM orders;", "SELECT STREAM: valid, 3 columns, keeps no state"),
        (
            "SELECT STREAM FLOOR(rowtime TO HOUR), COUNT(*) FROM orders GROUP BY FLOOR(rowtime TO HOUR);",
            "SELECT STREAM: valid, 2 columns, keeps state for PT1H",
        ),
        ("SELECT * FROM products;", "SELECT: valid, 1 column"),
        ("DROP TABLE products;", "DROP TABLE: valid"),
        ("SELECT * FROM products", ""),
    ],
)
def test_what_is_valid(text: str, summary: str, catalog: MemoryCatalog, planner: Any) -> None:
    assert check(text, catalog, planner, COMMANDS).summary == summary


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("SELECT 1", False), ("SELECT 1;", True), ("SELECT 1; -- done", True), ("SELECT 1 -- not;", False),
        ("SELECT 'a;", False), ("SELECT 'a;\n';", True), ("/* a", False), ("SELECT 1; SELECT", False), ("", True),
        ("!queries", True), ("!explain SELECT 1", False), ("!explain SELECT 1;", True), ("!explain", True),
        # It cannot be mended by going on.
        ('SELECT "a;', True),
    ],
)  # fmt: skip
def test_what_enter_runs(text: str, whole: bool) -> None:
    assert is_whole(text) is whole
    taken: list[str] = []
    buffer = Buffer(multiline=True, accept_handler=lambda made: bool(taken.append(made.text)))
    buffer.document = Document(text)
    enter(buffer)
    assert (taken == [text]) is whole
    assert whole or buffer.text == text + "\n"


def test_enter_keeps_the_indentation() -> None:
    buffer = Buffer(multiline=True)
    buffer.document = Document("SELECT a,\n    b")
    enter(buffer)
    assert buffer.text == "SELECT a,\n    b\n    "


def test_schemas_count_until_they_have_run(planner: Any, tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        names = CatalogNames(store, lambda: planner, [SCHEMA])
        assert [each.name for each in names.objects()][-2:] == ["ORDERS", "PRODUCTS"]
        assert [column.name for column in names.objects()[-2].columns] == ["ROWTIME", "PRODUCTID", "UNITS"]
        assert check("SELECT * FROM products;", names.catalog(), planner, COMMANDS).diagnostics == ()
        names.schema_applied()
        assert "ORDERS" not in [each.name for each in names.objects()]
        # Others write to the catalog as well.
        made = MemoryCatalog(store.state())
        analyze("CREATE STREAM late (n INTEGER)", made, planner)
        store.commit([{"action": "create", "object": made.entries()[-1].definition, "replace": False}])
        assert names.objects()[-1].name == "LATE"


def test_the_checker_judges_what_was_shown_last(planner: Any, tmp_path: Path) -> None:
    changed = threading.Event()
    with Store(tmp_path) as store:
        checker = Checker(CatalogNames(store, lambda: planner), lambda: planner, COMMANDS, changed.set)
        for end in range(1, len("SELECT * FROM nowhere;") + 1):
            checker.show("SELECT * FROM nowhere;"[:end])
        assert changed.wait(30)
        checker.close()
    assert (checker.latest.text, [d.code for d in checker.latest.diagnostics]) == ("SELECT * FROM nowhere;", ["RT0111"])


def test_marks_stand_under_what_is_wrong() -> None:
    text = "SELECT *\nFROM nowhere;"
    fault = Diagnostic(code="RT0111", message="no", line=2, column=6, end_line=2, end_column=12)
    marks = Marks(lambda: CheckResult(text, (fault,)))

    def marked(line: int, shown: str) -> str:
        given = TransformationInput(
            None, Document(shown), line, lambda x: x, [("class:x", shown.splitlines()[line])], 80, 10  # type: ignore[arg-type]
        )  # fmt: skip
        found = marks.apply_transformation(given).fragments
        return "".join(character for style, character, *_ in found if "mark.error" in style)

    assert (marked(0, text), marked(1, text)) == ("", "nowhere")
    # The result is not of what was typed since.
    assert marked(1, text + " ") == ""


def test_the_toolbar_fits_the_terminal() -> None:
    fault = Diagnostic(code="RT0111", message="Object 'NOWHERE' not found", line=2, column=6, hint="Perhaps NOW")
    state = ToolbarState("ready", ("[1] 3 rows/s",), "P1", "/tmp/warehouse")

    def lines(width: int, text: str = "x") -> list[str]:
        shown = "".join(part[1] for part in toolbar(CheckResult("x", (fault, fault)), text, state, width))
        return [line.rstrip() for line in shown.split("\n")]

    assert lines(120) == [
        " RT0111  2:6 Object 'NOWHERE' not found (and 1 more) · Perhaps NOW",
        " Spark ready  [1] 3 rows/s │ producer P1 │ /tmp/warehouse",
    ]
    assert [len(line) for line in lines(30)] == [30, 30]
    assert lines(120, "y")[0].strip() == ""
