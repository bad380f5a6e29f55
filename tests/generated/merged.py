"""Random pumps that MERGE, UPDATE and DELETE: after each step, their tables are what DuckDB makes of them with the same
statement, one row of the source after the other.

python tests/generated/merged.py                  300 pumps
python tests/generated/merged.py --pumps 60       the first of them
python tests/generated/merged.py --begin 200      from that number on
python tests/generated/merged.py --seed 7         others
python tests/generated/merged.py --cores 1        on that many cores"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import duckdb

sys.path.insert(0, str(Path(__file__).parents[1]))

from rowtime.opening import connect
from rowtime.session import Session
from rowtime.tables import compaction

AT_ONCE = 10
"""How many pumps read the same rows."""
_SOURCE = "a INTEGER, b VARCHAR(3), d DOUBLE, e DATE, v INTEGER, w VARCHAR(3), h TIME"
_KEYS = (
    (("k", "INTEGER", "s.a"),),
    (("k", "INTEGER", "s.a + 1"),),
    (("k", "BIGINT", "s.a"),),
    (("k", "VARCHAR(3)", "s.b"),),
    (("k", "DOUBLE", "s.d"),),
    (("k", "DATE", "s.e"),),
    (("k", "VARCHAR(3)", "COALESCE(s.b, 'c')"),),
    (("k", "INTEGER", "s.a"), ("l", "VARCHAR(3)", "s.b")),
    (("k", "VARCHAR(3)", "s.b"), ("l", "INTEGER", "COALESCE(s.a, 0)")),
    (("k", "DATE", "s.e"), ("l", "DOUBLE", "s.d"), ("m", "VARCHAR(3)", "s.b")),
)
"""Primary keys: names, types, and the values of the source that ON compares."""
_VALUES = "n INTEGER, note VARCHAR(3), at_time TIME, c INTEGER NOT NULL, ts TIMESTAMP"

_PARTITIONS, _ZONE = "spark.sql.shuffle.partitions", "spark.sql.session.timeZone"
_B, _ELEVEN = "'b'", "TIME '11:00:00'"


@dataclass(frozen=True)
class Pump:
    """A statement; `{table}` stands for its table, `{rows}` for the rows of the stream, `{select}` for SELECT."""

    key: tuple[tuple[str, str, str], ...]
    sql: str

    def columns(self) -> str:
        made = [f"{name} {type}" for name, type, _ in self.key]
        return ", ".join([*made, _VALUES, f"PRIMARY KEY ({', '.join(name for name, _, _ in self.key)})"])


def pump(chance: random.Random) -> Pump:
    """Returns a random pump."""
    key = chance.choice(_KEYS)
    compared = [f"t.{name} = {value}" if chance.random() < 0.6 else f"{value} = t.{name}" for name, _, value in key]
    where = chance.choice(["", "", "", " WHERE v IS NOT NULL", " WHERE v > 0 OR a = 1"])
    source = "({select} * FROM {rows}" + where + ") AS s"
    kind = chance.random()
    if kind < 0.15:
        rest = [_condition(chance, matched=True) for _ in range(chance.choice([0, 1, 1]))]
        return Pump(key, f"DELETE FROM {{table}} AS t USING {source} WHERE {_all(chance, compared + rest)}")
    if kind < 0.35:
        rest = [_condition(chance, matched=True) for _ in range(chance.choice([0, 1, 1, 2]))]
        set = f"UPDATE {{table}} AS t SET {_assignments(chance)} FROM {source}"
        return Pump(key, f"{set} WHERE {_all(chance, compared + rest)}")
    matched, unmatched = chance.randint(0, 3), chance.choice([0, 1, 1, 1, 2])
    clauses = [_matched(chance, last=i == matched - 1) for i in range(matched)]
    for i in range(unmatched):
        place = chance.randint(0, len(clauses))
        clauses.insert(place, _unmatched(chance, key, last=False) if i else _unmatched(chance, key, last=True))
    # Of each kind, the one without a condition comes last.
    clauses.sort(key=lambda clause: " AND " not in clause.partition(" THEN ")[0])
    if not clauses:
        clauses = [_matched(chance, last=True)]
    return Pump(key, f"MERGE INTO {{table}} AS t USING {source} ON {_all(chance, compared)} {' '.join(clauses)}")


def _all(chance: random.Random, conditions: Sequence[str]) -> str:
    return " AND ".join(chance.sample(list(conditions), len(conditions)))


def _matched(chance: random.Random, *, last: bool) -> str:
    condition = "" if last and chance.random() < 0.6 else f" AND {_condition(chance, matched=True)}"
    action = "DELETE" if chance.random() < 0.3 else f"UPDATE SET {_assignments(chance)}"
    return f"WHEN MATCHED{condition} THEN {action}"


def _unmatched(chance: random.Random, key: Sequence[tuple[str, str, str]], *, last: bool) -> str:
    # A key that is NULL cannot be inserted.
    conditions = [f"{value} IS NOT NULL" for _, _, value in key if "COALESCE" not in value]
    if not last or chance.random() < 0.5:
        conditions.append(_condition(chance, matched=False))
    given = [
        *((name, value) for name, _, value in key),
        ("c", _number(chance, matched=False, nullable=False)),
        *((("n", _number(chance, matched=False)),) if chance.random() < 0.8 else ()),
        *((("note", _text(chance, matched=False)),) if chance.random() < 0.6 else ()),
        *((("at_time", "s.h"),) if chance.random() < 0.6 else ()),
        *((("ts", "s.rowtime"),) if chance.random() < 0.6 else ()),
    ]
    chance.shuffle(given)
    names, values = (", ".join(each) for each in zip(*given, strict=True))
    condition = f" AND {' AND '.join(conditions)}" if conditions else ""
    return f"WHEN NOT MATCHED{condition} THEN INSERT ({names}) VALUES ({values})"


def _assignments(chance: random.Random) -> str:
    made = {
        "n": _number(chance, matched=True),
        "note": _text(chance, matched=True),
        "at_time": chance.choice(["s.h", "t.at_time", "NULL", "COALESCE(t.at_time, s.h)"]),
        "c": _number(chance, matched=True, nullable=False),
        "ts": chance.choice(["s.rowtime", "NULL", "t.ts + INTERVAL '1' HOUR", "COALESCE(t.ts, s.rowtime)"]),
    }
    return ", ".join(f"{name} = {made[name]}" for name in chance.sample(list(made), chance.randint(1, 5)))


def _number(chance: random.Random, *, matched: bool, nullable: bool = True) -> str:
    columns = ["s.v", "s.a", "s.v", "EXTRACT(HOUR FROM s.rowtime)", *(["t.n", "t.c", "t.n"] if matched else [])]
    one, other = chance.choice(columns), chance.choice([*columns, "1", "3"])
    made = chance.choice(
        [
            one,
            f"{one} + {other}",
            f"MOD({one} * {other}, 7)",
            f"CASE WHEN {_condition(chance, matched=matched)} THEN {one} ELSE {other} END",
            f"NULLIF({one}, {other})",
            "7",
            "NULL",
        ]
    )
    return made if nullable else f"COALESCE({'s.v' if made == 'NULL' else made}, 0)"


def _text(chance: random.Random, *, matched: bool) -> str:
    columns = ["s.b", "s.w", *(["t.note", "t.note"] if matched else [])]
    one, other = chance.choice(columns), chance.choice([*columns, "'z'"])
    return chance.choice([one, f"SUBSTRING({one} || {other} FROM 1 FOR 3)", f"COALESCE({one}, {other})", "'y'", "NULL"])


def _condition(chance: random.Random, *, matched: bool) -> str:
    numbers = ["s.v", "s.a", *(["t.n", "t.c", "t.n"] if matched else [])]
    texts = ["s.b", "s.w", *(["t.note"] if matched else [])]
    number, text = chance.choice(numbers), chance.choice(texts)
    made = chance.choice(
        [
            f"{number} {chance.choice(['>', '<', '>=', '='])} {chance.choice([*numbers, '1', '3'])}",
            f"{number} IS {chance.choice(['', 'NOT '])}NULL",
            f"{text} {chance.choice(['=', '<>', '<'])} {chance.choice([*texts, _B])}",
            f"{number} + {chance.choice(numbers)} > 2",
            f"s.h {chance.choice(['<', '>='])} {'t.at_time' if matched else _ELEVEN}",
        ]
    )
    kind = chance.random()
    if kind < 0.15:
        return f"NOT ({made})"
    if kind < 0.35:
        return f"({made} {chance.choice(['AND', 'OR'])} {_condition(chance, matched=matched)})"
    return f"({made})"


def _row(chance: random.Random) -> str:
    return ", ".join(
        [
            chance.choice(["0", "1", "2", "3", "NULL"]),
            chance.choice(["'a'", "'b'", "'c'", "NULL"]),
            chance.choice(["0e0", "-0e0", "1.5e0", "-2e0", "NULL"]),
            chance.choice(["DATE '2024-05-01'", "DATE '1969-12-31'", "NULL"]),
            chance.choice(["NULL", *map(str, range(-3, 6))]),
            chance.choice(["'a'", "'b'", "'x'", "''", "NULL"]),
            chance.choice(["TIME '10:00:00'", "TIME '12:30:00'", "NULL"]),
        ]
    )


def _began(chance: random.Random, key: Sequence[tuple[str, str, str]]) -> list[str]:
    """Returns rows that the table has before the pump starts."""
    some = {
        "INTEGER": ["0", "1", "2", "3"],
        "BIGINT": ["0", "1", "2"],
        "VARCHAR(3)": ["'a'", "'b'", "'d'"],
        "DOUBLE": ["0e0", "1.5e0"],
        "DATE": ["DATE '2024-05-01'", "DATE '1969-12-31'"],
    }
    keys = {", ".join(chance.choice(some[type]) for _, type, _ in key) for _ in range(chance.randint(1, 5))}
    rests = (
        "1, 'a', TIME '11:00:00', 0, NULL",
        "NULL, NULL, NULL, 2, TIMESTAMP '2024-04-30 09:00:00'",
        "4, 'b', TIME '09:00:00', 1, NULL",
    )
    return [f"({each}, {chance.choice(rests)})" for each in sorted(keys)]


def compare(spark: Any, warehouse: Path, numbers: Sequence[int], seed: int = 1) -> list[str]:
    """Returns what is wrong with the tables of the pumps with these numbers, which read the same rows: how they fall
    into steps, restarts, and Spark's partitions are random."""
    chance = random.Random(f"{seed} rows {numbers[0]}")
    pumps = {number: pump(random.Random(f"{seed} {number}")) for number in numbers}
    # Files become one after a few steps.
    small = [mock.patch.object(compaction, name, value) for name, value in (("_LEVEL", 3), ("_SMALLEST", 4))]
    kept = {key: spark.conf.get(key) for key in (_PARTITIONS, _ZONE)}
    try:
        # The session is the user's: its time zone says nothing about the rows.
        spark.conf.set(_ZONE, "America/St_Johns")
        for each in small:
            each.start()
        with connect(spark, warehouse) as session, duckdb.connect() as duck:
            return _run(session, duck, pumps, chance)
    finally:
        for key, value in kept.items():
            spark.conf.set(key, value)
        for each in small:
            each.stop()


def _run(session: Session, duck: duckdb.DuckDBPyConnection, pumps: dict[int, Pump], chance: random.Random) -> list[str]:
    session.sql(f"CREATE STREAM s ({_SOURCE})")
    duck.execute(f"CREATE TABLE s (id INTEGER, rowtime TIMESTAMP, {_SOURCE})")
    for number, each in pumps.items():
        began = _began(chance, each.key) if chance.random() < 0.6 else []
        for execute in (session.sql, duck.execute):
            execute(f"CREATE TABLE t{number} ({each.columns()})")
            if began:
                execute(f"INSERT INTO t{number} VALUES {', '.join(began)}")
        session.sql(f"CREATE PUMP p{number} STARTED AS {_text_of(each, number, 's', 'SELECT STREAM')}")
    wrong: dict[int, str] = {}
    count = 0
    for step in range(chance.choice((3, 4, 4, 5, 8))):
        if step and chance.random() < 0.25:
            session.spark.conf.set(_PARTITIONS, str(chance.choice((1, 3, 5))))
            session.runtime.restart_pumps()
        rows = [_row(chance) for _ in range(chance.choice((1, 1, 2, 5, 9, 20)))]
        minute = f"TIMESTAMP '2024-05-01 10:{step:02}:00'"
        session.sql(f"INSERT INTO s VALUES {', '.join(f'({minute}, {row})' for row in rows)}")
        if chance.random() < 0.7:
            session.runtime.settle([])
        for row in rows:
            duck.execute(f"INSERT INTO s VALUES ({count}, {minute}, {row})")
            for number, each in pumps.items():
                duck.execute(_text_of(each, number, f"(SELECT * FROM s WHERE id = {count})", "SELECT"))
            count += 1
        if step % 3 == 2:
            _check(session, duck, pumps, wrong, count)
    _check(session, duck, pumps, wrong, count)
    return list(wrong.values())


def _text_of(pump: Pump, number: int, rows: str, select: str) -> str:
    return pump.sql.replace("{table}", f"t{number}").replace("{rows}", rows).replace("{select}", select)


def _check(
    session: Session, duck: duckdb.DuckDBPyConnection, pumps: dict[int, Pump], wrong: dict[int, str], count: int
) -> None:
    session.runtime.settle([])
    failed = {status.name: status.error for status in session.pumps if status.error}
    for number, each in pumps.items():
        if number in wrong:
            continue
        found: Any = session.sql(f"SELECT * FROM t{number}")
        made = Counter(found.tuples())
        expected = Counter(duck.execute(f"SELECT * FROM t{number}").fetchall())
        error = failed.get(f"P{number}")
        if made != expected or error:
            wrong[number] = (
                f"{number}: {each.sql}\nafter {count} rows: {made - expected} for {expected - made}; error {error}"
            )


def main() -> int:
    """Returns 0 if no table is wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pumps", type=int, default=300, metavar="N", help="the first of them")
    parser.add_argument("--begin", type=int, default=0, metavar="N", help="of those from that number on")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="other pumps, over other rows")
    parser.add_argument("--cores", type=int, default=2, metavar="N", help="on which Spark runs")
    arguments = parser.parse_args()
    os.environ["ROWTIME_SPARK_CONF"] = f"spark.master=local[{arguments.cores}]"
    from rowtime.runtime.cluster.spark import start_spark

    began, spark, found = time.monotonic(), start_spark(), 0
    for begin in range(arguments.begin, arguments.pumps, AT_ONCE):
        numbers = range(begin, min(begin + AT_ONCE, arguments.pumps))
        with tempfile.TemporaryDirectory() as folder:
            wrong = compare(spark, Path(folder) / "warehouse", numbers, arguments.seed)
        found += len(wrong)
        print(f"{numbers.stop} pumps, {found} wrong, {time.monotonic() - began:.0f} s", *wrong, sep="\n", flush=True)
    spark.stop()
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
