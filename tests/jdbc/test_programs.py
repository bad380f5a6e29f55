"""Java programs with only the driver's jar, and their output."""

from __future__ import annotations

import jdbc_programs

from rowtime.serve.server import JdbcServer


def printed(name: str, server: JdbcServer) -> str:
    return "\n".join(jdbc_programs.run(name, server.url)) + "\n"


def test_two_producers_and_a_newcomer(server: JdbcServer) -> None:
    assert (
        printed("Producers", server)
        == """\
P1 bound 10:00 -> stream null
P1 row 10:00 -> taken 1
  row 2006-10-10 10:00:00.000 P1
P2 row 10:05 -> taken 1
  no row
P2 row 09:59 -> taken 0
P1 leaves
  row 2006-10-10 10:05:00.000 P2
bound 2006-10-10T10:05:00Z
bound 2006-10-10T10:10:00.001Z
P2 row 10:10 after a strict bound -> taken 0
P3 row 10:04 -> taken 0
P3 row 10:20 -> taken 1
  row 2006-10-10 10:20:00.000 P3
"""
    )


def test_each_type_goes_in_and_out(server: JdbcServer) -> None:
    assert (
        printed("Values", server)
        == """\
inserted 1
inserted 1
22000 RT0502: A row does not fit stream 'V': T: 1000 does not fit in TINYINT
true -8 300 70000 9223372036854775807 1.5 -Infinity 12345678901234567.891 [ab ] [99, 97, 102, 233, 32, 128512] [0, 1, -1]
2024-02-29 12:34:56.789 2024-02-29 12:34:56.789 1709210096789
[1, null, 3] PT1H30M
null null null null null null null null null null null null null null null
more false
Tokyo -9 h
"""  # noqa: E501
    )
