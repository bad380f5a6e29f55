"""A warehouse with damaged files returns exactly the right rows, or reports the damage: never silently fewer rows, and
never an exception that is not a diagnostic."""

from __future__ import annotations

import random
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from queries import eventually

from rowtime.catalog.store import Store
from rowtime.errors import RowtimeError
from rowtime.session import Session
from rowtime.streams import retention
from rowtime.streams.log import StreamLog, WriteRequest
from rowtime.streams.tail import Row, Tail

from .mutations import damage, files_in

Inputs = Callable[[], Iterator[random.Random]]
Figures = Callable[..., None]
CODES = ("RT0602", "RT0603", "RT0605")
"""The codes for damage; a damaged catalog may also not be recognised as one."""


@pytest.fixture
def warehouse() -> Iterator[Path]:
    """Returns a folder in memory, if the system has one: making files durable costs nothing there."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="rowtime-", dir=memory if memory.is_dir() else None) as folder:
        yield Path(folder) / "warehouse"


def column(name: str, type: str = "INTEGER", **more: Any) -> dict[str, Any]:
    return {"name": name, "type": type, "nullable": name != "ROWTIME", **more}


def create(store: Store, name: str, kind: str = "STREAM", history: str | None = "all", **late: Any) -> StreamLog:
    columns = [column("ROWTIME", "TIMESTAMP(3)", **late)] if kind == "STREAM" else []
    columns.append(column("n", **({} if kind == "STREAM" else {"monotonic": "INCREASING"})))
    options = {} if history is None else {"history": history}
    definition = {"name": name, "kind": kind, "columns": columns, "options": options, "primaryKey": []}
    store.commit([{"action": "create", "object": definition}])
    return logs_of(store)[name]


def logs_of(store: Store) -> dict[str, StreamLog]:
    return {entry.name: StreamLog(store, entry) for entry in store.entries() if entry.name in ("KEPT", "CLEANED", "T")}


def row(log: StreamLog, second: int) -> WriteRequest:
    values = [second * 1_000_000, second] if log.rowtime is not None else [second]
    return WriteRequest(rows=log.table([values]), producer="a" if log.rowtime is not None else None)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A stream with history in which some rows wait, one that was cleaned up, and an ordered table."""
    folder = tmp_path_factory.mktemp("template") / "warehouse"
    with Store(folder) as store:
        kept, cleaned, table = (
            create(store, "KEPT"),
            create(store, "CLEANED", history=None),
            create(store, "T", "TABLE"),
        )
        for second in range(1, 7):
            for log in (kept, cleaned, table):
                log.submit(row(log, second))
        cleaned.lease("reader", 4, None)
        cleaned.clean()
        kept.attach("b")
        for second in range(7, 12):
            for log in (kept, cleaned, table):
                # Those of KEPT wait for the other producer.
                log.submit(row(log, second))
        kept.submit(WriteRequest(rows=kept.table([[1_000_000, 0]]), producer="a"))
        retention.checkpoint(kept)
        table.delta.checkpoint()
    return folder


def answers(warehouse: Path) -> dict[str, Any]:
    """Returns the answer of each interface: rows and counts, or the code of the error."""
    found: dict[str, Any] = {}

    def ask(name: str, question: Callable[[], Any]) -> None:
        try:
            found[name] = question()
        except RowtimeError as fault:
            found[name] = fault

    def with_log(name: str, question: Callable[[StreamLog], Any]) -> Callable[[], Any]:
        def asked() -> Any:
            with Store(warehouse) as store:
                return question(logs_of(store)[name]) if store.get(name) else None

        return asked

    for name in ("KEPT", "CLEANED", "T"):
        ask(f"latest of {name}", with_log(name, lambda log: Tail(log).last(100)))
        ask(f"all of {name}", with_log(name, lambda log: [row for rows in Tail(log).since(None) for row in rows]))
        ask(f"state of {name}", with_log(name, counts))
        ask(f"insert into {name}", with_log(name, inserted))
        ask(f"clean-up of {name}", with_log(name, cleaned_up))
    return found


def counts(log: StreamLog) -> tuple[Any, ...]:
    state = log.state()
    return state.entered, state.held, state.late, state.bound, tuple(state.producers)


def inserted(log: StreamLog) -> list[Row]:
    """Returns all rows after an INSERT, including those that waited."""
    log.submit(row(log, 20))
    if log.rowtime is not None:
        log.detach("b")
    return [row for rows in Tail(log).since(None) for row in rows]


def cleaned_up(log: StreamLog) -> list[Row]:
    retention.tidy(log)
    log.clean()
    log.delta.checkpoint()
    return [row for rows in Tail(log).since(None) for row in rows]


@pytest.fixture(scope="module")
def right(template: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    found = answers(shutil.copytree(template, tmp_path_factory.mktemp("right") / "warehouse"))
    assert not any(isinstance(answer, RowtimeError) for answer in found.values())
    assert [n for _, n in found["all of KEPT"]] == [1, 2, 3, 4, 5, 6]
    assert [n for _, n in found["insert into KEPT"]] == [*range(1, 12), 20]
    assert [n for _, n in found["all of CLEANED"]] == list(range(4, 12))
    assert found["all of T"] == [(n,) for n in range(1, 12)]
    return found


def test_logs(fuzz: Inputs, figures: Figures, template: Path, right: dict[str, Any], warehouse: Path) -> None:
    attack(fuzz, figures, template, right, warehouse, lambda folder: files_in(folder / "streams"))


def test_catalogs(fuzz: Inputs, figures: Figures, template: Path, right: dict[str, Any], warehouse: Path) -> None:
    attack(fuzz, figures, template, right, warehouse, lambda folder: [folder / "catalog.db"])


def test_anything(fuzz: Inputs, figures: Figures, template: Path, right: dict[str, Any], warehouse: Path) -> None:
    attack(fuzz, figures, template, right, warehouse, files_in)


def expected(right: dict[str, Any], found: dict[str, Any], door: str, done: str) -> list[Any]:
    """Returns the right answers of an interface after the damage that was `done`: clean-up removes what an INSERT has
    added to the log, if it was accepted. Without the file of its lease, a reader needs no rows."""
    what, _, name = door.partition(" of ")
    before = f"insert into {name}"
    answers = [right[door]]
    if what == "clean-up" and isinstance(found[before], RowtimeError):
        answers.append(right[f"all of {name}"])
    if what == "clean-up" and re.search(r"remove \S+/_readers/", done):
        answers += [answer[-1:] for answer in answers]
    return answers


def attack(
    fuzz: Inputs,
    figures: Figures,
    template: Path,
    right: dict[str, Any],
    warehouse: Path,
    files: Callable[[Path], list[Path]],
) -> None:
    same = refused = 0
    for chance in fuzz():
        shutil.rmtree(warehouse, ignore_errors=True)
        shutil.copytree(template, warehouse)
        done = damage(warehouse, chance, files(warehouse))
        try:
            found = answers(warehouse)
        except Exception as fault:
            raise AssertionError(f"after '{done}'") from fault
        for door, answer in found.items():
            if isinstance(answer, RowtimeError):
                refused += 1
            else:
                assert answer in expected(right, found, door, done), f"after '{done}': {door}"
                same += 1
    figures(same=same, refused=refused)


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (Path.unlink, "is missing"),
        (lambda file: file.write_bytes(b""), "cannot be read (is not a Parquet file"),
        (lambda file: file.write_bytes(file.read_bytes()[:300]), "cannot be read (is not a Parquet file"),
    ],
    ids=["removed", "empty", "truncated"],
)
@pytest.mark.parametrize("name", ["STREAM", "TABLE"])
def test_files_of_rows_that_spark_reads(rt: Session, name: str, damage: Callable[[Path], None], says: str) -> None:
    rt.sql(f"CREATE {name} t (n INTEGER)" + (" OPTIONS (history 'all')" if name == "STREAM" else ""))
    rt.sql("INSERT INTO t (n) VALUES (1), (2)")
    [file] = rt.store.warehouse.glob(f"{name.lower()}s/*/*.parquet")
    damage(file)
    doors = ["SELECT n FROM t", "SELECT COUNT(*) FROM t WHERE n > 0"]
    doors += ["UPDATE t SET n = 0", "CREATE TABLE u AS SELECT n FROM t"] if name == "TABLE" else []
    for door in doors:
        with pytest.raises(RowtimeError) as found:
            rt.sql(door).tuples()  # type: ignore[union-attr]
        assert f"error RT0605: The query failed: the file '{file}' {says}" in str(found.value)
        assert "backup" in str(found.value)


@pytest.mark.parametrize(
    ("name", "damage", "says"),
    [
        ("part-*", Path.unlink, "is missing"),
        ("part-*", lambda file: file.write_bytes(file.read_bytes()[:300]), "is truncated or damaged"),
        ("_files", lambda file: file.write_bytes(b"{"), "is truncated or damaged"),
    ],
)
def test_rows_of_a_snapshot_that_a_pump_has_kept(
    rt: Session, name: str, damage: Callable[[Path], None], says: str
) -> None:
    """Spark would read the other files of the folder, without a word."""
    rt.sql("CREATE STREAM s (n INTEGER)")
    rt.sql("CREATE STREAM joined (n INTEGER) OPTIONS (history 'all')")
    rt.sql("CREATE TABLE t (n INTEGER)")
    for n in range(4):
        rt.sql(f"INSERT INTO t VALUES ({n})")
    rt.sql(
        "CREATE PUMP p STARTED AS INSERT INTO joined "
        "SELECT STREAM s.rowtime, s.n FROM s JOIN TABLE(SNAPSHOT(t)) AS t ON s.n = t.n"
    )
    rt.sql("INSERT INTO s (n) VALUES (0), (1), (2), (3)")
    eventually(lambda: rt.sql("SELECT COUNT(*) FROM joined").tuples() == [(4,)])  # type: ignore[union-attr]
    rt.sql("ALTER PUMP p STOP")
    file = next(rt.store.warehouse.glob(f"pumps/*/*/snapshots/*/{name}"))
    damage(file)
    rt.sql("ALTER PUMP p START")
    eventually(lambda: rt.pumps[0].error is not None)
    said = str(rt.pumps[0].error)
    assert f"RT0607: The query cannot continue from its checkpoint: the file '{file}' {says}" in said
