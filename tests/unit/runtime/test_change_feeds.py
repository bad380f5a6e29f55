"""Which versions of a table are kept for a query that reads its changes; without Spark."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from rowtime.catalog.store import Store
from rowtime.runtime.lookup.change_feeds import _Commits, needed_versions
from rowtime.tables import tables
from rowtime.types.columns import schema_of


def test_clean_up_keeps_what_a_query_may_have_to_go_on_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A micro-batch that is repeated begins with the version before it; the next one goes on with its end."""
    monkeypatch.setattr(tables, "KEPT_HOURS", 0)
    with Store(tmp_path) as store:
        columns = [{"name": "K", "type": "INTEGER", "nullable": True}]
        store.commit([
            {"action": "create", "object": {"name": "T", "kind": "TABLE", "columns": columns, "options": {}}}
        ])  # fmt: skip
        entry = store.get("T")
        assert entry is not None
        file = tmp_path / "pumps" / "p" / "0" / "changes" / entry.id

        def replace(value: int) -> None:
            table = tables.open_table(store, entry)
            rows = pa.Table.from_pylist([{"K": value}], schema=schema_of(tables.table_columns(entry)))
            assert tables.commit_result(store, entry, table, rows, replaces=True)

        replace(1)
        query = _Commits(store, entry, file)
        assert query.newest() == "1"
        assert needed_versions(tmp_path) == {entry.id: {1}}, "before Spark records it"
        assert query.changes("", "1") is not None
        replace(2)
        assert query.newest() == "2"
        replace(3)
        assert needed_versions(tmp_path) == {entry.id: {1, 2}}
        tables.sweep(store, entry, needed_versions(tmp_path)[entry.id])
        # Another process, after a crash: the micro-batch again, and the next one.
        query = _Commits(store, entry, file)
        assert query.newest() == "3"
        for before, after in (("1", "2"), ("2", "3")):
            changes = query.changes(before, after)
            assert changes is not None, query.failure()
            assert (changes.splitlines()[0], len(changes.splitlines())) == ("2 net", 3)
        replace(4)
        assert query.newest() == "4"
        assert needed_versions(tmp_path) == {entry.id: {2, 3, 4}}
        tables.sweep(store, entry, needed_versions(tmp_path)[entry.id])
        assert query.changes("1", "2") is None
        assert query.failure().startswith("RT0520 The query has read the changes of table 'T' up to version 1, and")
