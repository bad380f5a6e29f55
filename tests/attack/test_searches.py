"""Patterns in queries over texts for which a matcher that tries all ways would need years: an answer, quickly."""

from __future__ import annotations

import re
import time

import pytest

from rowtime.errors import RowtimeError
from rowtime.session import Session


@pytest.fixture
def texts(rt: Session) -> Session:
    rt.sql("CREATE TABLE t (id INTEGER, s VARCHAR, p VARCHAR)")
    rt.sql("INSERT INTO t VALUES (1, 'a' , '%a%'), (2, NULL, '%a%'), (3, 'b', NULL)")
    rt.sql("INSERT INTO t SELECT 4, REPEAT('a', 50000), REPEAT('%a', 30) || '%b' FROM t WHERE id = 1")
    return rt


def found(rt: Session, sql: str) -> list[object]:
    return [row[0] for row in rt.sql(sql).tuples()]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("s LIKE '%a%a%a%a%a%a%a%b'", []),
        ("s LIKE '%a%a%a%a%a%a%a%a'", [4]),
        ("s NOT LIKE '%A%a%a%a%a'", [1, 3, 4]),
        ("s LIKE p", [1]),
        ("s LIKE '%' || s || 'b' || '%'", []),
        ("s LIKE p ESCAPE '!'", [1]),
        ("s ILIKE '%A%a%A%a%A%a%b'", []),
        ("s ILIKE '%A%a%A%a%A%a%A'", [4]),
        ("s SIMILAR TO '((a+)+)+b'", []),
        ("s SIMILAR TO '((a+)+)+'", [1, 4]),
        ("s SIMILAR TO '%a%a%a%a%a%a%b'", []),
    ],
)
def test_patterns_in_a_query(texts: Session, condition: str, expected: list[int]) -> None:
    begin = time.monotonic()
    assert found(texts, f"SELECT id FROM t WHERE {condition} ORDER BY id") == expected
    assert time.monotonic() - begin < 30


@pytest.mark.parametrize(
    "expression",
    [
        "s RLIKE '(a+)+b\\1'",
        "REGEXP_SUBSTR(s, '(a+)+b\\1')",
        "PARSE_URL('http://h/?' || s, 'QUERY', '(a+)+b\\2')",
        "STR_TO_MAP(s, ',', '(a+)+b\\1')",
        "REGEXP_REPLACE(s, '(a+)+b\\1', 'x')",
        "REGEXP_COUNT(s, '(a+)+b\\1')",
        "REGEXP_LIKE(s, '(A+)+B\\1', 'i')",
        "JSON_VALUE('[{\"b\":\"' || SUBSTRING(s FROM 2) || '\"}]', 'lax $[?(@.b =~ /(a+)+b\\1/)].b')",
        "JSON_QUERY('[\"x\",\"' || SUBSTRING(s FROM 2) || '\"]', '$[?(@ =~ /(A+)+B\\1/i)]' || LEFT(s, 0))",
        "JSON_EXISTS('[{\"b\":\"' || SUBSTRING(s FROM 2) || '\"}]', 'lax $[?(@.b =~ /(a+)+b\\1/)]')",
        "JSON_REMOVE('[\"' || SUBSTRING(s FROM 2) || '\"]', '$[0]', '$[?(@ =~ /(a|a){40}b/)]')",
    ],
)
def test_a_search_that_would_not_end(texts: Session, expression: str) -> None:
    name = re.findall(r"RLIKE|[A-Z]+_[A-Z_]+", expression)[0].replace("SUBSTR", "EXTRACT")
    texts.sql("INSERT INTO t VALUES (5, 'xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', NULL)")
    begin = time.monotonic()
    with pytest.raises(RowtimeError, match=rf"RT0510: .*{name} cannot be computed: the pattern .* takes more than"):
        found(texts, f"SELECT {expression} FROM t WHERE id = 5")
    assert time.monotonic() - begin < 60
