"""SQL expressions whose value Calcite knows: the yardstick of the translator.

A group is a list of templates and a list of argument tuples; each template is tried with each tuple. `{0}`, `{1}` … are
columns on the one side and the literals themselves on the other.
"""

from __future__ import annotations

from dataclasses import dataclass

NULL_INT = "CAST(NULL AS INTEGER)"
NULL_BIG = "CAST(NULL AS BIGINT)"
NULL_DEC = "CAST(NULL AS DECIMAL(10, 2))"
NULL_DBL = "CAST(NULL AS DOUBLE)"
NULL_STR = "CAST(NULL AS VARCHAR(10))"
NULL_BOOL = "CAST(NULL AS BOOLEAN)"
NULL_DATE = "CAST(NULL AS DATE)"
NULL_TIME = "CAST(NULL AS TIME(3))"
NULL_TS = "CAST(NULL AS TIMESTAMP(3))"


@dataclass(frozen=True)
class Group:
    name: str
    templates: tuple[str, ...]
    arguments: tuple[tuple[str, ...], ...]


def _ts(text: str) -> str:
    return f"TIMESTAMP '{text}'"


TIMESTAMPS = (
    _ts("2015-02-15 10:24:45.123"),
    _ts("2016-02-29 00:00:00"),
    _ts("1969-12-31 23:59:59.999"),
    _ts("1960-01-01 12:00:00"),
    _ts("2000-12-31 23:59:59.001"),
    _ts("2001-01-01 00:00:00"),
    _ts("2017-01-01 00:00:00"),  # a Sunday
    NULL_TS,
)
DATES = ("DATE '2015-02-15'", "DATE '1969-12-31'", "DATE '2016-02-29'", "DATE '2017-01-01'", NULL_DATE)
TIMES = ("TIME '10:24:45.123'", "TIME '00:00:00'", "TIME '23:59:59.999'", NULL_TIME)
UNITS = ("YEAR", "QUARTER", "MONTH", "WEEK", "DAY")
TIME_UNITS = ("HOUR", "MINUTE", "SECOND")


def _each(*values: str) -> tuple[tuple[str, ...], ...]:
    return tuple((v,) for v in values)


INTEGERS = (
    ("7", "2"),
    ("-7", "2"),
    ("7", "-2"),
    ("-7", "-2"),
    ("0", "5"),
    (NULL_INT, "2"),
    ("2", NULL_INT),
    ("2147483646", "1"),
)
BIGINTS = (
    ("CAST(7 AS BIGINT)", "2"),
    ("9223372036854775806", "1"),
    ("CAST(-7 AS BIGINT)", "CAST(2 AS BIGINT)"),
    (NULL_BIG, "1"),
)
DECIMALS = (
    ("10.25", "3"),
    ("10.25", "4.00"),
    ("-10.25", "4.5"),
    ("0.10", "0.3"),
    (NULL_DEC, "1.5"),
    ("99999999.99", "2.0"),
    ("CAST(1.005 AS DECIMAL(19, 6))", "CAST(3 AS DECIMAL(10, 2))"),
)
DOUBLES = (
    ("CAST(7.5 AS DOUBLE)", "CAST(2 AS DOUBLE)"),
    ("CAST(-1.5 AS DOUBLE)", "2"),
    ("1", "CAST(3 AS DOUBLE)"),
    ("2.5", "CAST(0.5 AS DOUBLE)"),
    ("CAST(1.5 AS REAL)", "CAST(2.25 AS REAL)"),
    (NULL_DBL, "1"),
)

GROUPS: tuple[Group, ...] = (
    Group(
        "arithmetic",
        ("{0} + {1}", "{0} - {1}", "{0} * {1}", "{0} / {1}"),
        INTEGERS + BIGINTS + DECIMALS + DOUBLES,
    ),
    Group("modulo", ("MOD({0}, {1})",), INTEGERS + BIGINTS + DECIMALS[:4]),
    Group(
        "small integers",
        ("{0} + {1}", "{0} * {1}", "{0} / {1}", "{0} - {1}"),
        (
            ("CAST(100 AS TINYINT)", "CAST(2 AS TINYINT)"),
            ("CAST(7 AS SMALLINT)", "CAST(2 AS TINYINT)"),
            ("CAST(30000 AS SMALLINT)", "1"),
        ),
    ),
    Group(
        "overflow",
        ("{0} + {1}", "{0} * {1}", "{0} - {1}"),
        (
            ("2147483647", "1"),
            ("-2147483648", "2147483647"),
            ("9223372036854775807", "1"),
            ("CAST(127 AS TINYINT)", "CAST(127 AS TINYINT)"),
        ),
    ),
    Group(
        "division by zero",
        ("{0} / {1}",),
        (("1", "0"), ("1.5", "0.0"), ("CAST(1 AS BIGINT)", "0"), ("CAST(1 AS DOUBLE)", "CAST(0 AS DOUBLE)")),
    ),
    Group("modulo by zero", ("MOD({0}, {1})",), (("1", "0"), ("1.5", "0.0"))),
    Group(
        "one number",
        ("ABS({0})", "- {0}", "SIGN({0})", "FLOOR({0})", "CEIL({0})", "ROUND({0})", "TRUNCATE({0})"),
        _each(
            "5",
            "-5",
            "0",
            NULL_INT,
            "CAST(-9 AS BIGINT)",
            "CAST(-9 AS TINYINT)",
            "2.5",
            "-2.5",
            "-2.4",
            "0.00",
            "1234.5678",
            NULL_DEC,
            "CAST(2.5 AS DOUBLE)",
            "CAST(-2.5 AS DOUBLE)",
            "CAST(1e20 AS DOUBLE)",
            "CAST(-0.4 AS DOUBLE)",
            NULL_DBL,
        ),
    ),
    Group(
        "to places",
        (
            "ROUND({0}, 1)",
            "TRUNCATE({0}, 1)",
            "ROUND({0}, -1)",
            "TRUNCATE({0}, -1)",
            "ROUND({0}, 2)",
            "TRUNCATE({0}, 2)",
        ),
        _each(
            "15",
            "-15",
            "12345",
            "1.25",
            "-1.25",
            "1.15",
            "149.995",
            "CAST(1.15 AS DOUBLE)",
            "CAST(-1.25 AS DOUBLE)",
            "CAST(123456.789 AS DOUBLE)",
            NULL_DEC,
            NULL_DBL,
            NULL_INT,
        ),
    ),
    Group(
        "functions of doubles",
        ("SQRT({0})", "EXP({0})", "LN({0})", "LOG10({0})", "POWER({0}, 2)", "POWER({0}, 0.5)", "POWER(2, {0})"),
        _each("4", "2.25", "CAST(9 AS DOUBLE)", "1", "CAST(0.5 AS DOUBLE)", NULL_DBL, "CAST(100 AS BIGINT)"),
    ),
    Group("functions at their edges", ("SQRT({0})", "LN({0})", "LOG10({0})"), _each("0", "-1")),
    Group(
        "comparison",
        (
            "{0} = {1}",
            "{0} <> {1}",
            "{0} < {1}",
            "{0} <= {1}",
            "{0} > {1}",
            "{0} >= {1}",
            "{0} IS DISTINCT FROM {1}",
            "{0} IS NOT DISTINCT FROM {1}",
        ),
        (
            ("1", "2"),
            ("1", "1.0"),
            ("1", NULL_INT),
            (NULL_INT, NULL_INT),
            ("'a'", "'b'"),
            ("'a'", "'a '"),
            ("'a'", "'ab'"),
            ("'Z'", "'a'"),
            ("CAST(1 AS DOUBLE)", "1.5"),
            ("DATE '2015-02-15'", "DATE '2015-02-16'"),
            (TIMESTAMPS[0], TIMESTAMPS[1]),
            ("TRUE", "FALSE"),
            ("INTERVAL '1' HOUR", "INTERVAL '60' MINUTE"),
            ("TIME '10:00:00'", "TIME '09:00:00'"),
        ),
    ),
    Group(
        "between",
        ("{0} BETWEEN {1} AND {2}", "{0} NOT BETWEEN {1} AND {2}", "{0} IN ({1}, {2})"),
        (("2", "1", "3"), ("0", "1", "3"), ("2", NULL_INT, "3"), ("5", NULL_INT, "3"), (NULL_INT, "1", "2")),
    ),
    Group(
        "logic",
        (
            "{0} AND {1}",
            "{0} OR {1}",
            "NOT {0}",
            "{0} IS TRUE",
            "{0} IS NOT TRUE",
            "{0} IS FALSE",
            "{0} IS NOT FALSE",
            "{0} IS UNKNOWN",
            "{0} IS NOT UNKNOWN",
            "{0} IS NULL",
            "{0} = {1} OR {1} IS NULL",
        ),
        tuple((a, b) for a in ("TRUE", "FALSE", NULL_BOOL) for b in ("TRUE", "FALSE", NULL_BOOL)),
    ),
    Group(
        "choice",
        (
            "CASE WHEN {0} > 1 THEN {1} ELSE 'other' END",
            "CASE {0} WHEN 1 THEN {1} WHEN 2 THEN 'two' END",
            "COALESCE({1}, 'none')",
            "NULLIF({0}, 2)",
            "CASE WHEN {0} > 1 THEN 1 WHEN {0} = 1 THEN 2.5 ELSE NULL END",
            "CASE WHEN {0} > 1 THEN 'units' ELSE 'unit' END",
            "{0} || CASE {0} WHEN 1 THEN ' unit' ELSE ' units' END",
            "COALESCE({0}, 1.5)",
        ),
        (("1", "'x'"), ("2", "'y'"), (NULL_INT, NULL_STR), ("0", "'z '")),
    ),
    Group(
        "one string",
        (
            "UPPER({0})",
            "LOWER({0})",
            "CHAR_LENGTH({0})",
            "INITCAP({0})",
            "TRIM({0})",
            "TRIM(LEADING ' ' FROM {0})",
            "TRIM(TRAILING ' ' FROM {0})",
            "TRIM(BOTH 'a' FROM {0})",
            "{0} || 'x'",
            "'x' || {0} || 'y'",
            "{0} || 1",
            "REPLACE({0}, 'b', 'xyz')",
            "REPLACE({0}, 'b', '')",
        ),
        _each(
            "'abc'",
            "'  aBc  '",
            "''",
            "'aaa'",
            "'hello wORLD-foo 1st'",
            "'it''s \\ \"q\"'",
            "'Ünïcode ß'",
            NULL_STR,
            "CAST('abc' AS VARCHAR(10))",
        ),
    ),
    Group(
        "substring",
        (
            "SUBSTRING({0} FROM {1})",
            "SUBSTRING({0}, {1}, {2})",
            "SUBSTRING({0} FROM {1} FOR {2})",
            "SUBSTRING({0} FROM 2)",
            "SUBSTRING({0} FROM 2 FOR 2)",
            "SUBSTRING({0} FROM 0 FOR 2)",
            "SUBSTRING({0} FROM -1 FOR 4)",
        ),
        (
            ("'hello'", "1", "3"),
            ("'hello'", "2", "100"),
            ("'hello'", "0", "2"),
            ("'hello'", "6", "1"),
            ("'hello'", "-2", "5"),
            ("'hello'", "-5", "2"),
            ("'hello'", "3", "0"),
            ("''", "1", "1"),
            (NULL_STR, "1", "1"),
            ("'hello'", NULL_INT, "1"),
            ("'hello'", "1", NULL_INT),
            ("'hello'", "2147483647", "2147483647"),
        ),
    ),
    Group("negative length", ("SUBSTRING({0} FROM {1} FOR {2})",), (("'hello'", "1", "-1"),)),
    Group(
        "position",
        ("POSITION({0} IN {1})", "POSITION({0} IN {1} FROM 2)"),
        (
            ("'l'", "'hello'"),
            ("'lo'", "'hello'"),
            ("'x'", "'hello'"),
            ("''", "'hello'"),
            ("'h'", "''"),
            (NULL_STR, "'a'"),
            ("'a'", NULL_STR),
        ),
    ),
    Group(
        "overlay",
        (
            "OVERLAY({0} PLACING {1} FROM {2})",
            "OVERLAY({0} PLACING {1} FROM {2} FOR 1)",
            "OVERLAY({0} PLACING {1} FROM {2} FOR 0)",
        ),
        (
            ("'abcdef'", "'XY'", "2"),
            ("'abcdef'", "'XY'", "1"),
            ("'abcdef'", "''", "3"),
            (NULL_STR, "'x'", "1"),
            ("'abcdef'", NULL_STR, "1"),
            ("'abcdef'", "'XY'", NULL_INT),
        ),
    ),
    Group(
        "overlay outside",
        ("OVERLAY({0} PLACING {1} FROM {2})",),
        (("'abc'", "'XY'", "0"), ("'abc'", "'XY'", "9"), ("'abc'", "'XY'", "3")),
    ),
    Group("trim by several", ("TRIM(BOTH 'ab' FROM {0})",), _each("'abc'")),
    Group(
        "like",
        (
            "{0} LIKE 'a%'",
            "{0} LIKE '%b_'",
            "{0} NOT LIKE 'a%'",
            "{0} LIKE 'a!_c' ESCAPE '!'",
            "{0} LIKE 'a\\_c'",
            "{0} LIKE '%\\%'",
            "{0} LIKE ''",
            "{0} LIKE {0}",
            "{0} LIKE '%.%'",
        ),
        _each("'abc'", "'a_c'", "'a\\xc'", "'a.c'", "''", "'ab\nc'", NULL_STR),
    ),
    Group(
        "similar",
        (
            "{0} SIMILAR TO '(a|b)%'",
            "{0} SIMILAR TO '[a-c]+'",
            "{0} NOT SIMILAR TO 'a_c'",
            "{0} SIMILAR TO '[^x]*'",
            "{0} SIMILAR TO 'a.c'",
            "{0} SIMILAR TO 'a\\_c' ESCAPE '\\'",
            "{0} SIMILAR TO '[[:ALPHA:]]{{3}}'",
            "{0} SIMILAR TO 'ab?c*'",
        ),
        _each("'abc'", "'a.c'", "'a_c'", "'xyz'", "''", "'abcd'", NULL_STR),
    ),
    Group(
        "cast to text",
        ("CAST({0} AS VARCHAR(30))", "CAST({0} AS CHAR(5))", "CAST({0} AS VARCHAR(2))", "CAST({0} AS VARCHAR)"),
        _each(
            "12",
            "-12",
            "CAST(123456789012 AS BIGINT)",
            "1.50",
            "0.50",
            "-0.50",
            "0.00",
            "100.00",
            "TRUE",
            "FALSE",
            "'ab'",
            "'abcdef'",
            "'ab  '",
            "DATE '2015-02-15'",
            "TIME '10:24:45'",
            "TIME '10:24:45.123'",
            TIMESTAMPS[0],
            TIMESTAMPS[1],
            "CAST(1.5 AS DOUBLE)",
            NULL_INT,
            NULL_STR,
            NULL_TS,
        ),
    ),
    Group(
        "doubles to text",
        ("CAST({0} AS VARCHAR(30))", "'<' || {0} || '>'"),
        _each(
            "CAST(0 AS DOUBLE)",
            "CAST(1 AS DOUBLE)",
            "CAST(10 AS DOUBLE)",
            "CAST(100 AS DOUBLE)",
            "CAST(-123.456 AS DOUBLE)",
            "CAST(0.1 AS DOUBLE)",
            "CAST(0.000001 AS DOUBLE)",
            "CAST(0.0000001 AS DOUBLE)",
            "CAST(1230000 AS DOUBLE)",
            "1e20",
            "1.5e-10",
            "123456789.125e0",
            "(1e0 / 3e0)",
            "CAST(1.5 AS REAL)",
            "CAST(0.1 AS REAL)",
            "CAST(1e10 AS REAL)",
            "1e300",
            NULL_DBL,
        ),
    ),
    Group(
        "cast text to numbers",
        (
            "CAST({0} AS INTEGER)",
            "CAST({0} AS BIGINT)",
            "CAST({0} AS DECIMAL(10, 2))",
            "CAST({0} AS DOUBLE)",
            "CAST({0} AS SMALLINT)",
        ),
        _each("'12'", "' 12 '", "'-7'", "'+7'", NULL_STR),
    ),
    Group(
        "cast text to fractions",
        ("CAST({0} AS DECIMAL(10, 2))", "CAST({0} AS DOUBLE)", "CAST({0} AS REAL)"),
        _each("'1.5'", "'1.555'", "'-1.555'", "'1e2'", "'.5'", "'1.'"),
    ),
    Group(
        "bad casts",
        (
            "CAST({0} AS INTEGER)",
            "CAST({0} AS DECIMAL(10, 2))",
            "CAST({0} AS DOUBLE)",
            "CAST({0} AS DATE)",
            "CAST({0} AS TIMESTAMP(3))",
            "CAST({0} AS TIME(3))",
            "CAST({0} AS BOOLEAN)",
        ),
        _each("'abc'", "''", "'12x'"),
    ),
    Group(
        "casts of numbers",
        (
            "CAST({0} AS INTEGER)",
            "CAST({0} AS BIGINT)",
            "CAST({0} AS DECIMAL(10, 1))",
            "CAST({0} AS DECIMAL(5, 0))",
            "CAST({0} AS DOUBLE)",
            "CAST({0} AS REAL)",
            "CAST({0} AS SMALLINT)",
        ),
        _each(
            "12",
            "1.25",
            "-1.25",
            "1.35",
            "1.5",
            "-1.5",
            "2.5",
            "99.99",
            "CAST(1.25 AS DOUBLE)",
            "CAST(-1.75 AS DOUBLE)",
            "CAST(3 AS BIGINT)",
            NULL_INT,
            NULL_DEC,
            NULL_DBL,
        ),
    ),
    Group(
        "casts out of range",
        ("CAST({0} AS TINYINT)", "CAST({0} AS INTEGER)", "CAST({0} AS DECIMAL(3, 1))"),
        _each("300", "9999999999", "1234.5", "CAST(1e10 AS DOUBLE)"),
    ),
    Group(
        "casts of booleans",
        ("CAST({0} AS BOOLEAN)",),
        _each("'true'", "' FALSE '", "'True'", "'t'", "'1'", NULL_STR, "TRUE"),
    ),
    Group(
        "casts to times",
        ("CAST({0} AS DATE)", "CAST({0} AS TIMESTAMP(3))", "CAST({0} AS TIMESTAMP(0))"),
        _each("'2015-02-15'", "'2015-02-15 10:24:45'", "'2015-02-15 10:24:45.123'", *TIMESTAMPS, *DATES, NULL_STR),
    ),
    Group(
        "casts to time of day",
        ("CAST({0} AS TIME(3))", "CAST({0} AS TIME(0))"),
        _each("'10:24:45'", "'10:24:45.123'", *TIMESTAMPS[:3], *TIMES, NULL_STR),
    ),
    Group(
        "extract date parts",
        tuple(
            f"EXTRACT({u} FROM {{0}})"
            for u in (*UNITS, "DOW", "DOY", "ISODOW", "ISOYEAR", "EPOCH", "DECADE", "CENTURY", "MILLENNIUM")
        ),
        _each(*TIMESTAMPS, *DATES),
    ),
    Group(
        "extract time parts",
        tuple(f"EXTRACT({u} FROM {{0}})" for u in (*TIME_UNITS, "MILLISECOND", "MICROSECOND")),
        _each(*TIMESTAMPS, *TIMES),
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
        _each(*TIMESTAMPS[:3], NULL_TS),
    ),
    Group(
        "floor and ceil of timestamps",
        tuple(
            f"{f}({{0}} TO {u})"
            for f in ("FLOOR", "CEIL")
            for u in (*UNITS, *TIME_UNITS, "DECADE", "CENTURY", "MILLENNIUM", "MILLISECOND")
        ),
        _each(*TIMESTAMPS),
    ),
    Group(
        "floor and ceil of dates", tuple(f"{f}({{0}} TO {u})" for f in ("FLOOR", "CEIL") for u in UNITS), _each(*DATES)
    ),
    Group(
        "floor and ceil of times",
        tuple(f"{f}({{0}} TO {u})" for f in ("FLOOR", "CEIL") for u in TIME_UNITS),
        _each(*TIMES[:2], TIMES[3]),
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
        _each(*TIMESTAMPS, _ts("2015-01-31 00:00:00")),
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
        _each(*DATES, "DATE '2015-01-31'"),
    ),
    Group(
        "time arithmetic",
        ("{0} + INTERVAL '1' HOUR", "{0} - INTERVAL '30' MINUTE", "{0} + INTERVAL '25' HOUR"),
        _each(*TIMES),
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
        "parts of intervals",
        ("EXTRACT(HOUR FROM {0})", "EXTRACT(MINUTE FROM {0})", "EXTRACT(SECOND FROM {0})"),
        _each(
            "INTERVAL '1 02:03:04' DAY TO SECOND",
            "INTERVAL '-1 02:03:04' DAY TO SECOND",
            "INTERVAL '49:30' HOUR TO MINUTE",
        ),
    ),
    Group(
        "parts of year intervals",
        ("EXTRACT(YEAR FROM {0})", "EXTRACT(MONTH FROM {0})"),
        _each("INTERVAL '1-6' YEAR TO MONTH", "INTERVAL '-1-6' YEAR TO MONTH"),
    ),
    Group(
        "casts of intervals",
        ("CAST({0} AS INTEGER)", "CAST({0} AS BIGINT)"),
        _each(
            "INTERVAL '5' HOUR", "INTERVAL '90' MINUTE", "INTERVAL '3' DAY", "INTERVAL '14' MONTH", "INTERVAL '2' YEAR"
        ),
    ),
    Group(
        "numbers to intervals",
        ("CAST({0} AS INTERVAL HOUR)", "CAST({0} AS INTERVAL DAY)", "CAST({0} AS INTERVAL MONTH)"),
        _each("5", "-3", NULL_INT),
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
            (_ts("2015-01-31 00:00:00"), _ts("2015-02-28 00:00:00")),
            (_ts("2016-01-31 10:00:00"), _ts("2016-02-29 10:00:00")),
            (_ts("2015-03-31 10:00:00"), _ts("2015-02-28 10:00:00")),
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
    Group(
        "more functions of doubles",
        (
            "CBRT({0})",
            "SIN({0})",
            "COS({0})",
            "TAN({0})",
            "COT({0})",
            "ATAN({0})",
            "ATAN2({0}, 2)",
            "DEGREES({0})",
            "RADIANS({0})",
        ),
        _each("1", "0.5", "CAST(-2 AS DOUBLE)", NULL_DBL),
    ),
    Group("arcs", ("ASIN({0})", "ACOS({0})", "{0} * PI"), _each("1", "0.5", NULL_DBL)),
    Group(
        "extremes",
        ("GREATEST({0}, {1})", "LEAST({0}, {1})", "GREATEST({0}, {1}, {0})"),
        (("1", "2"), ("2", NULL_INT), ("1.5", "2"), ("'a'", "'b'"), (NULL_STR, "'b'")),
    ),
    Group(
        "more functions of strings",
        (
            "LEFT({0}, 2)",
            "RIGHT({0}, 2)",
            "LEFT({0}, 0)",
            "RIGHT({0}, 99)",
            "LTRIM({0})",
            "RTRIM({0})",
            "REVERSE({0})",
            "REPEAT({0}, 2)",
            "REPEAT({0}, 0)",
            "LPAD({0}, 5, 'xy')",
            "RPAD({0}, 5, 'xy')",
            "LPAD({0}, 2)",
            "ASCII({0})",
            "CONCAT({0}, 'x')",
            "CONCAT({0}, 'x', {0})",
            "OCTET_LENGTH({0})",
        ),
        _each("'abc'", "' a '", "''", NULL_STR),
    ),
    Group("last day", ("LAST_DAY({0})",), _each(*DATES, TIMESTAMPS[0])),
    Group(
        "tumble",
        ("FLOOR({0} TO HOUR) = FLOOR({0} TO DAY)", "CEIL({0} TO MINUTE) - INTERVAL '1' MINUTE"),
        _each(*TIMESTAMPS[:4]),
    ),
    Group(
        "collections",
        ("ARRAY[{0}, {1}][1]", "ARRAY[{0}, {1}][2]", "CARDINALITY(ARRAY[{0}, {1}])", "MAP['a', {0}]['a']"),
        (("1", "2"), (NULL_INT, "3")),
    ),
)


def expand() -> list[tuple[str, str, tuple[str, ...]]]:
    """All cases: (group, template, arguments); a template that uses fewer arguments occurs once for those it uses."""
    seen: dict[tuple[str, tuple[str, ...]], str] = {}
    for group in GROUPS:
        for template in group.templates:
            for arguments in group.arguments:
                used = tuple(a if f"{{{i}}}" in template else "" for i, a in enumerate(arguments))
                seen.setdefault((template, used), group.name)
    return [(name, template, arguments) for (template, arguments), name in seen.items()]
