"""The catalog in PostgreSQL: to which warehouse it belongs, and what happens if the server does not answer."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from catalog_changes import create
from pooler import pooled
from postgres_server import PASSWORD, Postgres

from rowtime import locks
from rowtime.catalog import postgres
from rowtime.catalog.postgres import PostgresDatabase
from rowtime.catalog.store import Store
from rowtime.errors import RowtimeError


def refused(warehouse: Path, catalog: str | None, **more: Any) -> str:
    with pytest.raises(RowtimeError) as raised:
        Store(warehouse, catalog=catalog, **more)
    assert raised.value.diagnostics[0].hint
    assert PASSWORD not in str(raised.value)
    return str(raised.value)


def test_a_catalog_is_there_for_all_who_know_the_warehouse(url: str, tmp_path: Path) -> None:
    with Store(tmp_path, catalog=url) as store:
        store.commit([create("A")])
        assert Store.exists(tmp_path)
        assert not (tmp_path / "catalog.db").exists()
        for read_only in (True, False):
            with Store(tmp_path, catalog=url, read_only=read_only) as other:
                assert other.state() == store.state()
                assert other.formats() == store.formats()


def test_a_server_that_cannot_be_used(url: str, server: Postgres, tmp_path: Path) -> None:
    address = f"postgresql://127.0.0.1:{server.port}/postgres"
    wrong = refused(tmp_path, url.replace(PASSWORD, "wrong"))
    assert "RT0658: The catalog in " + address in wrong
    assert 'password authentication failed for user "me"' in wrong
    assert "Connection refused" in refused(tmp_path, url.replace(str(server.port), "1"))
    assert 'database "nope" does not exist' in refused(tmp_path, url.replace("/postgres", "/nope"))
    assert "RT0658: The catalog 'mysql://***@h/d' is not one of PostgreSQL" in refused(
        tmp_path, f"mysql://me:{PASSWORD}@h/d"
    )
    assert "RT0658" in refused(tmp_path, f"postgresql://me:{PASSWORD} @@/")
    assert list(tmp_path.iterdir()) == []


def test_without_the_driver(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert "pip install 'rowtime[postgres]'" in refused(tmp_path, url)


def test_a_catalog_of_a_later_version(url: str, server: Postgres, tmp_path: Path) -> None:
    Store(tmp_path, catalog=url).close()
    server.run("UPDATE rowtime.format SET number = 99, version = '7.1.0' WHERE part = 'logs'")
    for read_only in (False, True):
        found = refused(tmp_path, url, read_only=read_only)
        assert "RT0603" in found
        assert "rowtime 7.1.0: the format of its logs is number 99" in found
    assert server.run("SELECT number FROM rowtime.format WHERE part = 'logs'") == ["99"]


def test_a_schema_of_somebody_else_is_left_alone(url: str, server: Postgres, tmp_path: Path) -> None:
    server.run("CREATE SCHEMA rowtime; CREATE TABLE rowtime.object (mine INTEGER)")
    assert "RT0602" in refused(tmp_path, url)
    assert server.run("SELECT table_name FROM information_schema.tables WHERE table_schema = 'rowtime'") == ["object"]


def test_a_damaged_row(url: str, server: Postgres, tmp_path: Path) -> None:
    with Store(tmp_path, catalog=url) as store:
        store.commit([create("A")])
        server.run("UPDATE rowtime.object SET definition = replace(definition, 'STREAM', 'STREEM') WHERE name = 'A'")
        with pytest.raises(RowtimeError, match=r"RT0602: .* table 'object' does not match its checksum"):
            store.get("A")


def test_a_warehouse_and_a_catalog_that_do_not_belong_together(url: str, server: Postgres, tmp_path: Path) -> None:
    first, second, own = tmp_path / "first", tmp_path / "second", tmp_path / "own"
    Store(first, catalog=url).close()
    Store(own, catalog="").close()
    address = f"postgresql://127.0.0.1:{server.port}/postgres"
    assert f"RT0659: The catalog of the warehouse '{first}' is in {address}, and none was named" in refused(first, "")
    assert f"RT0659: The catalog in {address} belongs to another warehouse than '{second}'" in refused(second, url)
    assert "which was made as" in refused(second, url)
    assert "RT0659" in refused(own, url)
    assert list(second.iterdir()) == []
    assert "RT0659" in refused(second, url, read_only=True)
    server.run("DROP SCHEMA rowtime CASCADE")
    # The database was made anew, or is another one.
    assert "RT0659: The warehouse" in refused(first, url)
    Store(second, catalog=url).close()
    assert "RT0659: The warehouse" in refused(first, url)
    with Store(second, catalog=url) as store:
        assert store.snapshot().version == 0


def test_nothing_is_made_to_read(url: str, server: Postgres, tmp_path: Path) -> None:
    assert "RT0601" in refused(tmp_path, url, read_only=True)
    assert server.run("SELECT to_regclass('rowtime.meta') IS NULL") == ["t"]
    assert list(tmp_path.iterdir()) == []


def test_many_processes_open_a_new_warehouse(url: str, tmp_path: Path) -> None:
    program = "import sys; from rowtime.catalog.store import Store; Store(sys.argv[1], catalog=sys.argv[2])"
    command = [sys.executable, "-c", program, str(tmp_path / "w"), url]
    started = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    for process in started:
        _, said = process.communicate(timeout=120)
        assert process.returncode == 0, said


def test_many_threads_open_a_new_warehouse(url: str, server: Postgres, tmp_path: Path) -> None:
    for number in range(5):
        server.run("DROP SCHEMA IF EXISTS rowtime CASCADE")
        begin, faults = threading.Barrier(4), []

        def start(folder: Path, begin: threading.Barrier = begin, faults: list[Exception] = faults) -> None:
            begin.wait()
            try:
                Store(folder, catalog=url).close()
            except RowtimeError as fault:
                faults.append(fault)

        threads = [threading.Thread(target=start, args=(tmp_path / str(number),)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert faults == []


def test_a_warehouse_that_was_deleted(url: str, tmp_path: Path) -> None:
    with Store(tmp_path / "w", catalog=url) as store:
        (tmp_path / "w").rename(tmp_path / "other")
        for use in (store.snapshot, store.check_exists, lambda: store.set_note("x", "k", 1)):
            with pytest.raises(RowtimeError, match="RT0609"):
                use()


def test_other_transactions_do_not_wait(url: str, tmp_path: Path) -> None:
    """A process that is suspended while it makes a change stops nobody."""
    with Store(tmp_path, catalog=url) as store, Store(tmp_path, catalog=url) as other:

        def overtaken() -> None:
            with store.transaction():
                store.commit([create("A")])
                assert other.commit([create("B")]) == 1

        with pytest.raises(RowtimeError, match="RT0390"):
            overtaken()
        assert [entry.name for entry in store.entries() if entry.since] == ["B"]


@pytest.mark.parametrize("is_made", [False, True])
def test_a_commit_whose_reply_is_lost_is_made_once(
    url: str, server: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_made: bool
) -> None:
    lost = []

    class Losing(postgres._Connection):
        def execute(self, sql: str, values: Any = (), /) -> Any:
            if sql == "COMMIT" and len(lost) < 3 and self.writes():
                lost.append(sql)
                if is_made:
                    super().execute(sql)
                self.db.close()
            return super().execute(sql, values)

        def writes(self) -> bool:
            return super().execute("SELECT txid_current_if_assigned() IS NOT NULL").fetchall() == [(True,)]

    with Store(tmp_path, catalog=url) as store:
        monkeypatch.setattr(postgres, "_Connection", Losing)
        assert isinstance(store._database, PostgresDatabase)
        store._database._idle.clear()
        assert store.commit([create("A")], 0) == 1
        assert store.update_note("x", "k", lambda before: (before or 0) + 1) == 1
        assert store.update_note("x", "k", lambda before: (before or 0) + 1) == 2
        assert len(lost) == 3
        assert (store.snapshot().version, store.note("x", "k")) == (1, 2)
        assert server.run("SELECT count(*) FROM rowtime.change") == ["1"]


def test_a_killed_server_comes_back(
    url: str, server: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(locks, "on_wait", said.append)
    monkeypatch.setattr(postgres, "NOTICE_AFTER", 0.5)
    ending = threading.Event()
    counts, faults = [0, 0, 0], []

    def write(store: Store, number: int) -> None:
        try:
            while not ending.is_set():
                store.update_note("x", "k", lambda before: (before or 0) + 1)
                store.commit([create(f"T{number}_{counts[number]}")])
                counts[number] += 1
                assert store.snapshot().version >= counts[number]
        except BaseException as fault:
            faults.append(fault)

    with contextlib.ExitStack() as opened:
        stores = [opened.enter_context(Store(tmp_path, catalog=url)) for _ in counts]
        threads = [threading.Thread(target=write, args=pair) for pair in zip(stores, range(3), strict=True)]
        for thread in threads:
            thread.start()
        for _ in range(3):
            before = sum(counts)
            until = time.monotonic() + 60
            while sum(counts) < before + 6 and time.monotonic() < until:
                time.sleep(0.02)
            server.kill()
            time.sleep(1.0)
            server.start()
        time.sleep(1.0)
        ending.set()
        for thread in threads:
            thread.join(120)
        assert faults == []
        assert stores[0].note("x", "k") == stores[0].snapshot().version == sum(counts) >= 18
        names = {entry.name for entry in stores[0].entries() if entry.since}
        assert names == {f"T{number}_{index}" for number in range(3) for index in range(counts[number])}
    assert any("which does not answer" in line for line in said)


def test_a_server_that_stays_away(url: str, server: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store(tmp_path, catalog=url) as store:
        server.stop()
        monkeypatch.setenv(locks.SETTING, "0.5")
        for use in (store.snapshot, lambda: store.set_note("x", "k", 1)):
            with pytest.raises(RowtimeError, match=r"RT0658: .* cannot be used"):
                use()
        server.start()
        store.set_note("x", "k", 1)
        assert store.note("x", "k") == 1


def test_readers_are_woken(url: str, tmp_path: Path) -> None:
    woken = threading.Event()
    with Store(tmp_path, catalog=url) as store, Store(tmp_path, catalog=url) as other:
        store.on_change(woken.set)
        until = time.monotonic() + 30
        number = 0
        # Until the listener has begun.
        while not woken.wait(0.2) and time.monotonic() < until:
            number += 1
            other.commit([create(f"A{number}")])
        assert woken.is_set()
        time.sleep(0.5)
        woken.clear()
        other.set_note("x", "k", 1)
        assert not woken.wait(0.5)
        begin = time.monotonic()
        other.commit([create("B")])
        assert woken.wait(5)
        assert time.monotonic() - begin < 1


def test_through_a_pooler(url: str, server: Postgres, tmp_path: Path) -> None:
    """Its connections go to other sessions after each transaction."""
    faults: list[BaseException] = []

    def write(store: Store, number: int) -> None:
        try:
            for index in range(10):
                store.update_note("x", "k", lambda before: (before or 0) + 1)
                store.commit([create(f"T{number}_{index}")])
                assert store.get(f"T{number}_{index}") in store.entries()
        except BaseException as fault:
            faults.append(fault)

    with pooled(server) as port, contextlib.ExitStack() as opened:
        through = url.replace(str(server.port), str(port))
        stores = [opened.enter_context(Store(tmp_path, catalog=through)) for _ in range(3)]
        stores[0].on_change(lambda: None)
        threads = [threading.Thread(target=write, args=pair) for pair in zip(stores, range(3), strict=True)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(120)
        assert faults == []
        assert (stores[0].note("x", "k"), stores[0].snapshot().version) == (30, 30)
