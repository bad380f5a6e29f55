"""A warehouse with a pump for each stateful operator, whose input arrives in stages.

Run by test_cores.py: each stage in a process of its own, or all of them in one session.

    python cores.py WAREHOUSE FOLDER STAGE STAGES EVERY [PARTITIONS]

Only one in EVERY of the pumps takes part.
"""

from __future__ import annotations

import datetime as dt
import json
import sys
import time
from pathlib import Path
from typing import Any

from rowtime.opening import connect
from rowtime.session import Session

MINUTES = 180
"""The length of the input. Its stages are equally long; hours, windows and sessions cross their ends."""
START = dt.datetime(2020, 1, 1, 8)
ALL = "OPTIONS (history 'all')"
KEYS = ("a", "b", "c", "d", "e", "f", "g")

FUNCTIONS = {
    language: f"CREATE FUNCTION idle_{language} (input TABLE, pause INTERVAL DAY TO SECOND)"
    f" RETURNS TABLE (vs VARCHAR, n INTEGER) LANGUAGE {language}"
    f" OPTIONS (state_ttl '2 hours', delay '1 hour') AS '{body}'"
    for language, body in (("java", "examples.Idle"), ("python", "process_functions:Idle"))
} | {
    f"recent_{language}": f"CREATE FUNCTION recent_{language} (input TABLE, live INTERVAL DAY TO SECOND)"
    f" RETURNS TABLE (n INTEGER, vs VARCHAR, latest VARCHAR) LANGUAGE {language} AS '{body}'"
    for language, body in (("java", "examples.Recent"), ("python", "process_functions:Recent"))
}


def idle(language: str) -> tuple[str, str]:
    """Returns the values of a key until none has arrived for a while, by a function in that language."""
    return (
        "k VARCHAR(1), vs VARCHAR, n INTEGER",
        f"SELECT STREAM * FROM idle_{language}((SELECT STREAM rowtime, k, n AS v FROM s) PARTITION BY k,"
        " INTERVAL '15' MINUTE)",
    )


def recent(language: str) -> tuple[str, str]:
    """Returns what remains of states that expire one by one."""
    return (
        "k VARCHAR(1), n INTEGER, vs VARCHAR, latest VARCHAR",
        f"SELECT STREAM * FROM recent_{language}((SELECT STREAM rowtime, k, n AS v FROM s) PARTITION BY k,"
        " INTERVAL '15' MINUTE)",
    )


# By the name of the stream that the pump fills: its columns after ROWTIME, and its query.
PUMPS: dict[str, tuple[str, str]] = {
    "over_range": (
        "k VARCHAR(1), n INTEGER, c BIGINT",
        "SELECT STREAM rowtime, k, n, COUNT(*) OVER (PARTITION BY k ORDER BY rowtime RANGE INTERVAL '4' HOUR PRECEDING)"
        " AS c FROM s",
    ),
    "over_rows": (
        "k VARCHAR(1), n INTEGER, t BIGINT, p INTEGER",
        "SELECT STREAM rowtime, k, n, SUM(CAST(n AS BIGINT)) OVER (w ROWS 9 PRECEDING) AS t, LAG(n, 3) OVER w AS p"
        " FROM s WINDOW w AS (PARTITION BY k ORDER BY rowtime)",
    ),
    "merged": ("k VARCHAR(1), n INTEGER", "SELECT STREAM rowtime, k, n FROM s UNION ALL SELECT STREAM * FROM t"),
    "joined": (
        "k VARCHAR(1), n INTEGER, m INTEGER",
        "SELECT STREAM s.rowtime, s.k, s.n, t.n AS m FROM s LEFT JOIN t ON s.k = t.k"
        " AND t.rowtime BETWEEN s.rowtime - INTERVAL '90' MINUTE AND s.rowtime + INTERVAL '20' MINUTE",
    ),
    "joined_in_hour": (
        "k VARCHAR(1), n INTEGER, m INTEGER",
        "SELECT STREAM s.rowtime, s.k, s.n, t.n AS m FROM s LEFT JOIN t ON s.k = t.k"
        " AND FLOOR(s.rowtime TO HOUR) = FLOOR(t.rowtime TO HOUR)",
    ),
    "next_row": (
        "k VARCHAR(1), n INTEGER, m INTEGER",
        "SELECT STREAM s.rowtime, s.k, s.n, t.n AS m FROM s LEFT ASOF JOIN t"
        " OVER (RANGE INTERVAL '50' MINUTE FOLLOWING) AS t MATCH_CONDITION s.rowtime < t.rowtime ON s.k = t.k",
    ),
    "sorted": (
        "k VARCHAR(1), n INTEGER",
        "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, k, n FROM s ORDER BY FLOOR(rowtime TO HOUR), n DESC, k",
    ),
    "hopping": (
        "k VARCHAR(1), c BIGINT, t BIGINT",
        "SELECT STREAM HOP_END(rowtime, INTERVAL '20' MINUTE, INTERVAL '2' HOUR) AS rowtime, k, COUNT(*) AS c,"
        " SUM(CAST(n AS BIGINT)) AS t FROM s GROUP BY HOP(rowtime, INTERVAL '20' MINUTE, INTERVAL '2' HOUR), k",
    ),
    "sessions": (
        "k VARCHAR(1), c BIGINT",
        "SELECT STREAM SESSION_END(rowtime, INTERVAL '15' MINUTE) AS rowtime, k, COUNT(*) AS c FROM s"
        " GROUP BY SESSION(rowtime, INTERVAL '15' MINUTE), k",
    ),
    "session_rows": (
        "k VARCHAR(1), n INTEGER, began TIMESTAMP(3)",
        "SELECT STREAM window_end AS rowtime, k, n, window_start AS began"
        " FROM SESSION(s, DESCRIPTOR(rowtime), DESCRIPTOR(k), INTERVAL '15' MINUTE)",
    ),
    "joined_once": (
        "k VARCHAR(1), n INTEGER",
        "SELECT STREAM a.rowtime, a.k, a.n FROM (SELECT STREAM DISTINCT FLOOR(rowtime TO HOUR) AS rowtime, k,"
        " MOD(n, 5) AS n FROM s) AS a JOIN (SELECT STREAM DISTINCT FLOOR(rowtime TO HOUR) AS rowtime, k FROM t) AS b"
        " ON a.rowtime = b.rowtime AND a.k = b.k",
    ),
    "versions": (
        "k VARCHAR(1), n INTEGER, m INTEGER",
        "SELECT STREAM s.rowtime, s.k, s.n, u.n AS m FROM s LEFT JOIN u"
        " FOR SYSTEM_TIME AS OF s.rowtime - INTERVAL '40' MINUTE ON u.k = s.k",
    ),
    "processed_java": idle("java"),
    "processed_python": idle("python"),
    "ending_java": recent("java"),
    "ending_python": recent("python"),
    "spark_sessions": (
        "k VARCHAR(1), c BIGINT",
        "SELECT STREAM SESSION_END(rowtime, INTERVAL '15' MINUTE) AS rowtime, k, COUNT(DISTINCT n) AS c FROM s"
        " GROUP BY SESSION(rowtime, INTERVAL '15' MINUTE), k",
    ),
    "distincts": (
        "k VARCHAR(1), c BIGINT, m DOUBLE",
        "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, k, COUNT(DISTINCT n) AS c, CAST(MEDIAN(n) AS DOUBLE) AS m"
        " FROM s GROUP BY FLOOR(rowtime TO HOUR), k",
    ),
    "totals": (
        "k VARCHAR(1), c BIGINT, t BIGINT",
        "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, k, COUNT(*) AS c, SUM(CAST(n AS BIGINT)) AS t FROM s"
        " GROUP BY FLOOR(rowtime TO HOUR), k",
    ),
    "top": (
        "k VARCHAR(1), n INTEGER, r BIGINT",
        "SELECT STREAM rowtime, k, n, r FROM (SELECT STREAM rowtime, k, n,"
        " RANK() OVER (PARTITION BY FLOOR(rowtime TO HOUR), MOD(n, 3) ORDER BY MOD(n, 10) DESC) AS r FROM s)"
        " WHERE r <= 2",
    ),
    # Groups with equal counts have no order of arrival.
    "top_groups": (
        "k VARCHAR(1), c BIGINT",
        "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, k, COUNT(*) AS c FROM s GROUP BY FLOOR(rowtime TO HOUR), k"
        " QUALIFY ROW_NUMBER() OVER (PARTITION BY FLOOR(rowtime TO HOUR) ORDER BY COUNT(*) DESC) <= 3",
    ),
    "in_time": (
        "k VARCHAR(1), n INTEGER",
        "SELECT STREAM rowtime, k, n FROM v",
    ),
    "late_files": (
        "k VARCHAR(1), n INTEGER",
        "SELECT STREAM rowtime, k, n FROM f",
    ),
    "late_totals": (
        "k VARCHAR(1), c BIGINT",
        "SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, k, COUNT(*) AS c FROM f GROUP BY FLOOR(rowtime TO HOUR), k",
    ),
    "held_files": (
        "k VARCHAR(1), n INTEGER",
        "SELECT STREAM rowtime, k, n FROM g",
    ),
    "changes": (
        "op TINYINT, k VARCHAR(1), c BIGINT, d BIGINT, m INTEGER",
        "SELECT STREAM op, payload.k, payload.c, payload.d, payload.m FROM TO_CHANGELOG((SELECT k, COUNT(*) AS c,"
        " COUNT(DISTINCT MOD(n, 7)) AS d, MIN(n) AS m FROM s GROUP BY k))",
    ),
    "changes_of_changes": (
        "op TINYINT, c BIGINT, n BIGINT, t BIGINT",
        "SELECT STREAM op, payload.c, payload.n, payload.t FROM TO_CHANGELOG((SELECT c, COUNT(*) AS n, SUM(t) AS t"
        " FROM (SELECT k, COUNT(*) AS c, SUM(n) AS t FROM s GROUP BY k) GROUP BY c))",
    ),
    "changes_with_time": (
        "op TINYINT, k VARCHAR(1), n INTEGER",
        "SELECT STREAM op, payload.k, payload.n FROM TO_CHANGELOG((SELECT k, n FROM s"
        " WHERE rowtime BETWEEN NOW() - INTERVAL '70' MINUTE AND NOW() - INTERVAL '10' MINUTE))",
    ),
    "changes_of_recent_counts": (
        "op TINYINT, k VARCHAR(1), c BIGINT",
        "SELECT STREAM op, payload.k, payload.c FROM TO_CHANGELOG((SELECT k, c FROM (SELECT k, COUNT(*) AS c,"
        " MAX(rowtime) AS latest FROM s GROUP BY k) WHERE latest > NOW() - INTERVAL '30' MINUTE))",
    ),
    "changes_that_end": (
        "op TINYINT, k VARCHAR(1), c BIGINT, d BIGINT",
        "SELECT STREAM op, payload.k, payload.c, payload.d FROM TO_CHANGELOG((SELECT /*+ STATE_TTL('s' = '15m') */"
        " k, COUNT(*) AS c, COUNT(DISTINCT MOD(n, 7)) AS d FROM s GROUP BY k))",
    ),
    "changes_of_first_rows": (
        "op TINYINT, k VARCHAR(1), n INTEGER, place BIGINT",
        "SELECT STREAM op, payload.k, payload.n, payload.place FROM TO_CHANGELOG((SELECT /*+ STATE_TTL('s' = '15m') */"
        " k, n, ROW_NUMBER() OVER (PARTITION BY k ORDER BY MOD(n, 7), n) AS place FROM s QUALIFY place <= 2))",
    ),
    "several": (
        "k VARCHAR(1), c BIGINT, t BIGINT",
        "SELECT STREAM rowtime, k, c, SUM(c) OVER (PARTITION BY k ORDER BY rowtime RANGE INTERVAL '3' HOUR PRECEDING)"
        " AS t FROM (SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, k, COUNT(DISTINCT n) AS c"
        " FROM (SELECT STREAM rowtime, k, n FROM s UNION ALL SELECT STREAM * FROM t)"
        " GROUP BY FLOOR(rowtime TO HOUR), k)",
    ),
}


def keep_one_in(every: int) -> None:
    """Leaves one in `every` of the pumps."""
    for name in [name for number, name in enumerate(PUMPS) if number % every]:
        del PUMPS[name]


def set_up(rt: Session, folder: Path) -> None:
    for name in ("s", "t"):
        rt.sql(f"CREATE STREAM {name} (k VARCHAR(1), n INTEGER) {ALL}")
    rt.sql(f"CREATE STREAM u (k VARCHAR(1) PRIMARY KEY, n INTEGER) {ALL}")
    for name, declared in (("f", "LATENESS INTERVAL '10' MINUTE"), ("g", "WATERMARK INTERVAL '10' MINUTE")):
        (folder / name).mkdir(parents=True)
        rt.sql(
            f"CREATE FOREIGN STREAM {name} (rowtime TIMESTAMP(3) NOT NULL {declared}, k VARCHAR(1), n INTEGER)"
            f" OPTIONS (connector 'files', path '{folder / name}', format 'json')"
        )
    # N increases irregularly, and some rows are further behind than the view allows.
    rt.sql("CREATE VIEW v AS SELECT rowtime, k, n FROM s")
    rt.sql("LATENESS v.n 20")
    for create in FUNCTIONS.values():
        rt.sql(create)
    for name, (columns, query) in PUMPS.items():
        lateness = " LATENESS INTERVAL '1' HOUR" if name in ("late_files", "sorted") else ""
        if name.startswith("changes"):
            # Changes have no ROWTIME.
            rt.sql(f"CREATE TABLE {name} ({columns})")
        else:
            rt.sql(f"CREATE STREAM {name} (rowtime TIMESTAMP(3) NOT NULL{lateness}, {columns}) {ALL}")
        rt.sql(f"CREATE PUMP p_{name} STARTED AS INSERT INTO {name} {query}")


def feed(rt: Session, folder: Path, stage: int, stages: int) -> None:
    """Inserts the rows of one stage in one step."""
    wait(rt)
    length = MINUTES // stages
    # There are no rows after 40 minutes of an hour, so that sessions end.
    minutes = [m for m in range(stage * length, (stage + 1) * length) if m % 60 < 40]
    made = [(m, KEYS[3 * m % len(KEYS)], 13 * m % 41 + 5 * stage) for m in minutes]
    for name, some in (("S", made), ("T", made[::3]), ("U", made[::2])):
        rt.producer(name, "feed", None).insert([(START + dt.timedelta(minutes=m), k, n) for m, k, n in some])
    for name in ("f", "g"):
        # Every fourth row is up to a quarter of an hour late.
        behind = [(m - (15 if i % 8 == 0 else 6) if i % 4 == 0 else m, k, n) for i, (m, k, n) in enumerate(made)]
        write(folder / name / f"{stage:02}.json", behind)
    rt.runtime.settle([])


def end(rt: Session, folder: Path) -> None:
    """Advances time until all groups are complete."""
    wait(rt)
    last = START + dt.timedelta(hours=24)
    for name in ("S", "T", "U"):
        rt.producer(name, "feed", None).set_rowtime_bound(last)
    for name in ("f", "g"):
        write(folder / name / "99.json", [(24 * 60, "z", 0)])
        rt.runtime.settle([])
    write(folder / "f" / "999.json", [(24 * 60 + 1, "z", 0)])
    write(folder / "g" / "999.json", [(24 * 60 + 1, "z", 0)])
    rt.runtime.settle([])


def write(file: Path, rows: list[tuple[int, str, int]]) -> None:
    lines = [{"ROWTIME": str(START + dt.timedelta(minutes=m)), "K": k, "N": n} for m, k, n in rows]
    half = file.parent.parent / "half"
    half.write_text("".join(json.dumps(line) + "\n" for line in lines))
    half.rename(file)


def wait(rt: Session) -> None:
    deadline = time.monotonic() + 300
    while len(rt.runtime.pumps.running()) < len(PUMPS):
        faults = [(pump.name, pump.error) for pump in rt.pumps if pump.error]
        assert not faults
        assert time.monotonic() < deadline
        time.sleep(0.1)


def found(rt: Session) -> dict[str, Any]:
    """Returns all rows that were emitted, and the numbers of late rows, by the name of the stream."""
    rows: dict[str, Any] = {}
    for name in PUMPS:
        relation: Any = rt.sql(f"SELECT * FROM {name}")
        rows[name] = sorted([str(v) if isinstance(v, dt.datetime) else v for v in row] for row in relation.tuples())
    return rows


def main(warehouse: str, folder: str, stage: int, stages: int, every: int, partitions: str = "") -> None:
    keep_one_in(every)
    with connect(warehouse=warehouse, partitions=int(partitions) if partitions else None) as rt:
        if stage == 0:
            set_up(rt, Path(folder))
        feed(rt, Path(folder), stage, stages)
        if stage == stages - 1:
            end(rt, Path(folder))
        assert [(pump.name, pump.error) for pump in rt.pumps if pump.error] == []
        partitions_of_pumps = sorted({pump.partitions or 0 for pump in rt.pumps})
        rows = found(rt) if stage == stages - 1 else {}
        print(json.dumps({"partitions": partitions_of_pumps, "rows": rows}))


if __name__ == "__main__":
    main(*sys.argv[1:3], *map(int, sys.argv[3:6]), *sys.argv[6:])
