"""Random views over random streams, one above the other."""

from __future__ import annotations

import re
from random import Random

from .expressions import DAY, HOUR, MINUTE, SECOND

STREAMS = """
CREATE STREAM Exact (k INTEGER NOT NULL, n BIGINT NOT NULL MONOTONIC);
CREATE STREAM Late (rowtime TIMESTAMP(3) NOT NULL LATENESS INTERVAL '{late}' SECOND(9), k INTEGER NOT NULL,
    n BIGINT NOT NULL MONOTONIC)
"""
_FIRST = -70 * 365 * DAY
"""A bound before all rows."""
_ZONES = ("Europe/Berlin", "Australia/Lord_Howe", "Asia/Kolkata")
_PARTS = ("HOUR", "DAY", "SECOND")
_VIEWS = (
    "SELECT [time] AS rowtime, k, n FROM [below]",
    "SELECT rowtime, k, n, [other] AS a, [other] AS b, [number] AS x FROM [below]",
    "SELECT [time] AS rowtime, [k], COUNT(*) AS n FROM [below] GROUP BY [time][by]",
    "SELECT * FROM (SELECT [time] AS rowtime, k, n FROM [below]) ORDER BY [time]",
    "SELECT HOP_END(rowtime, [hop]) AS rowtime, [k], COUNT(*) AS n FROM [below] GROUP BY HOP(rowtime, [hop])[by]",
    "SELECT HOP_START(rowtime, [hop]) AS rowtime, [k], COUNT(DISTINCT n) AS n FROM [below] GROUP BY HOP(rowtime, [hop])"
    "[by]",
    "SELECT HOP_START(rowtime, [hop]) AS rowtime, a, COUNT(DISTINCT n) AS n, 0 AS k "
    "FROM (SELECT rowtime, n, window_start AS a FROM [windows]) GROUP BY HOP(rowtime, [hop]), a",
    "SELECT rowtime, k, n, window_start AS a, FLOOR(window_end TO [unit]) AS b FROM [windows]",
    "SELECT window_start AS a, rowtime, COUNT(*) AS n, 0 AS k FROM [windows] GROUP BY window_start, rowtime",
    "SELECT window_end AS rowtime, FLOOR(rowtime TO [unit]) AS a, COUNT(*) AS n, 0 AS k FROM [windows] "
    "GROUP BY window_end, FLOOR(rowtime TO [unit])",
    "SELECT rowtime, k, n FROM [below] "
    "QUALIFY ROW_NUMBER() OVER (PARTITION BY FLOOR(rowtime TO [unit])[by] ORDER BY n DESC) <= 3",
    "SELECT rowtime, k, n, COUNT(*) OVER ([partition]ORDER BY rowtime [frame]) AS c FROM [below]",
    "SELECT rowtime, k, n, COUNT(*) OVER ([partition]ORDER BY [time] [frame]) AS c FROM [below]",
    "SELECT rowtime, k, n, ROW_NUMBER() OVER ([partition]ORDER BY [time], n) AS c FROM [below]",
    "SELECT rowtime, k, n, SUM(n) OVER (PARTITION BY [time][by] [whole]) AS c FROM [below]",
    "SELECT rowtime, k, n, ROW_NUMBER() OVER ([partition]ORDER BY [edge], n) AS c FROM [windows]",
    "SELECT rowtime, k, n, COUNT(*) OVER ([partition]ORDER BY [edge] [frame]) AS c FROM [windows]",
    "SELECT rowtime, k, n, SUM(n) OVER (PARTITION BY [edge][by] [whole]) AS c FROM [windows]",
    "SELECT rowtime, k, n FROM [windows] QUALIFY ROW_NUMBER() OVER (PARTITION BY [edge][by] ORDER BY n DESC) <= 3",
    "SELECT rowtime, k, n FROM [windows] ORDER BY [edge]",
    "SELECT rowtime, k, n FROM [below] UNION ALL SELECT [time] AS rowtime, k, n FROM [below]",
    "SELECT rowtime, k, n, [other] AS a FROM [below] UNION ALL SELECT rowtime, k, n, [other] FROM [below]",
    "SELECT window_end AS rowtime, k, n FROM TABLE(SESSION(TABLE [below], DESCRIPTOR(rowtime), DESCRIPTOR(k), [gap]))",
    "SELECT SESSION_END(rowtime, [gap]) AS rowtime, [k], COUNT(*) AS n FROM [below] GROUP BY SESSION(rowtime, [gap])"
    "[by]",
    "SELECT SESSION_END(rowtime, [gap]) AS rowtime, [k], COUNT(DISTINCT n) AS n FROM [below] "
    "GROUP BY SESSION(rowtime, [gap])[by]",
)
_UNITS = {
    SECOND: ("SECOND", "MINUTE"),
    MINUTE: ("MINUTE", "HOUR"),
    HOUR: ("HOUR", "DAY"),
    DAY: ("DAY", "WEEK", "MONTH", "QUARTER", "YEAR"),
}


class Cases:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.scale = random.choice([SECOND, MINUTE, HOUR, DAY])
        self.late = random.choice([1, 7, 10, 45, 60, 100]) * max(1, self.scale // SECOND // random.choice([1, 6, 60]))

    def interval(self, most: int = 90) -> str:
        return f"INTERVAL '{self.random.randint(1, most) * self.scale // SECOND}' SECOND(9)"

    def unit(self) -> str:
        return self.random.choice(_UNITS[self.scale])

    def time(self, depth: int = 0) -> str:
        """Returns a function of ROWTIME that is a step of the clock."""
        inner = "rowtime" if depth > 1 or self.random.random() < 0.6 else self.time(depth + 1)
        return self.random.choice(
            [
                f"FLOOR({inner} TO {self.unit()})",
                f"CEIL({inner} TO {self.unit()})",
                f"{inner} + {self.interval()}",
                f"{inner} - {self.interval()}",
                f"CAST(CAST({inner} AS DATE) AS TIMESTAMP(3))",
                f"CAST(CAST({inner} AS DATE) + INTERVAL '{self.random.randint(-60, 60)}' HOUR AS TIMESTAMP(3))",
                "rowtime",
            ]
        )

    def edge(self) -> str:
        """Returns a time that follows from the start or the end of a window."""
        edge = self.random.choice(["window_start", "window_end"])
        return self.random.choice([edge, edge, f"FLOOR({edge} TO {self.unit()})", f"{edge} - {self.interval()}"])

    def other_time(self) -> str:
        """Returns a function of ROWTIME that keeps its order."""
        return self.random.choice(
            [
                self.time(),
                f"{self.time()} + INTERVAL '{self.random.randint(1, 14)}' MONTH",
                f"{self.time()} - INTERVAL '{self.random.randint(1, 14)}' MONTH",
                f"TIMESTAMP_TRUNC({self.time()}, {self.random.choice(['ISOYEAR', 'ISOWEEK', 'WEEK'])})",
                f"CAST({self.time()} AS TIMESTAMP(0))",
                f"FROM_UTC_TIMESTAMP({self.time()}, '{self.random.choice(_ZONES)}')",
                f"FLOOR(FROM_UTC_TIMESTAMP(rowtime, 'America/New_York') TO {self.unit()})",
            ]
        )

    def number(self, depth: int = 0) -> str:
        inner = "n" if depth > 1 or self.random.random() < 0.5 else f"({self.number(depth + 1)})"
        constant = self.random.choice(["-3", "2", "7", "0", "0.25", "-1.5"])
        return self.random.choice(
            [
                f"-{inner}",
                f"{inner} * {constant}",
                f"{inner} / {constant if constant != '0' else '4'}",
                f"{inner} + {inner}",
                f"{inner} + n",
                f"5 - {inner}",
                f"FLOOR({inner})",
                f"CAST({inner} AS BIGINT)",
                f"CAST({inner} AS DECIMAL(20, 3))",
                f"EXTRACT({self.random.choice(['YEAR', 'EPOCH'])} FROM {self.time()})",
                f"CAST(({self.time()} - TIMESTAMP '1970-01-01 00:00:00') {self.random.choice(_PARTS)} AS BIGINT)",
            ]
        )

    def statement(self, below: str) -> str:
        """Returns a query over a view with the columns rowtime, k and n, which it has itself."""
        slide = self.random.randint(1, 40)
        size = self.random.choice([slide, slide * self.random.randint(1, 4), slide + self.random.randint(0, 50)])
        hop = f"INTERVAL '{slide * self.scale // SECOND}' SECOND(9), INTERVAL '{size * self.scale // SECOND}' SECOND(9)"
        by = self.random.choice(["", ", k"])
        gap = self.interval(30)
        frame = self.random.choice(
            [
                f"RANGE {self.interval()} PRECEDING",
                f"RANGE BETWEEN {self.interval()} PRECEDING AND {self.interval()} FOLLOWING",
                "RANGE BETWEEN CURRENT ROW AND INTERVAL '0' SECOND FOLLOWING",
                "ROWS 3 PRECEDING",
            ]
        )
        partition = self.random.choice(["", "PARTITION BY k ", f"PARTITION BY FLOOR(rowtime TO {self.unit()}) "])
        windows = f"TABLE(HOP(TABLE {below}, DESCRIPTOR(rowtime), {hop}))"
        same = {"hop": hop, "by": by, "gap": gap, "below": below, "windows": windows, "frame": frame}
        same["whole"] = "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING"
        same |= {"partition": partition, "k": "k" if by else "0 AS k"}
        fresh = {
            "time": self.time,
            "other": self.other_time,
            "number": self.number,
            "unit": self.unit,
            "edge": self.edge,
        }
        view = self.random.choice(_VIEWS)

        def filled(name: re.Match[str]) -> str:
            return same[name[1]] if name[1] in same else fresh[name[1]]()

        return re.sub(r"\[(\w+)\]", filled, view)

    def steps(self, late: bool) -> list[tuple[list[list[object]], int]]:
        """Returns the rows of each step, and the bound after it."""
        random = self.random
        disorder = self.late * SECOND if late else 0
        # Near the ends of months and years, and where clocks are set.
        start = random.choice([1_711_846_800_000, 1_704_067_200_000, 1_709_164_800_000, 1_729_990_800_000])
        time, reached, number = start - random.randint(0, 50) * self.scale, _FIRST, 0
        steps = []
        for _ in range(random.randint(5, 40)):
            rows: list[list[object]] = []
            for _ in range(random.choice([0, 1, 1, 1, 2, 5])):
                time += random.choice([0, 1, random.randint(0, 3 * self.scale), random.randint(0, 60 * self.scale)])
                number += random.randint(0, 3)
                at = max(reached, time - random.randint(0, disorder)) if late else time
                rows.append([at, random.randint(0, 2), number])
            newest = max((int(str(row[0])) for row in rows), default=_FIRST)
            reached = max(reached, newest - disorder)
            if random.random() < 0.1:
                reached = max(reached, random.choice([time, reached + self.scale]))
                time = max(time, reached)
            steps.append((rows, reached))
        steps.append(([], reached + 20_000 * DAY))
        return steps
