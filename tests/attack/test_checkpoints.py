"""Damaged checkpoints: a pump continues with exactly the missing rows, or reports which file is missing."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from rowtime import notices
from rowtime.errors import RowtimeError
from rowtime.opening import connect
from rowtime.runtime.checkpoint import checkpoints
from rowtime.runtime.query.query import Query
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


def test_a_source_that_occurs_twice(folder: Path) -> None:
    """It has an offset each time, but one folder, so the source after it has a folder of a lower number."""
    for path in (folder / "offsets").iterdir():
        version, query, log, files = path.read_text().split("\n")
        path.write_text("\n".join([version, query, log, log, files]))
    assert said(folder, 4) is None
    (folder / "sources" / "1" / "4").unlink()
    assert "is missing" in str(said(folder, 4))


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
                if rt.runtime.pumps._held[rt.store.get(name).id].failures.failing is not None:  # type: ignore[union-attr]
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


ADAPTERS = """
import pathlib
from pyspark.sql.datasource import DataSource, DataSourceWriter, WriterCommitMessage

class Silent(DataSource):
    def writer(self, schema, overwrite):
        return Writer(self.options)

class Telling(Silent):
    def last_batch(self):
        names = [file.name.rsplit("-", 1) for file in pathlib.Path(self.options["at"]).glob("*-*")]
        return max((int(batch) for writer, batch in names if writer == self.options["rowtime.writer"]), default=None)

class Writer(DataSourceWriter):
    def __init__(self, options):
        self.options = dict(options)

    def write(self, iterator):
        rows = "".join(f"{row.N}\\n" for row in iterator)
        if rows:
            name = f"{self.options['rowtime.writer']}-{self.options['rowtime.batch']}"
            (pathlib.Path(self.options["at"]) / name).write_text(rows)
        return WriterCommitMessage()
"""


class Targets:
    """A pump into each kind of target that needs no server: a stream, tables, and what other systems store."""

    def __init__(self, rt: Session, folder: Path) -> None:
        self.rt = rt
        self.sent = 0
        (folder / "adapters_of_targets.py").write_text(ADAPTERS)
        self.at = {name: folder / name for name in ("delta", "files", "parts", "silent", "telling")}
        for name in ("silent", "telling"):
            self.at[name].mkdir()
        rt.sql("CREATE STREAM a (n INTEGER) OPTIONS (history 'all')")
        rt.sql("CREATE STREAM \"STREAM\" (n INTEGER) OPTIONS (history 'all')")
        rt.sql("CREATE TABLE ordered (n INTEGER MONOTONIC)")
        rt.sql('CREATE TABLE "TABLE" (n INTEGER)')
        adapter = "connector 'python', class 'adapters_of_targets:"
        options = {
            "delta": f"connector 'delta', path '{self.at['delta']}'",
            "files": f"connector 'files', path '{self.at['files']}', format 'json'",
            "parts": f"connector 'files', path '{self.at['parts']}', format 'parquet', partition_by 'P'",
            "silent": f"{adapter}Silent', at '{self.at['silent']}'",
            "telling": f"{adapter}Telling', at '{self.at['telling']}'",
        }
        for name, text in options.items():
            rt.sql(f"CREATE FOREIGN TABLE {name} (n INTEGER, p INTEGER) OPTIONS ({text})")
        self.names = ["STREAM", "ORDERED", "TABLE", *(name.upper() for name in options)]
        for name in self.names:
            columns = ", MOD(n, 2) AS p" if name.lower() in options else ""
            rowtime = "rowtime, " if name == "STREAM" else ""
            rt.sql(f'CREATE PUMP p_{name} STARTED AS INSERT INTO "{name}" SELECT STREAM {rowtime}n{columns} FROM a')

    def feed(self, count: int) -> None:
        for _ in range(count):
            self.rt.sql(f"INSERT INTO a VALUES (TIMESTAMP '2006-09-11 10:00:{self.sent:02}', {self.sent})")
            self.sent += 1
            self.rt.runtime.settle([])

    def restart(self) -> None:
        self.rt.runtime.kill_pumps()
        self.rt.runtime.restart_pumps()

    def rows(self) -> dict[str, list[int]]:
        found = {}
        for name in self.names:
            if name in ("SILENT", "TELLING"):
                text = [file.read_text() for file in self.at[name.lower()].glob("*-*")]
                found[name] = sorted(int(line) for part in text for line in part.split())
            else:
                found[name] = sorted(numbers(self.rt, f'"{name}"'))
        return found

    def errors(self) -> dict[str, str | None]:
        return {status.name.removeprefix("P_"): status.error for status in self.rt.pumps}

    def folders(self) -> list[Path]:
        return [self.rt.runtime.registry.folder(e) for e in self.rt.store.entries() if e.kind == "PUMP"]

    def stored(self) -> dict[str, Path]:
        """Returns the folder of each target that knows its last batch, apart from checkpoints."""
        found = {name: self.at[name.lower()] for name in ("DELTA", "FILES", "PARTS", "TELLING")}
        for name, purpose in (("STREAM", "streams"), ("ORDERED", "tables"), ("TABLE", "tables")):
            entry = self.rt.store.get(name)
            assert entry is not None
            found[name] = self.rt.store.folder(entry.id, purpose)
        return found


@pytest.fixture
def targets(
    rt: Session, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> tuple[Targets, list[str]]:
    folder = tmp_path_factory.mktemp("targets")
    monkeypatch.syspath_prepend(str(folder))
    said: list[str] = []
    monkeypatch.setattr(notices, "on_warning", said.append)
    return Targets(rt, folder), said


def exchange(folders: Iterable[Path], other: str) -> None:
    """Puts the copy `other` of each folder in its place, and the folder in the place of the copy."""
    for folder in folders:
        aside = folder.with_name(folder.name + ".aside")
        folder.rename(aside)
        folder.with_name(folder.name + other).rename(folder)
        aside.rename(folder.with_name(folder.name + other))


def test_checkpoints_that_are_older_than_their_targets(targets: tuple[Targets, list[str]]) -> None:
    """Each target knows its last batch, or the warehouse does for it."""
    all_of, said = targets
    all_of.feed(2)
    all_of.rt.runtime.kill_pumps()
    for folder in all_of.folders():
        shutil.copytree(folder, folder.with_name(folder.name + ".copy"))
    all_of.rt.runtime.restart_pumps()
    all_of.feed(2)
    whole = {name: list(range(4)) for name in all_of.names}
    assert all_of.rows() == whole
    all_of.rt.runtime.kill_pumps()
    exchange(all_of.folders(), ".copy")
    all_of.rt.runtime.restart_pumps()
    all_of.rt.runtime.settle([])
    for name, fault in all_of.errors().items():
        assert fault is not None, name
        assert "RT0607: Pump 'P_" in fault and "is missing; micro-batch" in fault, name
    assert all_of.rows() == whole
    all_of.rt.runtime.kill_pumps()
    exchange(all_of.folders(), ".copy")
    all_of.rt.runtime.restart_pumps()
    all_of.feed(1)
    assert all_of.errors() == dict.fromkeys(all_of.names)
    assert all_of.rows() == {name: list(range(5)) for name in all_of.names}
    # Only one of them cannot tell, which is said once.
    assert [text.split(",")[0] for text in said] == ["warning RT0631: Pump 'P_SILENT' feeds foreign table 'SILENT'"]


def test_targets_that_are_older_than_their_checkpoints(targets: tuple[Targets, list[str]]) -> None:
    all_of, _ = targets
    all_of.feed(2)
    stored = all_of.stored()
    for folder in stored.values():
        shutil.copytree(folder, folder.with_name(folder.name + ".copy"))
    all_of.feed(2)
    all_of.rt.runtime.kill_pumps()
    exchange(stored.values(), ".copy")
    all_of.rt.runtime.restart_pumps()
    all_of.rt.runtime.settle([])
    for name, fault in all_of.errors().items():
        if name in stored:
            assert fault is not None, name
            assert ("RT0605" if name in ("STREAM", "ORDERED", "TABLE") else "RT0607") in fault, fault
        else:
            assert fault is None
    all_of.rt.runtime.kill_pumps()
    exchange(stored.values(), ".copy")
    all_of.rt.runtime.restart_pumps()
    all_of.feed(1)
    assert all_of.errors() == dict.fromkeys(all_of.names)
    assert all_of.rows() == {name: list(range(5)) for name in all_of.names}


def test_a_copy_of_a_warehouse_that_feeds_the_same_targets(
    targets: tuple[Targets, list[str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Its batches have the numbers of the first one's, and other rows."""
    all_of, _ = targets
    all_of.feed(2)
    all_of.rt.runtime.kill_pumps()
    copy = tmp_path_factory.mktemp("copy") / "warehouse"
    shutil.copytree(all_of.rt.store.warehouse, copy)
    foreign = ("DELTA", "FILES", "PARTS")
    with connect(all_of.rt.spark, copy) as second:
        second.runtime.settle([])
        all_of.rt.runtime.restart_pumps()
        all_of.feed(2)
        before = {name: all_of.rows()[name] for name in foreign}
        assert before == {name: list(range(4)) for name in foreign}
        second.sql("INSERT INTO a VALUES (TIMESTAMP '2006-09-11 10:00:30', 100)")
        second.runtime.settle([])
        errors = {status.name.removeprefix("P_"): status.error for status in second.pumps}
        for name in foreign:
            assert "RT0607" in str(errors[name]), name
    assert {name: all_of.rows()[name] for name in foreign} == before
    # Like a warehouse that was restored from a backup, beside newer targets.
    with connect(all_of.rt.spark, copy) as restored:
        restored.runtime.settle([])
        errors = {status.name.removeprefix("P_"): status.error for status in restored.pumps}
        for name in (*foreign, "TELLING"):
            assert "RT0607: Pump" in str(errors[name]), name
    assert {name: all_of.rows()[name] for name in foreign} == before


def test_an_insert_whose_checkpoint_is_older_than_its_target(rt: Session, tmp_path: Path) -> None:
    rt.sql("CREATE STREAM a (n INTEGER)")
    rt.sql(f"CREATE FOREIGN TABLE t (n INTEGER) OPTIONS (connector 'delta', path '{tmp_path / 'goal'}')")
    query = rt.sql("INSERT INTO t SELECT STREAM n FROM a")
    assert isinstance(query, Query)
    feed(rt, 0, 2)
    query.process_all_available()
    query.kill()
    spark = query.checkpoint / "spark"
    shutil.copytree(spark, tmp_path / "older")
    query.restart()
    feed(rt, 2, 4)
    query.process_all_available()
    query.kill()
    spark.rename(tmp_path / "newer")
    (tmp_path / "older").rename(spark)
    with pytest.raises(RowtimeError, match="RT0607: The query cannot continue from its checkpoint"):
        query.restart()
    shutil.rmtree(spark)
    (tmp_path / "newer").rename(spark)
    query.restart()
    feed(rt, 4, 5)
    query.process_all_available()
    query.stop()
    assert sorted(numbers(rt, "t")) == list(range(5))


def test_a_pump_whose_source_is_older_than_its_checkpoint(rt: Session) -> None:
    rt.sql("CREATE STREAM a (n INTEGER) OPTIONS (history 'all')")
    rt.sql("CREATE TABLE t (n INTEGER)")
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO t SELECT STREAM n FROM a")
    feed(rt, 0, 2)
    entry = rt.store.get("A")
    assert entry is not None
    folder = rt.store.folder(entry.id, "streams")
    shutil.copytree(folder, folder.with_name(folder.name + ".copy"))
    feed(rt, 2, 5)
    rt.runtime.kill_pumps()
    exchange([folder], ".copy")
    # Another process has not seen the lost commits.
    rt.runtime.launcher.log.forget(entry.id)
    rt.runtime.restart_pumps()
    (status,) = rt.pumps
    assert "RT0605: The log of 'A' is damaged" in str(status.error)
    assert sorted(numbers(rt, "t")) == list(range(5))
    rt.runtime.kill_pumps()
    exchange([folder], ".copy")
    rt.runtime.launcher.log.forget(entry.id)
    rt.runtime.restart_pumps()
    feed(rt, 5, 6)
    assert sorted(numbers(rt, "t")) == list(range(6))


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
