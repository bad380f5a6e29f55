"""Format 'upsert-json': topics whose records replace and delete earlier ones by their key."""

from __future__ import annotations

import json
from typing import Any

import pytest
from kafka_streams import create
from kafka_topics import Broker
from queries import entry_of

from rowtime.errors import RowtimeError
from rowtime.runtime.launch.folders import pump_folder
from rowtime.runtime.relation import Relation
from rowtime.session import Session

COLUMNS = "product VARCHAR(10), shop INTEGER, units INTEGER, PRIMARY KEY (shop, product)"


def changes(broker: Broker, topic: str) -> dict[str, list[Any]]:
    """Returns the values of the records of each key, in order."""
    found: dict[str, list[Any]] = {}
    for record in broker.read(topic):
        assert record.key is not None
        values = found.setdefault(bytes(record.key).decode(), [])
        values.append(None if record.value is None else json.loads(bytes(record.value)))
    return found


def rows(rt: Session) -> list[tuple[Any, ...]]:
    found = rt.sql("SELECT * FROM totals ORDER BY product, shop")
    assert isinstance(found, Relation)
    return [tuple(row) for row in found.tuples()]


def test_a_topic_has_a_result_that_changes(rt: Session, broker: Broker) -> None:
    """Also if the pump is killed after its transaction and before Spark's commit, which then runs the step again."""
    topic = broker.topic(partitions=2)
    create(rt, broker, topic, ", format 'upsert-json'", kind="TABLE", columns=COLUMNS, name="totals")
    rt.sql("CREATE STREAM sales (product VARCHAR(10), shop INTEGER, units INTEGER) OPTIONS (history 'all')")
    rt.sql(
        "CREATE PUMP p STARTED AS INSERT INTO totals SELECT STREAM product, shop, SUM(units) FROM sales "
        "GROUP BY product, shop HAVING SUM(units) > 0"
    )

    def sell(minute: int, *sales: str) -> None:
        at = f"TIMESTAMP '2024-05-01 10:{minute:02}:00'"
        rt.sql("INSERT INTO sales VALUES " + ", ".join(f"({at}, {sale})" for sale in sales))
        rt.runtime.settle([])

    sell(0, "'paint', 1, 3", "'brush', NULL, 4")
    sell(1, "'paint', 1, 5", "'brush', NULL, -4", "'paint', 2, 1")
    rt.runtime.pumps.kill()
    commits = pump_folder(rt.store, entry_of(rt, "P")) / "spark" / "commits"
    max(commits.glob("[0-9]*"), key=lambda file: int(file.name)).unlink()
    rt.runtime.pumps.restart()
    sell(2, "'brush', NULL, 2")

    def row(product: str, shop: int | None, units: int) -> dict[str, Any]:
        return {"PRODUCT": product, "SHOP": shop, "UNITS": units}

    assert changes(broker, topic) == {
        '{"SHOP":1,"PRODUCT":"paint"}': [row("paint", 1, 3), row("paint", 1, 8)],
        '{"SHOP":2,"PRODUCT":"paint"}': [row("paint", 2, 1)],
        '{"SHOP":null,"PRODUCT":"brush"}': [row("brush", None, 4), None, row("brush", None, 2)],
    }
    assert rows(rt) == [("brush", None, 2), ("paint", 1, 8), ("paint", 2, 1)]
    with pytest.raises(RowtimeError, match="RT0518: Foreign table 'TOTALS' has results"):
        rt.sql("ALTER PUMP p START RESET FROM EARLIEST")


def test_the_latest_record_of_each_key_is_a_row(rt: Session, broker: Broker) -> None:
    topic = broker.topic()
    create(rt, broker, topic, ", format 'upsert-json'", kind="TABLE", columns=COLUMNS, name="totals")
    for key, value in (
        ("a", '{"product": "a", "shop": 1, "units": 1}'),
        ("b", '{"product": "b", "shop": 1, "units": 2}'),
        ("c", '{"product": "c", "shop": 1, "units": 3}'),
        ("d", '{"product": "d", "shop": 1, "units": 4}'),
        (None, '{"product": "e", "shop": 1, "units": 5}'),
        (None, None),
        ("a", None),
        ("b", '{"product": "b", "shop": 1, "units": 6}'),
        ("c", "broken"),
        ("a", '{"product": "a", "shop": 1, "units": 7}'),
        ("d", None),
    ):
        broker.send(topic, value, key=key)
    assert rows(rt) == [("a", 1, 7), ("b", 1, 6)]
    # Rows that are final are records as well.
    rt.sql("INSERT INTO totals VALUES ('f', 2, 8)")
    assert rows(rt) == [("a", 1, 7), ("b", 1, 6), ("f", 2, 8)]
    last = broker.read(topic)[-1]
    assert last.key is not None and last.value is not None
    assert bytes(last.key) == b'{"SHOP":2,"PRODUCT":"f"}'
    assert json.loads(bytes(last.value)) == {"PRODUCT": "f", "SHOP": 2, "UNITS": 8}


def test_the_changes_of_a_topic_are_a_stream(rt: Session, broker: Broker) -> None:
    """Rows and tombstones by key; and events of Debezium, each deletion of which has a tombstone behind it."""
    topics = {name: broker.topic(partitions=2) for name in ("upsert-json", "debezium-json")}
    columns = "rowtime TIMESTAMP(3) NOT NULL LATENESS INTERVAL '1' DAY, op TINYINT, payload ROW(id INTEGER, n INTEGER)"
    for name, topic in topics.items():
        stream = name.replace("-", "_")
        create(rt, broker, topic, f", format '{name}', start 'earliest'", columns=columns, name=stream)
        rt.sql(
            f"CREATE MATERIALIZED VIEW {stream}_rows AS SELECT id, n FROM FROM_CHANGELOG({stream}, "
            "on_key => DESCRIPTOR(id))"
        )

    def send(id: int, n: int | None, op: str) -> None:
        key, row = json.dumps({"id": id}), None if n is None else {"id": id, "n": n}
        broker.send(topics["upsert-json"], None if row is None else json.dumps(row), key=key)
        event = {"before": {"id": id} if op != "c" else None, "after": row, "op": op, "ts_ms": 1_700_000_000_000}
        broker.send(topics["debezium-json"], json.dumps({"schema": {}, "payload": event}), key=key)
        if op == "d":
            broker.send(topics["debezium-json"], None, key=key)

    for changes in ([(1, 1, "c"), (2, 2, "c"), (3, 3, "c")], [(1, 4, "u"), (2, None, "d"), (4, 5, "c"), (4, 6, "u")]):
        for change in changes:
            send(*change)
        rt.runtime.settle([])
    for stream in ("upsert_json", "debezium_json"):
        found = rt.sql(f"SELECT * FROM {stream}_rows ORDER BY id")
        assert isinstance(found, Relation)
        assert [tuple(row) for row in found.tuples()] == [(1, 4), (3, 3), (4, 6)]
        entry = entry_of(rt, stream.upper())
        assert not list(rt.runtime.launcher.foreign.bad_rows(entry, "x").parent.rglob("*.jsonl"))
