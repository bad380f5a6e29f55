"""Kafka to Kafka through a pump with windows, while the broker is killed and comes back."""

from __future__ import annotations

import json
import random
import time
from collections import Counter

from kafka_server import Server
from kafka_streams import create
from kafka_topics import Broker
from queries import start_query

from rowtime.session import Session

MINUTE = 60_000
TEN = 1_423_994_400_000
LATENESS = 2 * MINUTE
DELAY = LATENESS - MINUTE
"""The most that a row is behind: there is time to read one partition before the other."""
GROUPS = (
    "SELECT STREAM TUMBLE_START(rowtime, INTERVAL '1' MINUTE) AS rowtime, product, COUNT(*) AS c, SUM(units) AS units "
    "FROM orders GROUP BY TUMBLE(rowtime, INTERVAL '1' MINUTE), product"
)
COLUMNS = "rowtime TIMESTAMP(3) NOT NULL LATENESS INTERVAL '2' MINUTE, product INTEGER, units INTEGER"


def text(millis: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(millis // 1000)) + f".{millis % 1000:03}"


def orders(seed: int, count: int) -> list[tuple[int, int, int]]:
    """Returns time, product and units; none is further behind the latest before it than the stream allows."""
    chance = random.Random(seed)
    found, latest = [], TEN
    for _ in range(count):
        latest += chance.randrange(4000)
        found.append((latest - chance.randrange(DELAY), chance.randrange(3), chance.randrange(1, 10)))
    return found


def totals(rows: list[tuple[int, int, int]], until: int) -> Counter[tuple[str, int, int, int]]:
    """Returns the expected output once the bound is `until`: the windows that end by then."""
    windows: dict[tuple[int, int], list[int]] = {}
    for at, product, units in rows:
        windows.setdefault((at // MINUTE * MINUTE, product), []).append(units)
    closed = {key: units for key, units in windows.items() if key[0] + MINUTE <= until}
    return Counter((text(start), product, len(units), sum(units)) for (start, product), units in closed.items())


def written(broker: Broker, topic: str) -> Counter[tuple[str, int, int, int]]:
    found = [json.loads(record.value or b"") for record in broker.read(topic)]
    return Counter((row["ROWTIME"], row["PRODUCT"], row["C"], row["UNITS"]) for row in found)


def test_the_broker_is_killed(rt: Session, broker: Broker, server: Server) -> None:
    source, target = broker.topic(partitions=2), broker.topic()
    impatient = ", kafka.default.api.timeout.ms '10000', kafka.request.timeout.ms '5000', kafka.max.block.ms '10000'"
    create(rt, broker, source, f", start 'earliest', max_records_per_batch '60'{impatient}", columns=COLUMNS)
    create(rt, broker, target, impatient, columns="product INTEGER, c BIGINT, units INTEGER", name="totals")
    rows = orders(3, 240)
    broken = ["{", '{"rowtime": "noon", "product": 1, "units": 1}', '{"product": 1}']

    def send(part: list[tuple[int, int, int]]) -> None:
        records = [json.dumps({"rowtime": text(at), "product": p, "units": u}) for at, p, u in part]
        for some in range(0, len(records), 8):
            for i in range(2):
                broker.send(source, *records[some + i : some + 8 : 2], partition=i)
        for i in range(2):
            broker.send(source, *broken, partition=i)

    rt.sql(f"CREATE PUMP p STARTED AS INSERT INTO totals {GROUPS}")
    send(rows[:160])
    until = time.monotonic() + 300
    while not broker.read(target):
        assert time.monotonic() < until
        time.sleep(0.1)
    # Somewhere between its batches, or in one.
    server.kill()
    time.sleep(0.5)
    server.start()
    server.wait()
    send(rows[160:])
    # Both partitions are behind the rows of the others: rows in time for one of them are in time.
    last = TEN + 100 * 24 * 60 * MINUTE
    send([(last, 9, 1)])
    expected = totals(rows, last - LATENESS)
    while written(broker, target) != expected:
        assert time.monotonic() < until, expected - written(broker, target)
        time.sleep(0.2)
    assert totals(rows, last - LATENESS).total() == len(broker.read(target))
    entry, pump = rt.store.get("ORDERS"), rt.store.get("P")
    assert entry is not None and pump is not None
    foreign = rt.runtime.launcher.foreign
    assert foreign.bad_row_count(entry, pump.id) == 3 * 2 * len(broken)
    assert foreign.late_row_count(entry, pump.id) == 0


def test_however_it_is_cut(rt: Session, broker: Broker) -> None:
    """Batches of other sizes, restarts in between: the same windows."""
    chance = random.Random(11)
    rows = orders(5, 80)
    topic = broker.topic()
    records = [json.dumps({"rowtime": text(at), "product": p, "units": u}) for at, p, u in rows]
    broker.send(topic, *records)
    until = max(at for at, _, _ in rows) - LATENESS
    expected = totals(rows, until)
    assert expected
    for most in (25, 1000):
        name = f"orders_{most}"
        create(rt, broker, topic, f", start 'earliest', max_records_per_batch '{most}'", columns=COLUMNS, name=name)
        query = start_query(rt, GROUPS.replace("orders", name))
        for _ in range(chance.randrange(2)):
            query.kill()
            query.restart()
        query.process_all_available()
        found = Counter((row[0].isoformat(timespec="milliseconds"), *row[1:]) for row in query.rows())
        assert found == expected
