"""Diagnostics as text and as JSON."""

from __future__ import annotations

import pickle

import msgspec
import pytest

from rowtime.errors import Diagnostic, RowtimeError, headline, render, render_all

STREAM = Diagnostic(
    code="RT0102",
    message="Cannot convert table 'PRODUCTS' to a stream",
    line=3,
    column=8,
    end_line=3,
    end_column=15,
    hint="Leave out STREAM",
)


def underlined(source: str, column: int, end_column: int) -> tuple[str, str]:
    """Returns the source line as it is shown, and the carets under it."""
    diagnostic = Diagnostic(code="RT0001", message="m", line=1, column=column, end_line=1, end_column=end_column)
    _, shown, carets = render(diagnostic, source).split("\n")
    return shown, carets


def test_the_headline_names_file_place_and_code() -> None:
    assert headline(STREAM, "orders.sql") == "orders.sql:3:8: error RT0102: Cannot convert table 'PRODUCTS' to a stream"
    assert headline(Diagnostic(code="RT0601", message="no room", severity="warning")) == "warning RT0601: no room"


def test_text_shows_line_carets_and_hint() -> None:
    source = "-- one\n-- two\nSELECT STREAM * FROM products"
    assert render(STREAM, source, "orders.sql").split("\n") == [
        "orders.sql:3:8: error RT0102: Cannot convert table 'PRODUCTS' to a stream",
        "  SELECT STREAM * FROM products",
        "         ^^^^^^^^",
        "  hint: Leave out STREAM",
    ]


@pytest.mark.parametrize(
    ("source", "column", "end_column", "shown", "carets"),
    [
        ("SELECT a", 8, 8, "  SELECT a", "         ^"),
        ("\tSELECT\ta", 9, 9, "      SELECT  a", "              ^"),
        ("'日本' a", 6, 6, "  '日本' a", "         ^"),
        ("'日本' a", 2, 3, "  '日本' a", "   ^^^^"),
        ("'😀' a", 5, 5, "  '😀' a", "       ^"),
        ("'e\u0301' a", 6, 6, "  'e\u0301' a", "      ^"),
        ("a\x07b c", 5, 5, "  a\ufffdb c", "      ^"),
        ("SELECT", 7, 7, "  SELECT", "        ^"),
        ("SELECT", 3, 99, "  SELECT", "    ^^^^"),
    ],
)
def test_carets_stand_under_what_they_mean(source: str, column: int, end_column: int, shown: str, carets: str) -> None:
    assert underlined(source, column, end_column) == (shown, carets)


def test_a_range_over_several_lines_is_underlined_to_the_end_of_the_first() -> None:
    diagnostic = Diagnostic(code="RT0001", message="m", line=1, column=3, end_line=2, end_column=2)
    assert render(diagnostic, "ab cd  \nef").split("\n")[1:] == ["  ab cd  ", "    ^^^"]


def test_lines_are_counted_as_the_parser_counts_them() -> None:
    diagnostic = Diagnostic(code="RT0001", message="m", line=3, column=1)
    assert render(diagnostic, "a\x0b\u2028a\r\nb\rcc\n").split("\n")[1] == "  cc"


def test_a_place_outside_the_text_shows_no_line() -> None:
    diagnostic = Diagnostic(code="RT0001", message="m", line=9, column=1)
    assert render(diagnostic, "a", "f") == "f:9:1: error RT0001: m"


def test_a_finding_of_another_file_shows_no_line_of_this_one() -> None:
    other = msgspec.structs.replace(STREAM, file="schema.sql", hint=None)
    assert render_all([other], "a\nb\nc", "orders.sql") == (
        "schema.sql:3:8: error RT0102: Cannot convert table 'PRODUCTS' to a stream"
    )


def test_colours_are_only_there_when_asked_for() -> None:
    assert "\x1b" not in render(STREAM, "a\nb\nc")
    assert "\x1b[31m" in render(STREAM, "a\nb\nc", color=True)


def test_the_json_form_is_that_of_the_contract() -> None:
    assert STREAM.to_dict() == {
        "severity": "error",
        "code": "RT0102",
        "message": "Cannot convert table 'PRODUCTS' to a stream",
        "line": 3,
        "column": 8,
        "endLine": 3,
        "endColumn": 15,
        "hint": "Leave out STREAM",
    }
    assert msgspec.convert(STREAM.to_dict(), Diagnostic) == STREAM


def test_an_error_carries_its_diagnostics() -> None:
    fault = RowtimeError([STREAM, Diagnostic(code="RT0001", message="m")])
    assert fault.code == "RT0102"
    assert str(fault).splitlines() == [
        "3:8: error RT0102: Cannot convert table 'PRODUCTS' to a stream",
        "  hint: Leave out STREAM",
        "error RT0001: m",
    ]
    assert pickle.loads(pickle.dumps(fault)).diagnostics == fault.diagnostics


def test_an_error_with_its_source_marks_the_place() -> None:
    fault = RowtimeError([STREAM], "-- one\n\nSELECT PRODUCTS\n")
    assert str(fault).splitlines() == [
        "3:8: error RT0102: Cannot convert table 'PRODUCTS' to a stream",
        "  SELECT PRODUCTS",
        "         ^^^^^^^^",
        "  hint: Leave out STREAM",
    ]
    assert str(pickle.loads(pickle.dumps(fault))) == str(fault)


def test_importing_rowtime_imports_nothing_heavy() -> None:
    import subprocess
    import sys

    program = (
        "import sys, rowtime, rowtime.errors, rowtime_cli.main, rowtime_cli.validate, rowtime_cli.explain\n"
        "heavy = ('pyspark', 'pyarrow', 'rich.console', 'sqlglot', 'deltalake', '_jpype')\n"
        "print([m for m in heavy if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
