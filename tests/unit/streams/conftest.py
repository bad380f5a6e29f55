"""Logs in a test's hands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rowtime.catalog.store import Store
from rowtime.streams.log import StreamLog

Make = Callable[..., StreamLog]


def column(name: str, type: str = "INTEGER", **more: Any) -> dict[str, Any]:
    return {"name": name, "type": type, "nullable": name != "ROWTIME", **more}


def rowtime(**more: Any) -> dict[str, Any]:
    return column("ROWTIME", "TIMESTAMP(3)", **more)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as store:
        yield store


@pytest.fixture
def make(store: Store) -> Make:
    """Creates the log of a new object from its columns (a stream's ROWTIME is added), options, kind and name."""

    def made(
        *columns: dict[str, Any], options: dict[str, str] | None = None, kind: str = "STREAM", name: str = "S"
    ) -> StreamLog:
        given = list(columns) or [column("n")]
        if kind == "STREAM" and given[0]["name"] != "ROWTIME":
            given.insert(0, rowtime())
        definition = {"name": name, "kind": kind, "columns": given, "options": options or {}, "primaryKey": []}
        store.commit([{"action": "create", "object": definition}])
        return opened(store, name)

    return made


def opened(store: Store, name: str = "S") -> StreamLog:
    entry = store.get(name)
    assert entry is not None
    return StreamLog(store, entry)
