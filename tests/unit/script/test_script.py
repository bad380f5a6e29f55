"""The splitter: statements, client commands, positions, and what it says about text that has no end."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripts import statements

from rowtime.splitter import Command, Statement, split


def steps(text: str) -> list[tuple[str, int, int]]:
    return [(step.text, step.line, step.column) for step in split(text).steps]


def codes(text: str) -> list[tuple[str, int | None, int | None]]:
    return [(d.code, d.line, d.column) for d in split(text).diagnostics]


def test_statements_have_the_position_of_their_first_word() -> None:
    text = "-- first\n  SELECT 1;SELECT\n  2 ; \n\n/* third */ VALUES (3)"
    assert steps(text) == [("SELECT 1", 2, 3), ("SELECT\n  2", 2, 12), ("VALUES (3)", 5, 13)]
    assert codes(text) == []


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT 'a;b'",
        "SELECT 'it''s; -- no comment'",
        "SELECT 'two\nlines; here'",
        'SELECT "a;b""c;" FROM t',
        "SELECT 1 -- not; the end\n + 2",
        "SELECT 1 // not; the end\n + 2",
        "SELECT /* not; 'the end */ 1",
        "SELECT /*+ FROM_EARLIEST */ STREAM * FROM s",
        "SELECT 4 / 2 - 1",
        "SELECT a\n!= b",
    ],
)
def test_a_semicolon_inside_something_ends_nothing(statement: str) -> None:
    assert steps(f"{statement};\nSELECT 2;") == [
        (statement, 1, 1),
        ("SELECT 2", 2 + statement.count("\n"), 1),
    ]
    assert codes(f"{statement};\nSELECT 2;") == []


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_every_line_end_counts_once(newline: str) -> None:
    assert steps(newline.join(["SELECT 1;", "", "SELECT 2;"])) == [("SELECT 1", 1, 1), ("SELECT 2", 3, 1)]


def test_other_separators_are_no_line_ends() -> None:
    assert steps("SELECT 1;\x0b\u2028SELECT 2") == [("SELECT 1", 1, 1), ("SELECT 2", 1, 12)]


def test_commands_stand_between_statements() -> None:
    text = "INSERT INTO s VALUES (1);\n  !bound \"My s\" '2006-09-11 12:05:00' STRICT ; -- now\n!restart\nSELECT 1"
    first, bound, restart, last = list(split(text).steps)
    assert isinstance(first, Statement)
    assert isinstance(bound, Command)
    assert (bound.name, bound.line, bound.column) == ("bound", 2, 3)
    assert [(w.text, w.quote, w.column) for w in bound.words] == [
        ("My s", '"', 10),
        ("2006-09-11 12:05:00", "'", 17),
        ("STRICT", "", 39),
    ]
    assert isinstance(restart, Command)
    assert (restart.name, restart.words) == ("restart", ())
    assert isinstance(last, Statement)
    assert codes(text) == []


def test_a_command_name_ignores_case() -> None:
    (command,) = split("!Bound s").steps
    assert isinstance(command, Command)
    assert command.name == "bound"


def test_a_command_after_an_open_statement_is_reported_and_still_seen() -> None:
    text = "SELECT STREAM * FROM s\n!restart\n"
    assert steps(text) == [("SELECT STREAM * FROM s", 1, 1), ("!restart", 2, 1)]
    assert codes(text) == [("RT0404", 2, 1)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT 1;\nSELECT 'abc;\nSELECT 2;", ("RT0401", 2, 8)),
        ('SELECT 1;\nSELECT "abc;\nSELECT 2;', ("RT0402", 2, 8)),
        ("SELECT 1;\nSELECT /* abc;\nSELECT 2;", ("RT0403", 2, 8)),
    ],
)
def test_what_has_no_end_is_reported_at_its_beginning_and_the_next_statement_is_found(
    text: str, expected: tuple[str, int, int]
) -> None:
    assert codes(text) == [expected]
    assert steps(text) == [("SELECT 1", 1, 1), ("SELECT 2", 3, 1)]


def test_nothing_but_space() -> None:
    for text in ("", " \n;;\n-- nothing\n", "\ufeff", "/* x */"):
        assert steps(text) == []
        assert codes(text) == []


QUOTES_AND_COMMENTS = ["'", '"', "--", "//", "/*", "/*+", "*/", ";", "!", "!bound x"]
SPACE = ["\n", "\r\n", "\r", " ", "\t"]
WORDS = [*QUOTES_AND_COMMENTS, *SPACE, "SELECT ", "a", "é", "😀"]
SCRIPT = st.lists(st.sampled_from(WORDS) | st.text(max_size=3), max_size=40).map("".join)


@given(SCRIPT)
def test_the_pieces_are_the_text(text: str) -> None:
    script = split(text)
    assert "".join(piece.text for piece in script.pieces) == text
    list(script.steps)


@given(SCRIPT)
def test_a_position_leads_to_its_piece(text: str) -> None:
    lines = re.split(r"\r\n|\r|\n", text)
    for piece in split(text).pieces:
        rest = lines[piece.line - 1][piece.column - 1 :]
        assert rest.startswith(re.split(r"[\r\n]", piece.text)[0])
        assert bool(rest) != (piece.text[0] in "\r\n")


@given(SCRIPT)
def test_a_statement_alone_is_one_statement(text: str) -> None:
    for statement in statements(text):
        if not statement.startswith("!"):
            assert statements(statement) == [statement]
