"""Into how many partitions a query is split: who says so, and that it stays."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from queries import drain, start_query

from rowtime.errors import RowtimeError
from rowtime.opening import connect
from rowtime.runtime.checkpoint.partitions import (
    MOST,
    default_partitions,
    kept_partitions,
    parse_partitions,
    recorded_partitions,
)
from rowtime.session import Session

from .conftest import settle, status


def session(master: str, processors: int = 6, **settings: str) -> Any:
    """A stand-in for a SparkSession with what `default_partitions` reads."""
    runtime = SimpleNamespace(getRuntime=lambda: SimpleNamespace(availableProcessors=lambda: processors))
    java = SimpleNamespace(java=SimpleNamespace(lang=SimpleNamespace(Runtime=runtime)))
    conf = {key.replace("_", "."): value for key, value in settings.items()}

    def get(key: str, *default: Any) -> Any:
        return conf.get(key, default[0] if default else "200")

    return SimpleNamespace(
        sparkContext=SimpleNamespace(master=master), _jvm=java, conf=SimpleNamespace(get=get)
    )  # no defaultParallelism: it depends on the executors that have registered


@pytest.mark.parametrize(
    ("master", "settings", "expected"),
    [
        ("local", {}, 1),
        ("local[3]", {"spark_sql_shuffle_partitions": "9", "spark_default_parallelism": "8"}, 3),
        ("local[*]", {}, 6),
        ("local[4, 2]", {}, 4),
        ("local-cluster[2, 3, 1024]", {}, 6),
        ("local[100000]", {}, MOST),
        ("spark://h:7077", {}, 200),
        ("spark://h:7077", {"spark_sql_shuffle_partitions": "9", "spark_default_parallelism": "8"}, 9),
        ("spark://h:7077", {"spark_default_parallelism": "8", "spark_cores_max": "7"}, 8),
        ("spark://h:7077", {"spark_cores_max": "7"}, 7),
        ("k8s://https://h", {"spark_executor_instances": "5", "spark_executor_cores": "4"}, 20),
        ("yarn", {"spark_executor_instances": "5"}, 5),
    ],
)
def test_default(master: str, settings: dict[str, str], expected: int) -> None:
    assert default_partitions(session(master, **settings)) == expected


@pytest.mark.parametrize("value", [0, -1, MOST + 1, "", "two", "2.5", "²", "9" * 5000, True, None])
def test_no_number_of_partitions(value: Any) -> None:
    with pytest.raises(RowtimeError, match=r"RT0625: --partitions takes a number from 1 to 4096") as found:
        parse_partitions(value, "--partitions")
    assert found.value.diagnostics[0].hint == "--partitions 4"


def test_numbers_of_partitions() -> None:
    assert [parse_partitions(value, "x") for value in (1, " 7 ", str(MOST))] == [1, 7, MOST]


def offsets(folder: Path, batch: int, conf: dict[str, str]) -> None:
    place = folder / "spark" / "offsets"
    place.mkdir(parents=True, exist_ok=True)
    query = json.dumps({"batchWatermarkMs": 0, "batchTimestampMs": 1, "conf": conf})
    (place / str(batch)).write_text(f"v1\n{query}\n-")


def test_what_was_written_down_first_stays(tmp_path: Path) -> None:
    assert recorded_partitions(tmp_path) is None
    assert kept_partitions(tmp_path, 3) == 3
    assert kept_partitions(tmp_path, 5) == 3
    assert recorded_partitions(tmp_path) == 3


def test_an_older_checkpoint_has_it_in_sparks_log(tmp_path: Path) -> None:
    offsets(tmp_path, 9, {"spark.sql.shuffle.partitions": "4"})
    offsets(tmp_path, 10, {"spark.sql.shuffle.partitions": "6"})
    assert kept_partitions(tmp_path, 2) == 6
    # From now on it is written down.
    offsets(tmp_path, 11, {})
    assert recorded_partitions(tmp_path) == 6


def test_a_pump_keeps_its_number_until_it_is_reset(spark: Any, tmp_path: Path) -> None:
    over = "SELECT STREAM rowtime, COUNT(*) OVER (ORDER BY rowtime ROWS UNBOUNDED PRECEDING) AS n FROM a"

    def create(rt: Session, options: str) -> None:
        rt.sql(f"CREATE OR REPLACE PUMP p {options} AS INSERT INTO b SELECT STREAM rowtime, n FROM ({over})")

    with connect(spark, tmp_path / "w", partitions=5) as rt:
        for name in ("a", "b"):
            rt.sql(f"CREATE STREAM {name} (n BIGINT)")
        create(rt, "")
        assert status(rt, "P").partitions is None
        rt.sql("ALTER PUMP p START")
        assert status(rt, "P").partitions == 5
        rt.sql("ALTER PUMP p STOP")
    with connect(spark, tmp_path / "w", partitions=3) as rt:
        rt.sql("ALTER PUMP p START")
        settle(rt)
        assert (status(rt, "P").partitions, status(rt, "P").error) == (5, None)
        rt.sql("ALTER PUMP p STOP")
        with pytest.raises(
            RowtimeError, match=r"RT0516: The saved state of pump 'P' .* 5 partitions, but 4 are requested"
        ):
            create(rt, "OPTIONS (partitions 4)")
        create(rt, "STARTED RESET DROP STATE OPTIONS (partitions 4)")
        assert (status(rt, "P").partitions, status(rt, "P").error) == (4, None)


def test_a_query_says_how_many(rt: Session) -> None:
    rt.sql("CREATE STREAM a (n INTEGER)")
    sql = "SELECT STREAM rowtime, COUNT(*) OVER (ORDER BY rowtime RANGE INTERVAL '1' HOUR PRECEDING) AS c FROM a"
    hinted = sql.replace("STREAM", "STREAM /*+ PARTITIONS(3) */")
    queries = [start_query(rt, sql), start_query(rt, hinted), rt.submit(hinted, partitions=1)]
    for minute in range(2):
        rt.sql(f"INSERT INTO a VALUES (TIMESTAMP '2024-05-01 10:0{minute}:00', 1)")
        for query in queries:
            assert [row[1] for row in drain(query)] == [minute + 1]
            query.kill()
            query.restart()
    assert [recorded_partitions(query.checkpoint) for query in queries] == [2, 3, 1]
    # So does Spark.
    for query in queries:
        (query.checkpoint / "partitions").unlink()
    assert [recorded_partitions(query.checkpoint) for query in queries] == [2, 3, 1]
    assert rt.settings_for(hinted)["spark.sql.shuffle.partitions"] == "3"
    with pytest.raises(RowtimeError, match="RT0625"):
        rt.submit(sql, partitions=0)


def test_a_frame_goes_on_with_the_partitions_of_its_checkpoint(rt: Session, tmp_path: Path) -> None:
    """Whatever settings a user starts the query with, the operator's keys are those of the checkpoint."""
    rt.sql("CREATE STREAM a (n INTEGER) OPTIONS (history 'all')")
    sql = (
        "SELECT STREAM /*+ FROM_EARLIEST */ rowtime, n, COUNT(*) OVER (PARTITION BY n ORDER BY rowtime"
        " RANGE INTERVAL '4' HOUR PRECEDING) AS c FROM a"
    )
    out: list[tuple[int, int]] = []
    operators = {key: value for key, value in rt.settings_for(sql).items() if "stateStore" in key or "adaptive" in key}
    for run, partitions in enumerate((3, 7, 1)):
        rows = ", ".join(f"(TIMESTAMP '2024-05-01 1{run}:0{n}:00', {n})" for n in range(6))
        rt.sql(f"INSERT INTO a VALUES {rows}")
        wanted = {**operators, "spark.sql.shuffle.partitions": str(partitions)}
        before = {key: rt.spark.conf.get(key, None) for key in wanted}
        for key, value in wanted.items():
            rt.spark.conf.set(key, value)
        try:
            frame = rt.table(sql)
            query = (
                frame.writeStream.foreachBatch(lambda df, _: out.extend((r.N, r.C) for r in df.collect()))
                .option("checkpointLocation", str(tmp_path / "checkpoint"))
                .start()
            )
            query.processAllAvailable()
            query.stop()
        finally:
            for key, known in before.items():
                if known is None:
                    rt.spark.conf.unset(key)
                else:
                    rt.spark.conf.set(key, known)
    assert sorted(out) == [(n, count) for n in range(6) for count in (1, 2, 3)]


def test_state_of_another_number_is_refused(rt: Session) -> None:
    """If the number in the checkpoint was changed, nothing is computed with a part of the state."""
    rt.sql("CREATE STREAM a (n INTEGER)")
    sql = "SELECT STREAM /*+ PARTITIONS(3) */ n, COUNT(*) OVER (PARTITION BY n ORDER BY rowtime) AS c FROM a"
    query = start_query(rt, sql.replace("ORDER BY rowtime", "ORDER BY rowtime RANGE INTERVAL '4' HOUR PRECEDING"))
    values = ", ".join(f"(TIMESTAMP '2024-05-01 10:00:00', {n})" for n in range(20))
    rt.sql(f"INSERT INTO a VALUES {values}")
    query.process_all_available()
    query.kill()
    for file in [*query.checkpoint.glob("spark/offsets/*"), query.checkpoint / "partitions"]:
        if file.name == "partitions":
            file.write_text("2")
        elif file.name.isdigit():
            file.write_text(file.read_text().replace('shuffle.partitions":"3"', 'shuffle.partitions":"2"'))
    for crc in query.checkpoint.glob("spark/offsets/.*.crc"):
        crc.unlink()
    query.restart()
    rt.sql("INSERT INTO a VALUES (TIMESTAMP '2024-05-01 11:00:00', 1)")
    with pytest.raises(RowtimeError, match=r"(?m)RT0627: .*The state has 3 partitions, but the query runs with 2$"):
        query.process_all_available()
