"""A thousand statements that somebody got wrong: each gets a diagnostic, none a fault of ours, none takes long."""

from __future__ import annotations

import random
import re
import time

from .conftest import Planning

VALID = [
    "SELECT STREAM * FROM Orders WHERE units > 3 AND productId IN (10, 20)",
    "SELECT STREAM rowtime, 'An order for ' || units || CASE units WHEN 1 THEN ' unit' ELSE ' units' END AS d FROM Orders",
    "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, productId, COUNT(*) AS c, SUM(units) AS su FROM Orders "
    "GROUP BY FLOOR(rowtime TO HOUR), productId HAVING COUNT(*) > 2 OR SUM(units) > 10",
    "SELECT STREAM * FROM Orders WHERE productId = 10 UNION ALL SELECT STREAM * FROM Orders ORDER BY rowtime",
    "SELECT STREAM rowtime, SUM(units) OVER (PARTITION BY productId ORDER BY rowtime RANGE INTERVAL '1' HOUR PRECEDING) AS u "
    "FROM Orders",
    "SELECT STREAM rowtime, AVG(units) OVER p (ROWS 3 PRECEDING) AS a FROM Orders WINDOW p AS (ORDER BY rowtime)",
    "SELECT STREAM TUMBLE_END(rowtime, INTERVAL '10' MINUTE) AS rowtime, MAX(price) FROM Orders "
    "GROUP BY TUMBLE(rowtime, INTERVAL '10' MINUTE)",
    "SELECT STREAM * FROM TABLE(TUMBLE(TABLE Orders, DESCRIPTOR(rowtime), INTERVAL '1' HOUR))",
    "SELECT o.units, p.name FROM Orders AS o LEFT JOIN Products AS p ON o.productId = p.productId WHERE p.name LIKE 'a%'",
    "SELECT STREAM * FROM Orders OVER (RANGE INTERVAL '10' MINUTE PRECEDING) AS o JOIN Shipments AS s ON o.orderId = s.orderId",
    "SELECT * FROM SNAPSHOT(input => Products, to_time => TIMESTAMP '2024-01-20 00:00:00')",
    "SELECT payload.name FROM TO_CHANGELOG(input => Products, on_key => DESCRIPTOR(productId)) WHERE op = 0",
    "SELECT STREAM * FROM Orders o, LATERAL SEARCH_KEY(Products, DESCRIPTOR(productId), o.productId)",
    "SELECT name, (SELECT MAX(units) FROM Orders) AS m FROM Products WHERE EXISTS (SELECT 1 FROM Orders WHERE units > 3)",
    "WITH t (h, c) AS (SELECT FLOOR(rowtime TO DAY), COUNT(*) FROM Orders GROUP BY FLOOR(rowtime TO DAY)) SELECT STREAM h FROM t",
    "INSERT INTO Orders (rowtime, productId, units) VALUES (TIMESTAMP '2020-01-01 10:00:00', 1, 2), (NULL, -3, 4)",
    "INSERT INTO Products SELECT rowtime, productId, 'x' FROM Orders",
    "CREATE OR REPLACE STREAM s (a INTEGER NOT NULL, b VARCHAR(10) DEFAULT 'x', c TIMESTAMP LATENESS INTERVAL '1' HOUR) "
    "OPTIONS (history '24 HOURS')",
    "CREATE FOREIGN STREAM f (a INTEGER, PRIMARY KEY (a)) OPTIONS (connector 'files', path '/data', format 'json')",
    "CREATE VIEW v (a, b) AS SELECT STREAM rowtime, units FROM Orders",
    "CREATE PUMP p STARTED AS INSERT INTO Shipments (rowtime, orderId) SELECT STREAM rowtime, orderId FROM Orders",
    "LATENESS v.a INTERVAL '1:30' HOUR TO MINUTE",
    "DROP STREAM IF EXISTS Orders CASCADE",
    "EXPLAIN SELECT STREAM * FROM Orders",
]  # fmt: skip
TOKEN = re.compile(r"\s+|'(?:[^']|'')*'|\"[^\"]*\"|\w+|=>|\|\||[^\w\s]")
STRAY = ["(", ")", ",", "'", '"', ";", ".", "*", "NULL", "SELECT", "FROM", "ORDER BY", "STREAM", "1e400", "99999999999999999999", "INTERVAL",
         "FLOOR(", "rowtime", "nothing", "OVER", "/*", "--", "\x00", "é", "CAST(1 AS", "DATE 'x'", "-", "?", "$", "ROW", "LATERAL", "@"]  # fmt: skip


NAMES = ["rowtime", "units", "productId", "orderId", "price", "name", "weight", "Orders", "Products", "Shipments", "Readings", "3", "1.5",
         "'a%'", "INTERVAL '1' HOUR", "TIMESTAMP '2020-01-01 00:00:00'", "NULL", "COUNT", "SUM", "UPPER", "HOUR", "MONTH", "o", "p", "*"]  # fmt: skip


def _mutated(sql: str, chance: random.Random) -> str:
    tokens = TOKEN.findall(sql)
    if chance.random() < 0.5:
        # Every name in its grammatical place, and wrong: what the validator has to judge.
        for _ in range(chance.randint(1, 4)):
            places = [i for i, token in enumerate(tokens) if token in NAMES]
            if places:
                tokens[chance.choice(places)] = chance.choice(NAMES)
        return "".join(tokens)
    for _ in range(chance.randint(1, 3)):
        words = [i for i, token in enumerate(tokens) if not token.isspace()]
        if not words:
            break
        at, other = chance.choice(words), chance.choice(words)
        match chance.randrange(6):
            case 0:
                del tokens[at]
            case 1:
                tokens.insert(at, " " + tokens[other] + " ")
            case 2:
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case 3:
                tokens[at] = " " + chance.choice(STRAY) + " "
            case 4:
                tokens = tokens[:at]
            case _:
                tokens.insert(at, " " + chance.choice(STRAY) + " ")
    return "".join(tokens)


def test_a_thousand_malformed_statements(planning: Planning) -> None:
    chance = random.Random(20)
    before = dict(planning.catalog)
    refused = 0
    while refused < 1000:
        sql = _mutated(chance.choice(VALID), chance)
        start = time.monotonic()
        reply = planning.reply(sql)
        assert time.monotonic() - start < 30, sql
        planning.catalog = dict(before)
        if reply["statement"] is not None:
            continue
        refused += 1
        assert reply["diagnostics"], sql
        lines = sql.split("\n")
        for d in reply["diagnostics"]:
            assert d["code"] != "RT0999", (sql, d)
            assert d["message"].strip(), sql
            assert not re.search(r"\b(?:java|org)\.\w+\.|Exception|\bat \w+\.\w+\(", d["message"]), (sql, d)
            assert 1 <= d["line"] <= len(lines), (sql, d)
            assert 1 <= d["column"] <= len(lines[d["line"] - 1]) + 1, (sql, d)
