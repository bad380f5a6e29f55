"""A plain Java program: definitions, rows in and out, a stream with a time-out, parameters."""

from __future__ import annotations

import jdbc_programs

from rowtime.serve.server import JdbcServer

EXPECTED = """\
inserted 2
row | 2026-01-01 10:00:00.000 | ORCL | 5
row | 2026-01-01 10:01:00.000 | null | null
id true, time-out 2000
timeout
batch [1, 1, 1]
1767261720000 T0 0
1767261721000 T1 1
1767261722000 T2 2
bound 1767261780000
RT0501
parameters 2, columns 2
row | T0 | 0
row | T2 | 2
row | ORCL | 5
row | T1 | 1
42000 111 RT0111
42000 1 RT0001
42000 330 RT0330
RT0647
"""


def test_a_plain_program(server: JdbcServer) -> None:
    lines = [line.partition(":")[0] if "RT0" in line else line for line in jdbc_programs.run("Basics", server.url)]
    assert "\n".join(lines) + "\n" == EXPECTED
