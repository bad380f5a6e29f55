"""A table function that counts, in Java and in Python, compared with the tumbling window that returns the same rows."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import events
import jobs
from nexmark import DATA, EVENTS
from pairs import rounds

TESTS = Path(__file__).parents[1]
ROWS = 20
"""One in this many events is measured: a function is called for each row, which is slow."""
WINDOW = (
    "SELECT STREAM TUMBLE_END(rowtime, INTERVAL '10' SECOND) AS rowtime, auction, COUNT(*) AS n FROM bid "
    "GROUP BY TUMBLE(rowtime, INTERVAL '10' SECOND), auction"
)
FUNCTION = "SELECT STREAM * FROM counts_{}((SELECT STREAM rowtime, auction FROM bid) PARTITION BY auction)"
CREATE = (
    "CREATE OR REPLACE FUNCTION counts_{0} (input TABLE) RETURNS TABLE (n BIGINT) LANGUAGE {0} "
    "OPTIONS (state_ttl '1 minute') AS '{1}'"
)
BODIES = {"JAVA": "examples.WindowCounts", "PYTHON": "process_functions:WindowCounts"}


def measure(*, brief: bool = False) -> None:
    """Prints the figures of all three, and fails if their rows differ."""
    sys.path += [str(TESTS / "helpers"), str(TESTS / "functions")]
    from java_functions import jar

    os.environ["ROWTIME_SPARK_CONF"] = (
        f"spark.master=local[{jobs.CORES}],spark.driver.memory={jobs.HEAP},spark.jars={jar()}"
    )
    count = EVENTS // (100 if brief else ROWS)
    found = events.write_events(DATA / f"events-{count}", count, ["bid"])
    print(f"bids of each auction every ten seconds, counted by a table function: {found.rows['bid']:,} bids")
    with jobs.session() as rt:
        for language, body in BODIES.items():
            rt.sql(CREATE.format(language, body))
        size = jobs.files(200_000, ["bid"])
        queries = {"window": WINDOW, **{f"function in {name.title()}": FUNCTION.format(name) for name in BODIES}}
        runs = {name: jobs.of_sql(rt, sql, found.slices, size) for name, sql in queries.items()}
        sums = {name: job.sums() for name, job in runs.items()}
        if len(set(map(tuple, sums.values()))) != 1:
            raise SystemExit(f"The rows differ: {sums}")
        seconds, states = jobs.timers_and_states(runs)
        measured = rounds(seconds, 1 if brief else 3).rates(found.rows["bid"], "bids/s")
        measured.show({name: str(state) for name, state in states.items()})
