"""Pumps that keep results which change in tables."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from rowtime.errors import RowtimeError
from rowtime.runtime.launch.folders import pump_folder
from rowtime.session import Session
from rowtime.tables import tables

from .conftest import ALL, rows, settle, status

QUERY = "SELECT {stream} k, COUNT(*) AS n, SUM(v) AS v FROM s GROUP BY k HAVING SUM(v) > 0"
PUMP = "PUMP p STARTED AS INSERT INTO t " + QUERY.format(stream="STREAM")


@pytest.fixture
def totals(rt: Session) -> Session:
    rt.sql(f"CREATE STREAM s (k INTEGER, v INTEGER) {ALL}")
    rt.sql("CREATE TABLE t (k INTEGER PRIMARY KEY, n BIGINT, v INTEGER)")
    rt.sql(f"CREATE {PUMP}")
    return rt


def insert(rt: Session, minute: int, values: list[tuple[int | None, int]]) -> None:
    time = f"TIMESTAMP '2006-09-11 10:{minute:02}:00'"
    rt.sql("INSERT INTO s VALUES " + ", ".join(f"({time}, {k or 'NULL'}, {v})" for k, v in values))
    settle(rt)


def files(rt: Session) -> Any:
    entry = rt.store.get("T")
    assert entry is not None
    return tables.folder(rt.store, entry)


def by_delta(rt: Session, version: int | None = None) -> list[tuple[Any, ...]]:
    """Returns the rows of the table, as Spark's Delta reader finds them."""
    # Delta would shuffle the few actions of the log into 50 partitions.
    rt.spark.conf.set("spark.databricks.delta.snapshotPartitions", "1")
    reader = rt.spark.read.format("delta")
    found = (reader if version is None else reader.option("versionAsOf", version)).load(str(files(rt)))
    return sorted((tuple(row) for row in found.collect()), key=repr)


def test_after_each_step_the_table_is_the_query(totals: Session) -> None:
    """Also if the pump is killed after its commit and before Spark's, which then runs the step again."""
    random.seed(5)
    versions = []
    pump = totals.store.get("P")
    assert pump is not None
    for step in range(4):
        insert(totals, step, [(random.choice([1, 2, 3, 4, None]), random.randrange(-3, 4)) for _ in range(4)])
        expected = sorted(rows(totals, QUERY.format(stream="")), key=repr)
        assert by_delta(totals) == sorted(rows(totals, "SELECT * FROM t"), key=repr) == expected
        versions.append((tables.delta_log(totals.store, totals.store.get("T")).latest(), expected))  # type: ignore[arg-type]
        if step == 2:
            totals.runtime.pumps.kill()
            commits = sorted(
                (pump_folder(totals.store, pump) / "spark" / "commits").glob("[0-9]*"), key=lambda f: int(f.name)
            )
            commits[-1].unlink()
            totals.runtime.pumps.restart()
            settle(totals)
            assert by_delta(totals) == expected
            assert tables.delta_log(totals.store, totals.store.get("T")).latest() == versions[-1][0]  # type: ignore[arg-type]
    assert len({version for version, _ in versions}) > 2
    for version, expected in versions[::2]:
        assert by_delta(totals, version) == expected


def test_delta_has_the_changes_of_each_step(totals: Session) -> None:
    """Inserts and deletes of the change feed, put together up to each version, are the table at that version."""
    random.seed(7)
    totals.sql("INSERT INTO t VALUES (9, 9, 9)")
    for step in range(4):
        insert(totals, step, [(random.choice([1, 2, 3, None]), random.randrange(-3, 4)) for _ in range(4)])
    totals.sql("DELETE FROM t WHERE k = 9")
    insert(totals, 4, [(1, 5), (2, 5)])
    log = tables.delta_log(totals.store, totals.store.get("T"))  # type: ignore[arg-type]
    enabled = next(v for v in log.versions() if "enableChangeDataFeed" in log.path(v).read_text())
    reader = totals.spark.read.format("delta").option("readChangeFeed", "true").option("startingVersion", enabled)
    changes = reader.load(str(files(totals))).collect()
    assert {change["_change_type"] for change in changes} == {"insert", "delete"}
    current = Counter(by_delta(totals, enabled - 1))
    for version in range(enabled, log.latest() + 1):
        for change in changes:
            if change["_commit_version"] == version:
                current[tuple(change)[:3]] += 1 if change["_change_type"] == "insert" else -1
        assert min(current.values()) >= 0
        assert sorted(current.elements(), key=repr) == by_delta(totals, version)


def test_a_table_has_the_results_of_one_query(totals: Session) -> None:
    insert(totals, 0, [(1, 1), (2, 2)])
    totals.sql(f"CREATE OR REPLACE {PUMP.replace('> 0', '> 0 AND TRUE')}")
    insert(totals, 1, [(1, 1)])
    assert rows(totals, "SELECT * FROM t ORDER BY k") == [(1, 2, 2), (2, 1, 2)]
    for other in (PUMP.replace("> 0", "> 1"), PUMP.replace("COUNT(*)", "COUNT(*) + 1")):
        with pytest.raises(RowtimeError, match="RT0516"):
            totals.sql(f"CREATE OR REPLACE {other}")
    assert status(totals, "P").error is None
    insert(totals, 2, [(2, 1)])
    assert rows(totals, "SELECT * FROM t ORDER BY k") == [(1, 2, 2), (2, 2, 3)]


def test_a_later_savepoint_needs_what_comes_before_it(rt: Session, tmp_path: Path) -> None:
    """The pump has gone back to a savepoint, and stopped before it had read all again that it had read at another one:
    its target has an earlier value, and the state of the other one would not bring the later one back."""
    inbox, aside = tmp_path / "inbox", tmp_path / "2.json"
    inbox.mkdir()

    def arrive(number: int) -> None:
        aside.write_text(json.dumps({"rowtime": f"2006-09-11 10:0{number}:00", "k": 1, "v": number}) + "\n")
        aside.rename(inbox / f"{number}.json")
        settle(rt)

    rt.sql(
        "CREATE FOREIGN STREAM f (rowtime TIMESTAMP(3) NOT NULL, k INTEGER, v INTEGER) "
        f"OPTIONS (connector 'files', path '{inbox}', format 'json')"
    )
    rt.sql("CREATE TABLE t (k INTEGER PRIMARY KEY, v INTEGER)")
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO t SELECT STREAM k, MAX(v) FROM f GROUP BY k")
    arrive(0)
    rt.sql("ALTER PUMP p SAVE 'x'")
    for number in (1, 2):
        arrive(number)
    rt.sql("ALTER PUMP p SAVE 'y'")
    rt.sql("ALTER PUMP p STOP")
    (inbox / "2.json").rename(aside)
    rt.sql("ALTER PUMP p START FROM SAVE 'x'")
    settle(rt)
    assert rows(rt, "SELECT * FROM t") == [(1, 1)]
    rt.sql("ALTER PUMP p STOP")
    aside.rename(inbox / "2.json")
    with pytest.raises(RowtimeError, match="goes on from savepoint 'x', and has not come to the savepoint 'y' again"):
        rt.sql("ALTER PUMP p START FROM SAVE 'y'")
    rt.sql("ALTER PUMP p START")
    settle(rt)
    assert rows(rt, "SELECT * FROM t") == [(1, 2)]
    rt.sql("ALTER PUMP p STOP")
    rt.sql("ALTER PUMP p START FROM SAVE 'y'")
    arrive(3)
    assert rows(rt, "SELECT * FROM t") == [(1, 3)]
