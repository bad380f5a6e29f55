"""Pumps in real time: each record of a topic goes on by itself, at least once."""

from __future__ import annotations

import contextlib
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from kafka_server import Server
from kafka_streams import create
from kafka_topics import Broker
from queries import eventually

from rowtime.errors import RowtimeError
from rowtime.runtime.pump.pump import Pump
from rowtime.session import Session

HOUR = ", commit_interval '1 HOUR'"
"""Rows that come within minutes have not waited for the end of a batch."""


@pytest.fixture
def topics(rt: Session, broker: Broker) -> tuple[str, str]:
    """A topic that the foreign stream ORDERS reads, and one to which DONE writes."""
    source, target = broker.topic(), broker.topic()
    create(rt, broker, source, ", rowtime 'timestamp'")
    create(rt, broker, target, name="done")
    return source, target


def start(rt: Session, more: str = HOUR, query: str = "SELECT STREAM n * 2 FROM orders WHERE n >= 0") -> None:
    rt.sql(f"CREATE OR REPLACE PUMP p STARTED OPTIONS (mode 'realtime'{more}) AS INSERT INTO done (n) {query}")


def status(rt: Session) -> Any:
    return next(each for each in rt.pumps if each.name == "P")


def pump(rt: Session) -> Pump:
    return next(each for each in rt.runtime.pumps.running() if each.name == "P")


def written(broker: Broker, topic: str) -> list[int]:
    return [json.loads(record.value or b"")["N"] for record in broker.read(topic)]


def send(broker: Broker, topic: str, *numbers: int) -> None:
    broker.send(topic, *(json.dumps({"n": n}) for n in numbers))


def test_rows_do_not_wait_for_a_batch(
    rt: Session, broker: Broker, topics: tuple[str, str], figures: Callable[..., None]
) -> None:
    source, target = topics
    start(rt)
    send(broker, source, 1)
    eventually(lambda: written(broker, target) == [2])
    count = 20
    for n in range(count):
        broker.send(source, json.dumps({"n": n}), timestamp=int(time.time() * 1000))
        time.sleep(0.05)
    eventually(lambda: len(written(broker, target)) == 1 + count)
    sent, came = ([record.time for record in broker.read(topic)][1:] for topic in topics)
    late = sorted(each - then for then, each in zip(sent, came, strict=True))
    figures(median_ms=late[count // 2], most_ms=late[-1])
    assert status(rt).rows_out == 0, "the position is recorded when a batch ends"
    rt.sql("ALTER PUMP p STOP")
    eventually(lambda: status(rt).rows_out == 1 + count)
    assert (status(rt).rows_in, status(rt).mode) == (1 + count, "realtime")
    assert status(rt).sources["ORDERS"].position == {source: {"0": 1 + count}}
    # It has ended between two batches: nothing is written again.
    rt.sql("ALTER PUMP p START")
    send(broker, source, -1, 100)
    eventually(lambda: 200 in written(broker, target))
    rt.runtime.settle([])
    assert written(broker, target) == [2, *(2 * n for n in range(count)), 200]
    assert (status(rt).rows_in, status(rt).rows_out) == (count + 3, count + 2)


def test_records_are_whole(rt: Session, broker: Broker) -> None:
    """Keys, headers and times go on as well."""
    source, target = broker.topic(), broker.topic()
    columns = "k VARCHAR(10), h MAP<VARCHAR(10), VARBINARY(10)>, n INT"
    options = ", rowtime 'timestamp', key 'k', headers 'h', key_in_value 'false'"
    create(rt, broker, source, options, columns=columns)
    create(rt, broker, target, options, columns=columns, name="done")
    rt.sql(
        "CREATE PUMP p STARTED OPTIONS (mode 'realtime') AS INSERT INTO done "
        "SELECT STREAM rowtime - INTERVAL '1' DAY, k || '!', h, n + 1 FROM orders"
    )
    day = 86_400_000
    broker.send(source, '{"n": 1}', key="a", headers={"x": b"y"}, timestamp=20_000 * day + 17)
    broker.send(source, '{"n": 2}', timestamp=20_000 * day + 18)
    eventually(lambda: len(broker.read(target)) == 2)
    one, other = broker.read(target)
    assert (one.key, one.headers, one.time) == (b"a!", [("x", b"y")], 19_999 * day + 17)
    assert (other.key, other.headers, other.time) == (None, [], 19_999 * day + 18)
    assert [json.loads(record.value or b"") for record in (one, other)] == [{"N": 2}, {"N": 3}]


def test_a_crash_repeats_rows_and_loses_none(rt: Session, broker: Broker, topics: tuple[str, str]) -> None:
    source, target = topics
    start(rt, ", commit_interval '5 SECONDS'")
    for n in range(30):
        send(broker, source, n)
        if n in (10, 20):
            eventually(lambda n=n: 2 * n in written(broker, target))
            # As if the process had ended: Spark's query stops in the middle of a batch.
            running = pump(rt)
            assert running.job is not None and running.job.running is not None
            running.job.running._jsq.stop()
            eventually(lambda: status(rt).failed_since is not None)
            eventually(lambda: status(rt).failed_since is None)
    eventually(lambda: 58 in written(broker, target))
    found = Counter(written(broker, target))
    assert sorted(found) == [2 * n for n in range(30)]
    assert found.total() > 30, "the rows since the position was recorded come again"


def test_errors_of_rows(rt: Session, broker: Broker, topics: tuple[str, str]) -> None:
    source, target = topics
    start(rt, ", commit_interval '5 SECONDS'", "SELECT STREAM 60 / n FROM orders")
    send(broker, source, 2)
    broker.send(source, "{", '{"n": "x"}')
    eventually(lambda: written(broker, target) == [30])
    send(broker, source, 0, 3)
    eventually(lambda: status(rt).failed_row is not None)
    assert status(rt).failed_row.position == "partition 0, offset 3"
    assert ", in 60 / N of the row of 'ORDERS' at partition 0, offset 3 with N = 0" in status(rt).error
    rt.sql("ALTER PUMP p RESUME SKIP")
    eventually(lambda: 20 in written(broker, target))
    send(broker, source, 0)
    eventually(lambda: status(rt).failed_row is not None and status(rt).failed_row.position == "partition 0, offset 5")
    start(rt, ", commit_interval '5 SECONDS', on_error 'skip'", "SELECT STREAM 60 / n FROM orders")
    send(broker, source, 4)
    eventually(lambda: 15 in written(broker, target))
    rt.sql("ALTER PUMP p STOP")
    eventually(lambda: (status(rt).bad_rows, status(rt).failed_rows) == (4, 2))
    assert set(written(broker, target)) == {30, 20, 15}


def test_modes_follow_one_another(rt: Session, broker: Broker, topics: tuple[str, str]) -> None:
    source, target = topics
    query = "AS INSERT INTO done (n) SELECT STREAM n FROM orders"
    rt.sql(f"CREATE PUMP p STARTED {query}")
    for turn, options in enumerate(["(mode 'realtime')", "(mode 'microbatch')", "(mode 'realtime')"]):
        send(broker, source, 2 * turn)
        eventually(lambda turn=turn: 2 * turn in written(broker, target))
        rt.runtime.settle([])
        rt.sql(f"CREATE OR REPLACE PUMP p STARTED OPTIONS {options} {query}")
        send(broker, source, 2 * turn + 1)
        eventually(lambda turn=turn: 2 * turn + 1 in written(broker, target))
    assert written(broker, target) == list(range(6))


def test_each_partition_needs_a_core(rt: Session, broker: Broker, topics: tuple[str, str]) -> None:
    """The session of the tests has two cores."""
    source, target = topics
    wide = broker.topic(partitions=2)
    create(rt, broker, wide, name="many")
    start(rt, query="SELECT STREAM n FROM many")
    eventually(lambda: status(rt).error is not None)
    assert status(rt).error == (
        f"error RT0661: Pump 'P' failed: A pump in real time needs a core for each partition of its topic: '{wide}' "
        "has 2, and Spark has 2 cores; one is left to other queries"
    )
    rt.sql("DROP PUMP p")
    start(rt)
    send(broker, source, 1)
    eventually(lambda: written(broker, target) == [2])
    rt.sql(
        "CREATE PUMP other STARTED OPTIONS (mode 'realtime') AS INSERT INTO done (n) SELECT STREAM n + 5 FROM orders"
    )
    eventually(lambda: next(each for each in rt.pumps if each.name == "OTHER").error is not None)
    assert "of which other pumps in real time have 1" in next(each for each in rt.pumps if each.name == "OTHER").error
    # Other queries run meanwhile, and the core is free when the pump has ended.
    found: Any = rt.sql("SELECT COUNT(*) FROM (VALUES (1), (2)) AS v(x)")
    assert found.tuples() == [(2,)]
    rt.sql("DROP PUMP p")
    send(broker, source, 1)
    eventually(lambda: 6 in written(broker, target))


def test_the_broker_goes_and_comes_back(rt: Session, broker: Broker, server: Server) -> None:
    source, target = broker.topic(), broker.topic()
    impatient = ", kafka.default.api.timeout.ms '6000', kafka.request.timeout.ms '3000', kafka.max.block.ms '6000'"
    create(rt, broker, source, f", rowtime 'timestamp'{impatient}")
    create(rt, broker, target, f", rowtime 'timestamp'{impatient}, kafka.delivery.timeout.ms '6000'", name="done")
    start(rt, ", commit_interval '5 SECONDS'")
    send(broker, source, 1)
    eventually(lambda: written(broker, target) == [2])
    with killed(server):
        eventually(lambda: status(rt).failed_since is not None)
        assert "RT0526: Pump 'P' failed: Kafka does not" in status(rt).error
    send(broker, source, 2)
    eventually(lambda: 4 in written(broker, target))
    assert set(written(broker, target)) == {2, 4}


@contextlib.contextmanager
def killed(server: Server) -> Iterator[None]:
    server.kill()
    try:
        yield
    finally:
        server.start()
        server.wait()


def test_only_a_pump(rt: Session, topics: tuple[str, str]) -> None:
    with pytest.raises(RowtimeError, match="RT0347: Only a pump runs in real time"):
        rt.sql("INSERT INTO done (n) SELECT /*+ REALTIME */ STREAM n FROM orders")
    said: Any = rt.sql(
        "EXPLAIN CREATE PUMP p OPTIONS (mode 'realtime') AS INSERT INTO done (n) SELECT STREAM n FROM orders"
    )
    lines = [line for (line,) in said.tuples()]
    assert "at least once: the position is recorded every 30 seconds" in "\n".join(lines)
    rt.sql("CREATE PUMP p OPTIONS (mode 'realtime') AS INSERT INTO done (n) SELECT STREAM n FROM orders")
    shown: Any = rt.sql("SHOW PUMPS")
    assert "realtime" in shown.tuples()[0]
