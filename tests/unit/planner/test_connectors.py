"""What a connector cannot do is refused where it stands, by `validate` and `explain` as by `run`."""

from __future__ import annotations

import pytest

from .conftest import Planning

ROW = '"VALUE" BIGINT, ROWTIME TIMESTAMP'

NEEDED = {
    "files": ", path 'x'",
    "kafka": ", servers 'b:1', topic 't'",
    "socket": ", host 'h', port 1",
    "delta": ", path 'x'",
    "jdbc": ", url 'jdbc:sqlite:x', table 't'",
    "python": ", class 'm:C'",
    "java": ", class 'm.C'",
}
READ_AND_WRITTEN = {
    "files": {"STREAM", "TABLE", "INSERT"},
    "kafka": {"STREAM", "TABLE", "INSERT"},
    "socket": {"STREAM"},
    "rate": {"STREAM"},
    "delta": {"STREAM", "TABLE", "INSERT"},
    "jdbc": {"TABLE", "INSERT"},
    "python": {"STREAM", "TABLE", "INSERT"},
    "java": {"STREAM", "TABLE", "INSERT"},
    "dataframe": {"STREAM"},
}
"""As docs/foreign.md says."""


@pytest.mark.parametrize("name", READ_AND_WRITTEN)
def test_what_each_connector_can_do(planning: Planning, name: str) -> None:
    planning.plan(f"CREATE FOREIGN STREAM f ({ROW}) OPTIONS (connector '{name.upper()}'{NEEDED.get(name, '')})")
    planning.plan(f"CREATE FOREIGN TABLE t ({ROW}) OPTIONS (connector '{name}'{NEEDED.get(name, '')})")
    planning.plan("CREATE VIEW v AS SELECT STREAM * FROM Orders")
    tried = {
        "STREAM": ("SELECT STREAM * FROM f", "RT0548", "f"),
        "TABLE": ("SELECT * FROM t", "RT0529", "t"),
        "INSERT": ("INSERT INTO f VALUES (1, CURRENT_TIMESTAMP)", "RT0527", "f"),
    }
    for thing, (sql, code, at) in tried.items():
        if thing in READ_AND_WRITTEN[name]:
            planning.plan(sql)
        else:
            found = planning.error(sql)
            assert (found[0], found[2]) == (code, at)
            assert f"connector '{name}'" in found[1] or f"connector is '{name}'" in found[1]


@pytest.mark.parametrize(
    ("sql", "code", "at"),
    [
        ("CREATE FOREIGN STREAM f (n INTEGER) OPTIONS (connector 'kafak', topic 't')", "RT0522", "connector 'kafak'"),
        ("CREATE FOREIGN STREAM f (n BIGINT) OPTIONS (connector 'rate')", "RT0529", "n BIGINT"),
        ("CREATE FOREIGN STREAM f (\"VALUE\" INTEGER) OPTIONS (connector 'rate')", "RT0529", '"VALUE" INTEGER'),
        ("CREATE FOREIGN STREAM f (n INTEGER) OPTIONS (connector 'kafka', servers 'b:1', topic 't', format 'raw')", "RT0529", "n INTEGER"),
        ("CREATE FOREIGN STREAM f (a VARCHAR, b VARCHAR) OPTIONS (connector 'socket', host 'h', port 1, format 'RAW')", "RT0529", "b VARCHAR"),
        ("CREATE FOREIGN STREAM f OPTIONS (connector 'kafka', servers 'b:1', topic 't', format 'raw')", "RT0529", "f"),
        ("CREATE FOREIGN STREAM f (a VARCHAR, k VARCHAR) OPTIONS (connector 'kafka', servers 'b:1', topic 't', format 'raw', key 'k')", None, None),
        ("CREATE FOREIGN STREAM f (a VARCHAR, k VARCHAR) OPTIONS (connector 'kafka', servers 'b:1', topic 't', format 'raw', key_env 'K')", None, None),
        ("CREATE FOREIGN TABLE f (a INTEGER) OPTIONS (connector 'kafka', servers 'b:1', topic 't', format 'upsert-json')", "RT0529", "f"),
        ("CREATE FOREIGN TABLE f (a INTEGER PRIMARY KEY, p INTEGER) OPTIONS (connector 'kafka', servers 'b:1', topic 't', format 'upsert-json', partition 'p')", None, None),
        ("CREATE FOREIGN TABLE f (a INTEGER, p INTEGER PRIMARY KEY) OPTIONS (connector 'kafka', servers 'b:1', topic 't', format 'upsert-json', partition 'p')", "RT0529", "p INTEGER PRIMARY KEY"),
        ("CREATE FOREIGN TABLE f (a INTEGER PRIMARY KEY, b INTEGER) OPTIONS (connector 'kafka', servers 'b:1', topic 't', format 'upsert-json', key 'b')", "RT0523", "key 'b'"),
        ("CREATE FOREIGN STREAM f (op TINYINT, payload ROW(a INTEGER)) OPTIONS (connector 'kafka', servers 'b:1', topic 't', format 'upsert-json')", None, None),
        ("CREATE FOREIGN STREAM f (op TINYINT, payload ROW(a INTEGER)) OPTIONS (connector 'files', path 'f', format 'debezium-json')", None, None),
        ("CREATE FOREIGN STREAM f (op VARCHAR, payload ROW(a INTEGER)) OPTIONS (connector 'files', path 'f', format 'debezium-json')", "RT0529", "f"),
        ("INSERT INTO latest (n) VALUES (1)", "RT0529", "(n)"),
        ("INSERT INTO latest (k, n) VALUES ('a', 1)", None, None),
        ("SELECT STREAM * FROM latest", "RT0548", "latest"),
        ("SELECT STREAM o.units FROM Orders AS o JOIN latest AS t ON o.units = t.n", None, None),
        ("SELECT k, n FROM latest", None, None),
        ("CREATE FOREIGN STREAM f (a INTEGER) OPTIONS (connector 'python', class 'my:Adapter', format 'raw')", None, None),
        ("INSERT INTO topic VALUES (CURRENT_TIMESTAMP, 'a', 1)", "RT0529", "topic"),
        ("INSERT INTO topic (rowtime, line, place) VALUES (CURRENT_TIMESTAMP, 'a', 1)", "RT0529", "place"),
        ("INSERT INTO topic (rowtime) VALUES (CURRENT_TIMESTAMP)", "RT0529", "(rowtime)"),
        ("INSERT INTO topic (rowtime, line) VALUES (CURRENT_TIMESTAMP, 'a')", None, None),
        ("SELECT * FROM Orders JOIN wire ON TRUE", "RT0529", "wire"),
        ("SELECT STREAM o.units FROM Orders AS o JOIN base AS b ON o.units = b.n", None, None),
        ("SELECT STREAM * FROM base", "RT0548", "base"),
        ("CREATE PUMP p AS INSERT INTO wire SELECT STREAM rowtime, 'a' AS line FROM Orders", "RT0527", "wire"),
    ],
)  # fmt: skip
def test_columns_and_uses(planning: Planning, sql: str, code: str | None, at: str | None) -> None:
    """A database table with an order is still read as a relation in a join."""
    planning.plan(
        "CREATE FOREIGN STREAM topic (line VARCHAR, place BIGINT) "
        "OPTIONS (connector 'kafka', servers 'b:1', topic 't', format 'raw', offset 'place', timestamp 'rowtime')"
    )
    planning.plan(
        "CREATE FOREIGN STREAM wire (line VARCHAR) OPTIONS (connector 'socket', host 'h', port 1, format 'raw')"
    )
    planning.plan("CREATE FOREIGN TABLE base (n INTEGER MONOTONIC) OPTIONS (connector 'jdbc', url 'u', table 't')")
    planning.plan(
        "CREATE FOREIGN TABLE latest (k VARCHAR(5) PRIMARY KEY, n INTEGER) "
        "OPTIONS (connector 'kafka', servers 'b:1', topic 't', format 'upsert-json')"
    )
    if code is None:
        planning.plan(sql)
    else:
        found = planning.error(sql)
        assert (found[0], found[2]) == (code, at)
