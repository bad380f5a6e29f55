"""The first minute with a topic."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from kafka_streams import create
from kafka_topics import Broker
from queries import eventually

from rowtime.opening import connect
from rowtime.session import Session
from rowtime.types import times
from rowtime_cli.main import main

DAY = 24 * 3_600_000


def run(warehouse: Path, *arguments: str) -> None:
    assert main(["run", *arguments, "--warehouse", str(warehouse)]) == 0


def statement(broker: Broker, topic: str, more: str = "", columns: str = "n INT") -> str:
    return (
        f"CREATE FOREIGN STREAM orders ({columns}) "
        f"OPTIONS (connector 'kafka', servers '{broker.address}', topic '{topic}'{more})"
    )


def test_a_query_that_ends_without_rows_says_why(
    spark: object, broker: Broker, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the option `start`, a stream has what arrives from now on."""
    topic = broker.topic()
    broker.send(topic, '{"n": 1}', '{"n": 2}')
    run(tmp_path / "w", "-e", statement(broker, topic, ", rowtime 'timestamp'"))
    select = ("-e", "SELECT STREAM n FROM orders")
    run(tmp_path / "w", *select)
    done = capsys.readouterr()
    assert "Query 1 ended without a row: it takes rows that arrive while it runs" in done.err
    assert "--follow keeps it running until Ctrl-C; --from earliest begins with the rows" in done.err
    run(tmp_path / "w", *select, "--from", "earliest", "--format", "json")
    done = capsys.readouterr()
    assert [json.loads(line)["row"] for line in done.out.splitlines()] == [{"N": 1}, {"N": 2}]
    assert done.err == ""


@pytest.mark.parametrize("start", ["", ", start 'latest'"])
def test_a_pump_has_all_records_since_its_create(broker: Broker, spark: object, tmp_path: Path, start: str) -> None:
    """The session that creates it has ended before they are sent, and it was never run."""
    topic = broker.topic(partitions=2)
    broker.send(topic, '{"n": -1}', timestamp=times.now() - DAY)
    run(
        tmp_path / "w", "-e",
        statement(broker, topic, f", rowtime 'timestamp'{start}")
        + ";CREATE STREAM copy (n INT) OPTIONS (history 'all');"
        "CREATE PUMP p STARTED AS INSERT INTO copy SELECT STREAM rowtime, n FROM orders",
    )  # fmt: skip
    for partition in range(2):
        broker.send(topic, *(json.dumps({"n": 2 * i + partition}) for i in range(130)), partition=partition)
    with connect(spark, tmp_path / "w") as rt:
        log = rt.log("COPY")
        eventually(lambda: log.state().entered + log.state().late >= 260)
        rt.runtime.settle([])
        (pump,) = rt.pumps
        assert (pump.rows_in, log.state().entered + log.state().late) == (260, 260)


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ("", {"N": 1, "Customer": "ann", "DEEP": {"A": 2}}),
        (", field_case 'lower'", {"n": 1, "customer": "ann", "deep": {"A": 2}}),
        (", field_case 'upper'", {"N": 1, "CUSTOMER": "ann", "DEEP": {"A": 2}}),
    ],
)
def test_the_letter_case_of_fields(rt: Session, broker: Broker, option: str, expected: dict[str, object]) -> None:
    """Fields within a ROW keep theirs, and so does the field that the option `rowtime` names."""
    topic = broker.topic()
    columns = 'n INT, "Customer" VARCHAR(5), deep ROW(a INT)'
    create(rt, broker, topic, f", rowtime 'sentAt'{option}", columns=columns)
    rt.sql("INSERT INTO orders VALUES (TIMESTAMP '2024-05-01 10:00:00', 1, 'ann', ROW(2))")
    (record,) = broker.read(topic)
    assert json.loads(bytes(record.value or b"")) == {"sentAt": "2024-05-01T10:00:00.000", **expected}


def test_the_letter_case_of_keys(rt: Session, broker: Broker) -> None:
    """Of records that replace others: that of both, so that one is found again by the other."""
    topic = broker.topic()
    options = ", format 'upsert-json', field_case 'lower'"
    create(rt, broker, topic, options, kind="TABLE", columns="product VARCHAR(9) PRIMARY KEY, n BIGINT", name="totals")
    rt.sql("CREATE STREAM sales (product VARCHAR(9)) OPTIONS (history 'all')")
    rt.sql("CREATE PUMP p STARTED AS INSERT INTO totals SELECT STREAM product, COUNT(*) FROM sales GROUP BY product")
    for minute in range(2):
        rt.sql(f"INSERT INTO sales VALUES (TIMESTAMP '2024-05-01 10:{minute:02}:00', 'paint')")
        rt.runtime.settle([])
    found = [(json.loads(bytes(r.key or b"")), json.loads(bytes(r.value or b""))) for r in broker.read(topic)]
    assert found == [({"product": "paint"}, {"product": "paint", "n": n}) for n in (1, 2)]
    assert rt.sql("SELECT product, n FROM totals").tuples() == [("paint", 2)]  # type: ignore[union-attr]
