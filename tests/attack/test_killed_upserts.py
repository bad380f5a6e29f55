"""Processes that change a table by key and are killed, within a commit or while files become one: the table has whole
steps, and the next process goes on from the last one."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pytest
from deltalake import DeltaTable

from rowtime.catalog.changes import Entry
from rowtime.catalog.store import Store
from rowtime.delta.batches import SentBatch
from rowtime.tables import key_index, tables, upserts
from rowtime.types.columns import schema_of

KEYS, ROWS = 400, 40
PUMP = "pump:1"
_WRITER = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
import test_killed_upserts as test
test.write(sys.argv[1])
"""


def write(warehouse: str) -> None:
    """Applies steps after the last one that the table has, until it is killed. Files become one all the time."""
    from rowtime.tables import compaction

    compaction._SMALLEST = 16
    with Store(Path(warehouse)) as store:
        entry = store.get("T")
        assert entry is not None
        number = last(store, entry)
        print("ready", flush=True)
        while True:
            number += 1
            new, gone = step(number)
            schema = schema_of(tables.table_columns(entry))
            rows = pa.Table.from_pylist(
                [dict(zip(schema.names, row, strict=True)) for row in new.items()], schema=schema
            )
            deleted = pa.table([pa.array(sorted(gone), pa.int32())], schema=pa.schema([schema.field(0)]))
            upserts.apply(store, entry, schema.names[:1], rows, deleted, PUMP, SentBatch(number))


def step(number: int) -> tuple[dict[int, int], set[int]]:
    """Returns the rows of a step, and the keys that it deletes."""
    chance = random.Random(number)
    keys = chance.sample(range(KEYS), ROWS)
    return dict.fromkeys(keys[5:], number), set(keys[:5])


def last(store: Store, entry: Entry) -> int:
    batch = tables.last_batch(tables.open_table(store, entry), PUMP)
    return -1 if batch is None else batch.number


def test_the_table_has_whole_steps(tmp_path: Path, pytestconfig: pytest.Config, thorough: bool) -> None:
    with Store(tmp_path) as store:
        made = [{"name": name, "type": "INTEGER", "nullable": True} for name in ("K", "V")]
        definition = {"name": "T", "kind": "TABLE", "columns": made, "options": {}, "primaryKey": ["K"]}
        store.commit([{"action": "create", "object": definition}])
        entry = store.get("T")
        assert entry is not None
        tables.open_table(store, entry)
        model: dict[int, int] = {}
        done, chance = -1, random.Random(3)
        for _ in range(pytestconfig.getoption("--kills") or (100 if thorough else 4)):
            process = subprocess.Popen(
                [sys.executable, "-c", _WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True
            )
            assert process.stdout is not None and process.stdout.readline() == "ready\n"
            time.sleep(chance.uniform(0.3, 1))
            process.kill()
            process.communicate()
            now = last(store, entry)
            for number in range(done + 1, now + 1):
                new, gone = step(number)
                model = {key: value for key, value in model.items() if key not in gone} | new
            done = now
            found = pa.table(DeltaTable(str(tables.folder(store, entry))).scan())
            names = schema_of(tables.table_columns(entry)).names
            assert sorted(zip(*(found.column(name).to_pylist() for name in names), strict=True)) == sorted(
                model.items()
            )
        assert done > 2
        log = tables.delta_log(store, entry)
        operations = {log.commit_of(version).info["operation"] for version in log.versions()}
        assert {"MERGE", "OPTIMIZE"} <= operations
        assert (log.folder / key_index.FOLDER).is_dir()
