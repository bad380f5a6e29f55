"""Functions whose arguments ask for a result that is too large: an error that names the function and the limit,
quickly, and never all memory."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from rowtime.errors import RowtimeError
from rowtime.limits import TEXT_LENGTH
from rowtime.runtime.relation import Relation
from rowtime.session import Session

MOST = 2_000_000_000
TEXTS = {
    "REPEAT(s, n)": "REPEAT asks for 6000000000 characters",
    "REPEAT('x', 2000000000)": "REPEAT asks for 2000000000 characters",
    "REPEAT(REPEAT(REPEAT(s, k), k), k)": "REPEAT asks for 24000000 characters",
    "SPACE(n)": "SPACE asks for 2000000000 characters",
    "SPACE(2000000000)": "SPACE asks for 2000000000 characters",
    "LPAD(s, n)": "LPAD asks for 2000000000 characters",
    "LPAD(s, n, 'ab')": "LPAD asks for 2000000000 characters",
    "RPAD('x', 2000000000, 'y')": "RPAD asks for 2000000000 characters",
    "REPLACE(REPEAT(s, k * 50), 'a', REPEAT('y', k * 50))": "REPLACE asks for 100000000 characters",
    "ARRAY_REPEAT(1, n)": "ARRAY_REPEAT asks for 2000000000 elements",
    "ARRAY_REPEAT(REPEAT(s, k), k * 200)": "ARRAY_REPEAT asks for 24000000 characters",
    "FORMAT_NUMBER(d, n)": "FORMAT_NUMBER asks for 2000000000 digits",
}


@pytest.fixture
def values(rt: Session) -> Session:
    rt.sql("CREATE TABLE v (s VARCHAR, n INTEGER, k INTEGER, d DECIMAL(10, 4), x DOUBLE)")
    rt.sql(f"INSERT INTO v VALUES ('abc', {MOST}, 200, 1.2345, 1.2345), (NULL, NULL, NULL, NULL, NULL)")
    return rt


def rows(rt: Session, sql: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in rt.sql(sql).rows()]  # type: ignore[union-attr]


@pytest.mark.parametrize("expression", TEXTS)
def test_what_is_too_large(values: Session, expression: str) -> None:
    begin = time.monotonic()
    with pytest.raises(RowtimeError) as caught:
        rows(values, f"SELECT {expression} FROM v")
    assert caught.value.code == "RT0510"
    assert f"{TEXTS[expression]}; the limit is " in str(caught.value)
    assert time.monotonic() - begin < 60


def test_a_stream(values: Session) -> None:
    values.sql("CREATE STREAM s (n INTEGER)")
    query = values.sql("SELECT STREAM REPEAT('x', n) AS r FROM s")
    values.sql(f"INSERT INTO s VALUES (TIMESTAMP '2024-05-01 10:00:00', {MOST})")
    with pytest.raises(RowtimeError, match=r"RT0510: .*REPEAT asks for 2000000000 characters; the limit is"):
        query.process_all_available()  # type: ignore[union-attr]


def test_what_is_as_large_as_the_limit(values: Session) -> None:
    (row,) = rows(
        values,
        f"SELECT CHAR_LENGTH(REPEAT('x', {TEXT_LENGTH - 200} + k)), CHAR_LENGTH(LPAD(s, {TEXT_LENGTH - 200} + k)), "
        f"CHAR_LENGTH(SPACE({TEXT_LENGTH - 200} + k)), "
        "CHAR_LENGTH(REPLACE(REPEAT(s, k * 100), 'a', REPEAT('y', 800))), CARDINALITY(ARRAY_REPEAT(s, k)), "
        "FORMAT_NUMBER(d, k / 100) FROM v WHERE k IS NOT NULL",
    )
    assert row == (TEXT_LENGTH, TEXT_LENGTH, TEXT_LENGTH, 20_000 * 802, 200, "1.23")


def test_nested_calls(values: Session) -> None:
    """Each call is limited by the size of its contents, which are computed once."""
    nested = "s"
    for _ in range(16):
        nested = f"REPEAT(REPLACE({nested}, 'b', 'bb'), k / 200)"
    assert rows(values, f"SELECT CHAR_LENGTH({nested}) FROM v WHERE s = 'abc'") == [(2**16 + 2,)]


def test_null_stays_null(values: Session) -> None:
    expressions = "REPEAT(s, n), SPACE(n), LPAD(s, n), REPLACE(s, 'a', s), ROUND(d, n), TRUNCATE(x, n)"
    assert rows(values, f"SELECT {expressions} FROM v WHERE s IS NULL") == [(None,) * 6]


@pytest.mark.parametrize("number", ["d", "x", "k"])
def test_places_of_a_row(values: Session, number: str) -> None:
    """Beyond the digits of a number, places change nothing, or leave zero."""
    begin = time.monotonic()
    same, zero, cut, nothing = (
        f"{call}({number}, {places})" for call in ("ROUND", "TRUNCATE") for places in ("n", "-n")
    )
    sql = f"SELECT {number}, {same}, {cut}, {zero}, {nothing} FROM v WHERE s = 'abc'"
    ((value, *others),) = rows(values, sql)
    assert others == [value, value, 0, 0]
    assert time.monotonic() - begin < 30


def test_a_result_that_is_too_large_for_its_disk(rt: Session, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Only its statement fails, and no file of it stays."""
    results = tmp_path / "results"
    results.mkdir()
    monkeypatch.setattr("rowtime.runtime.target.spool.private_folder", lambda: results)
    monkeypatch.setenv("ROWTIME_RESULT_MB", "20")
    large = "SELECT n, REPEAT('x', 10000) AS s FROM UNNEST(ARRAY_REPEAT(1, 10000)) WITH ORDINALITY AS u(x, n)"
    for read in (Relation.rows, Relation.to_arrow, lambda made: list(made.spool(0))):
        made = rt.sql(large)
        assert isinstance(made, Relation)
        with pytest.raises(RowtimeError, match="RT0639: The query failed: The result has more than 20 MB"):
            read(made)
        assert not list(results.iterdir())
    assert rows(rt, "SELECT COUNT(*), SUM(n) FROM UNNEST(ARRAY_REPEAT(1, 10000)) WITH ORDINALITY AS u(x, n)") == [
        (10_000, 50_005_000)
    ]
    assert not list(results.iterdir())
