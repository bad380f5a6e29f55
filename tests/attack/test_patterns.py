"""Patterns and texts from clients that a matcher which tries all ways would need years for: an answer, quickly."""

from __future__ import annotations

import random
import re
import time

import pytest

from rowtime.adapters.webhook import parse_body
from rowtime.editing.completion import SqlCompleter
from rowtime.jvm.messages import plain
from rowtime.lexical.wildcards import wildcards
from rowtime.limits import DEPTH
from rowtime.runtime.faults import query_fault
from rowtime.session import Session


def test_wildcards_agree_with_a_regular_expression() -> None:
    chance = random.Random(11)
    for _ in range(20_000):
        text = "".join(chance.choices("abA", k=chance.randrange(8)))
        pattern = "".join(chance.choices("abA%_", k=chance.randrange(8)))
        ignore = chance.random() < 0.5
        expression = pattern.replace("%", ".*").replace("_", ".")
        expected = re.fullmatch(expression, text, re.IGNORECASE if ignore else 0) is not None
        assert wildcards(pattern, ignore_case=ignore)(text) == expected, (pattern, text, ignore)


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [("a\\%", "a%", True), ("a\\%", "ab", False), ("a\\\\", "a\\", True), ("\\_", "x", False), ("a\\", "a\\", True)],
)
def test_wildcards_with_an_escape(pattern: str, text: str, expected: bool) -> None:
    assert wildcards(pattern, escape="\\")(text) is expected


def test_many_wildcards() -> None:
    begin = time.monotonic()
    assert not wildcards("%a" * 50 + "%b")("a" * 5_000)
    assert time.monotonic() - begin < 10


def test_show(rt: Session) -> None:
    name = "A" * 128
    rt.sql(f"CREATE TABLE {name} (n INTEGER)")
    begin = time.monotonic()
    assert rt.sql(f"SHOW TABLES LIKE '{'%a' * 40}%b'").tuples() == []  # type: ignore[union-attr]
    assert [row[0] for row in rt.sql(f"SHOW TABLES LIKE '{'%a' * 40}%'").tuples()] == [name]  # type: ignore[union-attr]
    assert time.monotonic() - begin < 10


@pytest.mark.parametrize("unit", ['"\\', '"', "[", '"[', '{"', '\\"[', '["\\"'])
def test_bodies_of_a_webhook(unit: str) -> None:
    begin = time.monotonic()
    with pytest.raises(ValueError, match=r"(?i)expecting|nested|unterminated|escape"):
        parse_body("{" * (DEPTH // 2) + "[" * (DEPTH // 2) + unit * 200_000)
    assert time.monotonic() - begin < 5


def test_messages_of_servers() -> None:
    begin = time.monotonic()
    for unit in ("a", "a.", "a.b.C: ", " ", "'", "at a.b("):
        plain(unit * 200_000)
        plain(f"java.lang.X: y\nCaused by: a.b.C: {unit * 200_000}")
    assert time.monotonic() - begin < 10


def test_messages_that_quote_long_values() -> None:
    begin = time.monotonic()
    for unit in (" ", "\t", "/", "a/", "/state/0/", "SQLSTATE: a ", "Please ", "a", "[A.", "'"):
        value = unit * (1_000_000 // len(unit))
        query_fault(
            RuntimeError(f"[CAST_INVALID_INPUT] The value '{value}x' is no number. SQLSTATE: 22018"), "The query"
        )
    assert time.monotonic() - begin < 20


def test_long_words_before_the_cursor() -> None:
    begin = time.monotonic()
    for unit in ("a", '"', "a ", "é"):
        assert len(SqlCompleter.prefix(f"SELECT {unit * (200_000 // len(unit))}")) <= 200_001
        SqlCompleter.prefix(f"SELECT {unit * 200_000}.")
    assert time.monotonic() - begin < 20
