"""Damaged checkpoints: a pump continues with exactly the missing rows, or reports which file is missing."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rowtime.errors import RowtimeError
from rowtime.runtime import checkpoints
from rowtime.runtime.query import Query
from rowtime.session import Session

from .mutations import damage, files_in

Inputs = Callable[[], Iterator[random.Random]]
Figures = Callable[..., None]

QUERY = '{"batchWatermarkMs":0,"batchTimestampMs":1795282178109,"conf":{"spark.sql.shuffle.partitions":"2"}}'


def write(folder: Path, name: str, *lines: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines))
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A checkpoint of two sources, a log and a folder of files. Its batches 0 to 3 are complete and 4 has begun."""
    write(tmp_path, "metadata", '{"id":"d8b6a7f0-0000-4000-8000-000000000000"}')
    for batch in range(5):
        write(
            tmp_path, f"offsets/{batch}", "v1", QUERY, f'{{"log":"x","next":{batch + 2}}}', f'{{"logOffset":{batch}}}'
        )
        write(tmp_path, f"sources/1/{batch}", "v1", '{"path":"a","timestamp":1,"batchId":1}')
        if batch < 4:
            write(tmp_path, f"commits/{batch}", "v1", '{"nextBatchWatermarkMs":0}')
    return tmp_path


def said(folder: Path, last: int | None = 3) -> str | None:
    try:
        checkpoints.check(folder, "Pump 'P'", last, "RESET")
    except RowtimeError as fault:
        return str(fault)
    return None


def test_whole_checkpoints(folder: Path, tmp_path: Path) -> None:
    for last in (None, 2, 3, 4):
        assert said(folder, last) is None
    # A completed batch that was not recorded is run again; the target recognises it.
    (folder / "commits" / "3").unlink()
    assert said(folder, 4) is None
    # Old ones are deleted.
    (folder / "offsets" / "0").unlink()
    (folder / "offsets" / "2").unlink()
    assert said(folder) is None
    assert said(tmp_path / "none", None) is None


@pytest.mark.parametrize("name", ["metadata", "offsets/4", "offsets/3", "commits/3", "sources/1/4"])
@pytest.mark.parametrize("how", ["remove", "empty", "truncate"])
def test_files_that_are_needed(folder: Path, name: str, how: str) -> None:
    path = folder / name
    if how == "remove":
        path.unlink()
    else:
        path.write_bytes(b"" if how == "empty" else path.read_bytes()[:-4])
    found = said(folder, 4)
    if name == "commits/3" and how == "remove":
        assert found is None
    elif name.startswith("sources") and how != "remove":
        # Spark checks its contents.
        assert found is None
    else:
        assert found is not None
        assert "RT0607" in found
        assert f"'{path}'" in found


def test_a_checkpoint_that_is_older_than_its_target(folder: Path) -> None:
    assert "offsets/5' is missing; micro-batch 5 was completed" in str(said(folder, 5))
    for name in ("offsets", "commits", "sources"):
        shutil.rmtree(folder / name)
    assert "offsets/3' is missing" in str(said(folder, 3))
    (folder / "metadata").unlink()
    assert "offsets/3' is missing" in str(said(folder, 3))


def test_sources_that_are_missing(folder: Path) -> None:
    path = folder / "offsets" / "4"
    path.write_text("\n".join(path.read_text().split("\n")[:-1]))
    assert "names 1 sources instead of 2" in str(said(folder))


def feed(rt: Session, begin: int, end: int) -> None:
    for second in range(begin, end):
        rt.sql(f"INSERT INTO a VALUES (TIMESTAMP '2006-09-11 10:00:{second:02}', {second})")
        rt.runtime.settle([])


def numbers(rt: Session, name: str) -> list[int]:
    return [row[0] for row in rt.sql(f"SELECT n FROM {name}").tuples()]  # type: ignore[union-attr]


def test_pumps(rt: Session, fuzz: Inputs, figures: Figures) -> None:
    """Pumps with and without state, into a stream and a table: damaged at random, restored, and complete again."""
    rt.sql("CREATE STREAM a (n INTEGER) OPTIONS (history 'all')")
    rt.sql("CREATE STREAM b (n INTEGER) OPTIONS (history 'all')")
    rt.sql("CREATE TABLE t (n INTEGER)")
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO b SELECT STREAM rowtime, n FROM a")
    rt.sql(
        "CREATE PUMP q STARTED AS INSERT INTO t SELECT STREAM CAST(COUNT(*) AS INTEGER) AS n FROM a "
        "GROUP BY FLOOR(rowtime TO SECOND)"
    )
    feed(rt, 0, 4)
    sent, refused, went_on = 4, 0, 0
    for chance in fuzz():
        rt.runtime.kill_pumps()
        pumps = {entry.name: rt.runtime.registry.folder(entry) for entry in rt.store.entries() if entry.kind == "PUMP"}
        copies = {name: folder.with_suffix(".copy") for name, folder in pumps.items()}
        for name, folder in pumps.items():
            shutil.copytree(folder, copies[name])
        folder = pumps[chance.choice(sorted(pumps))]
        files = [path for path in files_in(folder / "spark") if not path.name.endswith(".crc")]
        done = damage(folder, chance, files)
        rt.sql(f"INSERT INTO a VALUES (TIMESTAMP '2006-09-11 10:00:00' + INTERVAL '{sent}' SECOND(6), {sent})")
        sent += 1
        rt.runtime.restart_pumps()
        rt.runtime.settle([])
        faults = [status.error for status in rt.pumps if status.error is not None]
        for fault in faults:
            assert "RT0607" in fault or "RT0510" in fault, f"after '{done}': {fault}"
        if faults:
            refused += 1
            rt.runtime.kill_pumps()
            for name, folder in pumps.items():
                if rt.runtime.pumps._held[rt.store.get(name).id].fault is not None:  # type: ignore[union-attr]
                    shutil.rmtree(folder)
                    shutil.copytree(copies[name], folder)
            rt.runtime.restart_pumps()
            rt.runtime.settle([])
        else:
            went_on += 1
        for copy in copies.values():
            shutil.rmtree(copy)
        assert [status.error for status in rt.pumps] == [None, None], f"after '{done}'"
        assert numbers(rt, "b") == list(range(sent)), f"after '{done}'"
        assert numbers(rt, "t") == [1] * (sent - 1), f"after '{done}'"
    figures(refused=refused, went_on=went_on)


def test_a_query_says_that_its_checkpoint_is_lost(rt: Session) -> None:
    rt.sql("CREATE STREAM a (n INTEGER)")
    query = rt.sql("SELECT STREAM n FROM a")
    assert isinstance(query, Query)
    feed(rt, 0, 2)
    query.process_all_available()
    query.kill()
    for name in ("offsets", "commits"):
        shutil.rmtree(query.checkpoint / "spark" / name)
    with pytest.raises(RowtimeError, match="RT0607: The query cannot continue from its checkpoint"):
        query.restart()
    query.stop()


QUERIES = {
    "Spark's groups": "SELECT STREAM CAST(COUNT(*) AS INTEGER) AS n FROM a GROUP BY FLOOR(rowtime TO SECOND)",
    "windows of rowtime's": "SELECT STREAM CAST(COUNT(*) OVER (ORDER BY rowtime ROWS 3 PRECEDING) AS INTEGER) AS n "
    "FROM a",
}


@pytest.mark.parametrize("sql", QUERIES.values(), ids=QUERIES)
@pytest.mark.parametrize("how", ["remove", "empty", "truncate"])
def test_saved_state(rt: Session, sql: str, how: str) -> None:
    """Saved state that cannot be read is reported with its path, in words for users."""
    rt.sql("CREATE STREAM a (n INTEGER) OPTIONS (history 'all')")
    rt.sql("CREATE TABLE t (n INTEGER)")
    rt.sql(f"CREATE PUMP p STARTED AS INSERT INTO t {sql}")
    feed(rt, 0, 4)
    before = numbers(rt, "t")
    rt.runtime.kill_pumps()
    entry = rt.store.get("P")
    assert entry is not None
    state = rt.runtime.registry.folder(entry) / "spark" / "state"
    whole = state.with_name("whole")
    shutil.copytree(state, whole)
    changes = sorted(path for path in state.rglob("[1-9]*.*") if path.suffix in (".changelog", ".delta"))
    newest = max(int(path.stem) for path in changes)
    for path in changes:
        # The newest are not in a snapshot yet.
        if int(path.stem) >= newest - 3:
            content = path.read_bytes()
            path.unlink() if how == "remove" else path.write_bytes(
                content[: len(content) // 2 if how != "empty" else 0]
            )
    rt.sql("INSERT INTO a VALUES (TIMESTAMP '2006-09-11 10:00:04', 4)")
    rt.runtime.restart_pumps()
    rt.runtime.settle([])
    (status,) = rt.pumps
    assert status.error is not None
    assert status.error.startswith("error RT0607: Pump 'P' cannot continue from its checkpoint: ")
    assert f"'{state}" in status.error
    assert ("is missing" if how == "remove" else "is damaged") in status.error
    assert not re.search(r"java|org\.apache|Exception|StateStore|Provider", status.error)
    assert numbers(rt, "t") == before
    rt.runtime.kill_pumps()
    shutil.rmtree(state)
    whole.rename(state)
    rt.runtime.restart_pumps()
    rt.runtime.settle([])
    assert [status.error for status in rt.pumps] == [None]
    assert len(numbers(rt, "t")) == len(before) + 1
