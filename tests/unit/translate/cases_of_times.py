"""Expressions of dates, times, timestamps and intervals."""

from __future__ import annotations

from case_parts import NULL_DATE, NULL_INT, NULL_STR, NULL_TIME, NULL_TS, TIMESTAMPS, Group, each, timestamp

DATES = ("DATE '2015-02-15'", "DATE '1969-12-31'", "DATE '2016-02-29'", "DATE '2017-01-01'", NULL_DATE)

TIMES = ("TIME '10:24:45.123'", "TIME '00:00:00'", "TIME '23:59:59.999'", NULL_TIME)

UNITS = ("YEAR", "QUARTER", "MONTH", "WEEK", "DAY")

TIME_UNITS = ("HOUR", "MINUTE", "SECOND")

GROUPS: tuple[Group, ...] = (
    Group(
        "casts to times",
        ("CAST({0} AS DATE)", "CAST({0} AS TIMESTAMP(3))", "CAST({0} AS TIMESTAMP(0))"),
        each("'2015-02-15'", "'2015-02-15 10:24:45'", "'2015-02-15 10:24:45.123'", *TIMESTAMPS, *DATES, NULL_STR),
    ),
    Group(
        "casts to time of day",
        ("CAST({0} AS TIME(3))", "CAST({0} AS TIME(0))"),
        each("'10:24:45'", "'10:24:45.123'", *TIMESTAMPS[:3], *TIMES, NULL_STR),
    ),
    Group(
        "extract date parts",
        tuple(
            f"EXTRACT({u} FROM {{0}})"
            for u in (*UNITS, "DOW", "DOY", "ISODOW", "ISOYEAR", "EPOCH", "DECADE", "CENTURY", "MILLENNIUM")
        ),
        each(*TIMESTAMPS, *DATES),
    ),
    Group(
        "extract time parts",
        tuple(f"EXTRACT({u} FROM {{0}})" for u in (*TIME_UNITS, "MILLISECOND", "MICROSECOND")),
        each(*TIMESTAMPS, *TIMES),
    ),
    Group(
        "named parts",
        (
            "YEAR({0})",
            "MONTH({0})",
            "DAYOFMONTH({0})",
            "HOUR({0})",
            "MINUTE({0})",
            "SECOND({0})",
            "QUARTER({0})",
            "WEEK({0})",
            "DAYOFWEEK({0})",
            "DAYOFYEAR({0})",
        ),
        each(*TIMESTAMPS[:3], NULL_TS),
    ),
    Group(
        "floor and ceil of timestamps",
        tuple(
            f"{f}({{0}} TO {u})"
            for f in ("FLOOR", "CEIL")
            for u in (*UNITS, *TIME_UNITS, "DECADE", "CENTURY", "MILLENNIUM", "MILLISECOND")
        ),
        each(*TIMESTAMPS),
    ),
    Group(
        "floor and ceil of dates", tuple(f"{f}({{0}} TO {u})" for f in ("FLOOR", "CEIL") for u in UNITS), each(*DATES)
    ),
    Group(
        "floor and ceil of times",
        tuple(f"{f}({{0}} TO {u})" for f in ("FLOOR", "CEIL") for u in TIME_UNITS),
        each(*TIMES[:2], TIMES[3]),
    ),
    Group(
        "timestamp arithmetic",
        (
            "{0} + INTERVAL '1' HOUR",
            "{0} - INTERVAL '90' MINUTE",
            "{0} + INTERVAL '1' MONTH",
            "{0} - INTERVAL '1' YEAR",
            "{0} + INTERVAL '1 02:03:04.005' DAY TO SECOND",
            "{0} + INTERVAL '1-2' YEAR TO MONTH",
            "{0} + INTERVAL '-1' DAY",
            "{0} + 2 * INTERVAL '1' HOUR",
            "{0} + INTERVAL '0.250' SECOND(2, 3)",
            "TIMESTAMPADD(HOUR, 2, {0})",
            "TIMESTAMPADD(MONTH, -1, {0})",
            "TIMESTAMPADD(WEEK, 1, {0})",
            "TIMESTAMPADD(SECOND, 90, {0})",
        ),
        each(*TIMESTAMPS, timestamp("2015-01-31 00:00:00")),
    ),
    Group(
        "date arithmetic",
        (
            "{0} + INTERVAL '1' DAY",
            "{0} - INTERVAL '1' DAY",
            "{0} + INTERVAL '1' MONTH",
            "{0} + INTERVAL '2' YEAR",
            "TIMESTAMPADD(DAY, 3, {0})",
            "{0} + INTERVAL '25' HOUR",
        ),
        each(*DATES, "DATE '2015-01-31'"),
    ),
    Group(
        "time arithmetic",
        ("{0} + INTERVAL '1' HOUR", "{0} - INTERVAL '30' MINUTE", "{0} + INTERVAL '25' HOUR"),
        each(*TIMES),
    ),
    Group(
        "intervals",
        ("{0} + {1}", "{0} - {1}", "{0} * 3", "{0} / 2", "- {0}"),
        (
            ("INTERVAL '1' HOUR", "INTERVAL '30' MINUTE"),
            ("INTERVAL '2' DAY", "INTERVAL '1' HOUR"),
            ("INTERVAL '1-6' YEAR TO MONTH", "INTERVAL '3' MONTH"),
            ("INTERVAL '1.5' SECOND(2, 1)", "INTERVAL '1' SECOND"),
        ),
    ),
    Group(
        "casts between intervals",
        ("CAST({0} AS INTERVAL DAY TO SECOND)", "CAST({0} AS INTERVAL HOUR)"),
        each("INTERVAL '90' MINUTE", "INTERVAL '2' DAY"),
    ),
    Group(
        "parts of intervals",
        ("EXTRACT(HOUR FROM {0})", "EXTRACT(MINUTE FROM {0})", "EXTRACT(SECOND FROM {0})"),
        each(
            "INTERVAL '1 02:03:04' DAY TO SECOND",
            "INTERVAL '-1 02:03:04' DAY TO SECOND",
            "INTERVAL '49:30' HOUR TO MINUTE",
        ),
    ),
    Group(
        "parts of year intervals",
        ("EXTRACT(YEAR FROM {0})", "EXTRACT(MONTH FROM {0})"),
        each("INTERVAL '1-6' YEAR TO MONTH", "INTERVAL '-1-6' YEAR TO MONTH"),
    ),
    Group(
        "casts of intervals",
        ("CAST({0} AS INTEGER)", "CAST({0} AS BIGINT)"),
        each(
            "INTERVAL '5' HOUR", "INTERVAL '90' MINUTE", "INTERVAL '3' DAY", "INTERVAL '14' MONTH", "INTERVAL '2' YEAR"
        ),
    ),
    Group(
        "numbers to intervals",
        ("CAST({0} AS INTERVAL HOUR)", "CAST({0} AS INTERVAL DAY)", "CAST({0} AS INTERVAL MONTH)"),
        each("5", "-3", NULL_INT),
    ),
    Group(
        "distances",
        (
            "TIMESTAMPDIFF(SECOND, {0}, {1})",
            "TIMESTAMPDIFF(MINUTE, {0}, {1})",
            "TIMESTAMPDIFF(HOUR, {0}, {1})",
            "TIMESTAMPDIFF(DAY, {0}, {1})",
            "TIMESTAMPDIFF(MONTH, {0}, {1})",
            "TIMESTAMPDIFF(YEAR, {0}, {1})",
            "TIMESTAMPDIFF(WEEK, {0}, {1})",
            "TIMESTAMPDIFF(QUARTER, {0}, {1})",
            "({0} - {1}) HOUR",
            "({0} - {1}) DAY TO SECOND",
            "({0} - {1}) MONTH",
            "{0} < {1}",
        ),
        (
            (TIMESTAMPS[0], TIMESTAMPS[1]),
            (TIMESTAMPS[1], TIMESTAMPS[0]),
            (timestamp("2015-01-31 00:00:00"), timestamp("2015-02-28 00:00:00")),
            (timestamp("2016-01-31 10:00:00"), timestamp("2016-02-29 10:00:00")),
            (timestamp("2015-03-31 10:00:00"), timestamp("2015-02-28 10:00:00")),
            (TIMESTAMPS[2], TIMESTAMPS[3]),
            (NULL_TS, TIMESTAMPS[0]),
        ),
    ),
    Group(
        "distances of dates",
        (
            "TIMESTAMPDIFF(DAY, {0}, {1})",
            "TIMESTAMPDIFF(MONTH, {0}, {1})",
            "TIMESTAMPDIFF(YEAR, {0}, {1})",
            "({0} - {1}) DAY",
        ),
        (
            ("DATE '2015-02-15'", "DATE '2016-02-29'"),
            ("DATE '2016-02-29'", "DATE '2015-02-28'"),
            (NULL_DATE, "DATE '2015-02-28'"),
        ),
    ),
    Group("last day", ("LAST_DAY({0})",), each(*DATES, TIMESTAMPS[0])),
    Group(
        "tumble",
        ("FLOOR({0} TO HOUR) = FLOOR({0} TO DAY)", "CEIL({0} TO MINUTE) - INTERVAL '1' MINUTE"),
        each(*TIMESTAMPS[:4]),
    ),
)
