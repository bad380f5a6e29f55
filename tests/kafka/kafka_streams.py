"""Foreign streams over topics, and the results of queries on them."""

from __future__ import annotations

import json
from typing import Any

from kafka_topics import Broker

from rowtime.runtime.query.query import Query
from rowtime.session import Session


def create(
    rt: Session,
    broker: Broker,
    topic: str,
    more: str = "",
    kind: str = "STREAM",
    columns: str = "n INT",
    name: str = "orders",
) -> None:
    rt.sql(
        f"CREATE FOREIGN {kind} {name} ({columns}) "
        f"OPTIONS (connector 'kafka', servers '{broker.address}', topic '{topic}'{more})"
    )


def bad_rows(rt: Session, name: str, query: Query) -> list[dict[str, Any]]:
    """Returns the records that a query has set aside, as they are stored; checks that the reported count is the
    same."""
    entry = rt.store.get(name.upper())
    assert entry is not None
    foreign = rt.runtime.launcher.foreign
    files = foreign.bad_rows(entry, query.checkpoint.name).glob("*.jsonl")
    found = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    assert foreign.bad_row_count(entry, query.checkpoint.name) == len(found)
    return sorted(found, key=lambda row: (row["file"], row["offset"]))
