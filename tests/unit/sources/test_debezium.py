"""Format 'debezium-json': the events of a table's changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rowtime.runtime.relation import Relation
from rowtime.session import Session

COLUMNS = (
    "rowtime TIMESTAMP(3) NOT NULL LATENESS INTERVAL '1' DAY, op TINYINT, payload ROW(id INTEGER, name VARCHAR(10))"
)


def event(op: str, before: Any, after: Any, at: int, *, schema: bool = False) -> str:
    made = {"before": before, "after": after, "source": {"table": "people"}, "op": op, "ts_ms": 1_700_000_000_000 + at}
    return json.dumps({"schema": {"type": "struct"}, "payload": made} if schema else made)


def test_the_table_of_a_stream_of_events(rt: Session, tmp_path: Path) -> None:
    """A snapshot, changes, a change that comes again, and what is no event; the time of an event may go back."""
    inbox = tmp_path / "events"
    inbox.mkdir()

    def drop(number: int, *lines: str) -> None:
        half = tmp_path / "half"
        half.write_text("".join(line + "\n" for line in lines))
        half.rename(inbox / f"{number}.json")
        rt.runtime.settle([])

    def people() -> list[tuple[Any, ...]]:
        found = rt.sql("SELECT * FROM people ORDER BY id")
        assert isinstance(found, Relation)
        return [tuple(row) for row in found.tuples()]

    rt.sql(
        f"CREATE FOREIGN STREAM events ({COLUMNS}) OPTIONS (connector 'files', path '{inbox}', format 'debezium-json')"
    )
    rt.sql(
        "CREATE MATERIALIZED VIEW people AS SELECT id, name FROM FROM_CHANGELOG(events, on_key => DESCRIPTOR(id)) "
        "WHERE name IS NOT NULL"
    )
    drop(
        1,
        event("r", None, {"id": 1, "name": "ann"}, 0),
        event("r", None, {"id": 2, "name": "bob"}, 0, schema=True),
        event("c", None, {"id": 3, "name": "cid", "other": [1]}, 50),
        '{"op": "c"}',
        "{broken",
    )
    assert people() == [(1, "ann"), (2, "bob"), (3, "cid")]
    again = [
        event("u", {"id": 1, "name": "ann"}, {"id": 1, "name": "Ann"}, 40),
        event("d", {"id": 2}, None, 41, schema=True),
        event("u", {"id": 3}, {"id": 3, "name": None}, 42),
    ]
    drop(2, *again)
    assert people() == [(1, "Ann")]
    drop(3, event("c", None, {"id": 2, "name": "Bea"}, 60), event("d", {"id": 9, "name": "who"}, None, 61))
    rt.runtime.pumps.kill()
    rt.runtime.pumps.restart()
    drop(4, *again)
    assert people() == [(1, "Ann")]
    bad = [line for file in tmp_path.rglob("bad_rows/**/*.jsonl") for line in file.read_text().splitlines()]
    assert sorted(json.loads(line)["reason"].split(":")[0] for line in bad) == [
        "broken JSON",
        "op 'c' without the row after it",
    ]
