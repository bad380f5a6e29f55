"""Every scalar function and operator of the language, as SQL over the columns of the table of values (`values.py`).

A function may have several templates: one per form of its call. The first is its example in the docs.
"""

# Tables are most readable with one row per line.
# ruff: noqa: E501, RUF005

from __future__ import annotations

Functions = dict[str, tuple[str, ...]]

_EXACT = ("I1 {} I2", "L1 {} L2", "S16 {} I1", "S8 {} S16", "D1 {} D2", "D1 {} I1", "L1 {} N", "D3 {} N")
_APPROXIMATE = ("X1 {} X2", "X1 {} I1", "R1 {} N", "D1 {} X1")
_PAIRS = ("I1 {} I2", "L1 {} N", "D1 {} D2", "D1 {} N", "X1 {} X2", "X1 {} D1", "S1 {} S2", "DT1 {} DT2", "TM1 {} TM2",
          "TS1 {} TS2", "IV1 {} IV2", "YM1 {} YM2", "B1 {} B2", "BIN1 {} BIN2")  # fmt: skip


def _each(forms: tuple[str, ...], *parts: str) -> tuple[str, ...]:
    return tuple(form.format(*parts) for form in forms)


def _call(name: str, *arguments: str) -> tuple[str, ...]:
    return tuple(f"{name}({a})" for a in arguments)


def _units(form: str, columns: tuple[str, ...], units: str) -> tuple[str, ...]:
    return tuple(form.format(column, unit) for column in columns for unit in units.split())


ARITHMETIC: Functions = {
    "+": _each(_EXACT + _APPROXIMATE, "+"),
    "-": _each(_EXACT + _APPROXIMATE, "-"),
    "*": _each(_EXACT + _APPROXIMATE, "*"),
    "/": _each(_EXACT + _APPROXIMATE, "/"),
    "MOD": _call("MOD", "I1, I2", "L1, L2", "I1, N", "D1, N", "D1, D2", "S8, N"),
    "- (sign)": ("-I1", "-L1", "-D1", "-D3", "-X1", "-S8"),
    "ABS": _call("ABS", "I1", "L1", "D1", "D3", "X1", "R1", "S8"),
    "SIGN": _call("SIGN", "I1", "L1", "D1", "X1"),
    "BITAND": _call("BITAND", "I1, I2", "L1, L2"),
    "BITOR": _call("BITOR", "I1, I2", "L1, L2"),
    # Of INTEGERs, the order in which the JVM lists Calcite's methods decides whether it can compute them; see
    # tests/sql/relational/bits.sql.
    "BITXOR": _call("BITXOR", "L1, L2"),
    "&": ("I1 & I2",),
    "^": ("L1 ^ L2",),
    "<<": ("N << 2",),
    "LEFTSHIFT": _call("LEFTSHIFT", "N, 2"),
    "BIT_COUNT": _call("BIT_COUNT", "I1", "L1"),
    "BIT_GET, GETBIT": ("BIT_GET(I1, 2)", "GETBIT(L1, 3)"),
    "SAFE_ADD": _call("SAFE_ADD", "L1, L2", "D1, D2", "X1, X2"),
    "SAFE_SUBTRACT": _call("SAFE_SUBTRACT", "L1, L2"),
    "SAFE_MULTIPLY": _call("SAFE_MULTIPLY", "L1, L2", "D1, D2"),
    "SAFE_DIVIDE": _call("SAFE_DIVIDE", "L1, L2", "X1, X2"),
    "SAFE_NEGATE": _call("SAFE_NEGATE", "L1", "D1"),
    "BITNOT": _call("BITNOT", "I1", "L1"),
    "BITCOUNT": _call("BITCOUNT", "I1", "L1"),
}

COMPARISON: Functions = {
    "=": _each(_PAIRS, "="),
    "<>": _each(_PAIRS, "<>"),
    "<": _each(_PAIRS, "<"),
    "<=": _each(_PAIRS, "<="),
    ">": _each(_PAIRS, ">"),
    ">=": _each(_PAIRS, ">="),
    "IS [NOT] DISTINCT FROM": (*_each(_PAIRS, "IS DISTINCT FROM"), "I1 IS NOT DISTINCT FROM I2"),
    "<=>": ("I1 <=> I2", "D1 <=> N", "S1 <=> S2", "TS1 <=> TS2"),
    "[NOT] BETWEEN": ("I1 BETWEEN N AND I2", "D1 NOT BETWEEN N AND D2", "S1 BETWEEN S2 AND 'zz'", "DT1 BETWEEN DT2 AND DT1"),
    "[NOT] IN": ("N IN (1, 2, NULL)", "N NOT IN (1, 2)", "S1 IN ('abc', S2)"),
    "[NOT] BETWEEN SYMMETRIC": ("I1 BETWEEN SYMMETRIC I2 AND N", "S1 NOT BETWEEN SYMMETRIC S2 AND 'a'"),
    "GREATEST": _call("GREATEST", "I1, I2", "D1, N, D2", "X1, X2", "S1, S2", "DT1, DT2"),
    "LEAST": _call("LEAST", "I1, I2", "D1, N, D2", "X1, X2", "S1, S2", "TS1, TS2"),
}  # fmt: skip

CONDITIONS: Functions = {
    "AND": ("B1 AND B2",),
    "OR": ("B1 OR B2",),
    "NOT": ("NOT B1",),
    "IS [NOT] TRUE": ("B1 IS TRUE", "B1 IS NOT TRUE"),
    "IS [NOT] FALSE": ("B1 IS FALSE", "B1 IS NOT FALSE"),
    "IS [NOT] UNKNOWN": ("B1 IS UNKNOWN", "B1 IS NOT UNKNOWN"),
    "IS [NOT] NULL": ("I1 IS NULL", "S1 IS NOT NULL", "A1 IS NULL", "ROW1 IS NOT NULL"),
    "CASE": ("CASE WHEN N > 1 THEN S1 WHEN B1 THEN S2 END", "CASE N WHEN 1 THEN D1 WHEN 2 THEN I1 ELSE X1 END"),
    "COALESCE": _call("COALESCE", "I1, I2, 0", "S1, S2", "D1, N", "TS1, TS2"),
    "NULLIF": _call("NULLIF", "N, 2", "S1, S2", "D1, N"),
    "NVL": _call("NVL", "I1, I2", "S1, 'none'"),
    "NVL2": _call("NVL2", "I1, S1, S2"),
    "IFNULL": _call("IFNULL", "I1, 0"),
    "IF": _call("IF", "B1, I1, I2", "N > 2, S1, S2"),
    "DECODE": _call("DECODE", "N, 1, 'one', 2, 'two', 'many'"),
}

_NUMBERS = ("I1", "L1", "D1", "D2", "X1", "R1", "N")
CASTS: Functions = {
    "CAST to integers": tuple(f"CAST({c} AS {t})" for t in ("TINYINT", "SMALLINT", "INTEGER", "BIGINT")
                              for c in (*_NUMBERS, "NUM1")),
    "CAST to DECIMAL": tuple(f"CAST({c} AS {t})" for t in ("DECIMAL(10, 2)", "DECIMAL(5, 0)", "DECIMAL(38, 6)")
                             for c in (*_NUMBERS, "NUM1")),
    "CAST to DOUBLE, REAL": tuple(f"CAST({c} AS {t})" for t in ("DOUBLE", "REAL") for c in (*_NUMBERS, "NUM1")),
    "CAST to text": tuple(f"CAST({c} AS {t})" for t in ("VARCHAR", "VARCHAR(4)", "CHAR(6)")
                          for c in ("I1", "L1", "D1", "D3", "X1", "R1", "B1", "S1", "DT1")) + (
                              "CAST(TS1 AS VARCHAR)", "CAST(TM1 AS VARCHAR)"),
    "CAST to BOOLEAN": ("CAST(BOOL1 AS BOOLEAN)",),
    "CAST to DATE": ("CAST(TS1 AS DATE)", "CAST(DATE1 AS DATE)"),
    "CAST to TIME": ("CAST(TS1 AS TIME(3))", "CAST(TS1 AS TIME(0))", "CAST(TIME1 AS TIME(3))"),
    "CAST to TIMESTAMP": ("CAST(DT1 AS TIMESTAMP(3))", "CAST(STAMP1 AS TIMESTAMP(3))", "CAST(TS1 AS TIMESTAMP(0))"),
    "CAST of intervals to numbers": ("CAST(N AS INTERVAL DAY)", "CAST(N AS INTERVAL HOUR)", "CAST(N AS INTERVAL MONTH)"),
    "CAST of intervals to text": ("CAST(IV1 AS VARCHAR(40))", "CAST(YM1 AS VARCHAR(20))"),
    "CAST of text to intervals": ("CAST(CAST(N AS VARCHAR(9)) AS INTERVAL DAY)", "CAST(CAST(N AS VARCHAR(9)) || '-3' AS INTERVAL YEAR TO MONTH)"),
    "TRY_CAST": ("TRY_CAST(NUM1 AS INTEGER)", "TRY_CAST(S1 AS INTEGER)", "TRY_CAST(S1 AS DOUBLE)", "TRY_CAST(NUM1 AS DECIMAL(4, 1))",
                 "TRY_CAST(DATE1 AS DATE)", "TRY_CAST(S1 AS DATE)", "TRY_CAST(S1 AS TIMESTAMP(3))", "TRY_CAST(S1 AS BOOLEAN)",
                 "TRY_CAST(L1 AS INTEGER)", "TRY_CAST(X1 AS SMALLINT)", "TRY_CAST(TIME1 AS TIME(3))"),
    "SAFE_CAST": ("SAFE_CAST(NUM1 AS INTEGER)", "SAFE_CAST(S1 AS BIGINT)"),
}  # fmt: skip

_DOUBLES = ("X1", "D1", "N")
MATH: Functions = {
    **{name: _call(name, *_DOUBLES) for name in (
        "EXP", "SQRT", "CBRT", "LN", "LOG10", "LOG2", "LOG1P", "SIN", "COS", "TAN", "COT", "CSC", "SEC", "SINH", "COSH",
        "TANH", "COTH", "CSCH", "SECH", "ASIN", "ACOS", "ATAN", "ASINH", "ACOSH", "ATANH", "SIND", "COSD", "TAND", "ASIND", "ACOSD", "ATAND", "DEGREES", "RADIANS")},
    "ATAN2": _call("ATAN2", "X1, X2", "N, D1"),
    "POWER": _call("POWER", "X1, 2", "N, N", "D1, 0.5"),
    "LOG": _call("LOG", "X1, 2", "X1"),
    "HYPOT": _call("HYPOT", "X1, X2"),
    "PI": ("PI * N",),
    "FLOOR": _call("FLOOR", "I1", "D1", "D3", "X1", "R1"),
    "CEIL": _call("CEIL", "I1", "D1", "D3", "X1", "R1"),
    "ROUND": _call("ROUND", "D1", "X1", "I1", "D2, 2", "X1, 2", "D1, -1", "I1, -2", "D2, N", "X1, N", "I1, N", "L1, N"),
    "TRUNCATE": _call("TRUNCATE", "D1", "X1", "I1", "D2, 2", "X1, 2", "D1, -1", "I1, -2", "D2, N", "X1, N", "I1, N"),
    "TRUNC": _call("TRUNC", "D1", "X1, 1", "D2, N"),
    "POW": _call("POW", "X1, 2", "N, N"),
    "FACTORIAL": _call("FACTORIAL", "N"),
    "IS_NAN": _call("IS_NAN", "X1"),
    "IS_INF": _call("IS_INF", "X1"),
}  # fmt: skip

STRINGS: Functions = {
    "||": ("S1 || S2", "S1 || N", "D1 || S1", "X1 || '!'", "B1 || '?'", "DT1 || S1", "S1 || CH1 || S2"),
    "CONCAT": _call("CONCAT", "S1, S2", "S1, CH1, S2"),
    "CONCAT_WS": _call("CONCAT_WS", "',', S1, S2", "CH1, S1, S2, 'z'"),
    "CHAR_LENGTH": ("CHAR_LENGTH(S1)", "CHARACTER_LENGTH(S1)", "LENGTH(S1)"),
    "OCTET_LENGTH": _call("OCTET_LENGTH", "BIN1"),
    "BIT_LENGTH": _call("BIT_LENGTH", "S1"),
    "UPPER": _call("UPPER", "S1"),
    "LOWER": _call("LOWER", "S1"),
    "INITCAP": _call("INITCAP", "S1"),
    "SUBSTRING": ("SUBSTRING(S1 FROM 2 FOR 3)", "SUBSTRING(S1, N)", "SUBSTRING(S1 FROM N FOR 3)", "SUBSTRING(S1 FROM 2)",
                  "SUBSTRING(BIN1 FROM 2 FOR 2)"),
    "SUBSTR": _call("SUBSTR", "S1, 2", "S1, N", "S1, 2, 2", "S1, N, 2"),
    "SUBSTRING_INDEX": _call("SUBSTRING_INDEX", "S1, 'b', 1", "S1, CH1, N"),
    "LEFT": _call("LEFT", "S1, 2", "S1, N"),
    "RIGHT": _call("RIGHT", "S1, 2", "S1, N"),
    "TRIM": ("TRIM(S1)", "TRIM(LEADING 'a' FROM S1)", "TRIM(TRAILING FROM S1)", "TRIM(BOTH CH1 FROM S1)"),
    "LTRIM": _call("LTRIM", "S1"),
    "RTRIM": _call("RTRIM", "S1"),
    "LPAD": _call("LPAD", "S1, 6", "S1, 6, 'xy'", "S1, N, CH1"),
    "RPAD": _call("RPAD", "S1, 6", "S1, 6, 'xy'", "S1, N, CH1"),
    "POSITION": ("POSITION(CH1 IN S1)", "POSITION(S2 IN S1)", "POSITION('b' IN S1 FROM 2)", "POSITION(CH1 IN S1 FROM N)"),
    "INSTR": _call("INSTR", "S1, CH1", "S1, 'b', 2"),
    "STRPOS": _call("STRPOS", "S1, CH1"),
    "OVERLAY": ("OVERLAY(S1 PLACING 'xyz' FROM 2)", "OVERLAY(S1 PLACING CH1 FROM 1 FOR 1)", "OVERLAY(S1 PLACING S2 FROM N FOR 2)"),
    "REPLACE": _call("REPLACE", "S1, 'b', 'xyz'", "S1, CH1, ''", "S1, CH1, S2"),
    "TRANSLATE": _call("TRANSLATE", "S1, 'abc', 'xy'", "S1, CH1, 'q'"),
    "REPEAT": _call("REPEAT", "S1, 2", "S1, N"),
    "SPACE": ("'<' || SPACE(N) || '>'",),
    "REVERSE": _call("REVERSE", "S1"),
    "ASCII": _call("ASCII", "S1", "CH1"),
    "CHR": _call("CHR", "65", "N + 64"),
    "CHAR": _call("CHAR", "N + 64"),
    "SPLIT": _call("SPLIT", "S1, ','", "S1, CH1"),
    "SPLIT_PART": _call("SPLIT_PART", "S1, 'b', 1", "S1, 'b', N"),
    "STARTS_WITH": _call("STARTS_WITH", "S1, CH1", "S1, S2"),
    "STARTSWITH": _call("STARTSWITH", "S1, CH1"),
    "ENDS_WITH": _call("ENDS_WITH", "S1, CH1"),
    "ENDSWITH": _call("ENDSWITH", "S1, CH1"),
    "CONTAINS_SUBSTR": _call("CONTAINS_SUBSTR", "S1, 'b'"),
    "SOUNDEX": _call("SOUNDEX", "CH1", "'Robert' || CH1"),
    "DIFFERENCE": _call("DIFFERENCE", "'abc', CH1"),
    "LEVENSHTEIN": _call("LEVENSHTEIN", "S1, S2"),
    "STRCMP": _call("STRCMP", "S1, S2"),
    "FIND_IN_SET": _call("FIND_IN_SET", "CH1, 'a,b,c'"),
    "MD5": _call("MD5", "S1"),
    "SHA1": _call("SHA1", "S1"),
    "SHA256": _call("SHA256", "S1"),
    "SHA512": _call("SHA512", "S1"),
    "CRC32": _call("CRC32", "S1"),
    "TO_BASE64": _call("TO_BASE64", "S1"),
    "FROM_BASE64": _call("FROM_BASE64", "TO_BASE64(S1)"),
    "TO_BASE32": _call("TO_BASE32", "S1"),
    "FROM_BASE32": _call("FROM_BASE32", "TO_BASE32(S1)"),
    "TO_CODE_POINTS": _call("TO_CODE_POINTS", "S1"),
    "LEN": _call("LEN", "S1"),
    "FORMAT_NUMBER": _call("FORMAT_NUMBER", "D1, 1", "X2, 2"),
    "TO_HEX": _call("TO_HEX", "BIN1"),
    "FROM_HEX": _call("FROM_HEX", "'6162'"),
    "HEX": _call("HEX", "S1"),
    "BIN": _call("BIN", "L1"),
    "URL_ENCODE": _call("URL_ENCODE", "S1"),
    "URL_DECODE": _call("URL_DECODE", "URL_ENCODE(S1)"),
    "PARSE_URL": _call("PARSE_URL", "'http://example.com/p?q=' || N, 'QUERY'"),
}  # fmt: skip

PATTERNS: Functions = {
    "[NOT] LIKE": ("S1 LIKE 'a%'", "S1 LIKE LIKE1", "S1 NOT LIKE '%b_'", "S1 LIKE 'a!_%' ESCAPE '!'", "S1 LIKE LIKE1 ESCAPE CH1"),
    "[NOT] ILIKE": ("S1 ILIKE 'A%'", "S1 NOT ILIKE LIKE1"),
    "[NOT] RLIKE": ("S1 RLIKE RE1", "S1 RLIKE '^a'", "S1 NOT RLIKE 'b$'"),
    "[NOT] SIMILAR TO": ("S1 SIMILAR TO '(a|b)%'", "S1 SIMILAR TO SIM1", "S1 NOT SIMILAR TO 'a_c'", "S1 SIMILAR TO 'a!_%' ESCAPE '!'"),
    "REGEXP_LIKE": _call("REGEXP_LIKE", "S1, RE1", "S1, 'A.', 'i'"),
    "REGEXP_CONTAINS": _call("REGEXP_CONTAINS", "S1, RE1"),
    "REGEXP_REPLACE": _call("REGEXP_REPLACE", "S1, RE1, 'x'", "S1, '(a)(b)', '$2$1'", "S1, RE1, 'x', 2", "S1, 'b', 'x', 1, 2"),
    "REGEXP_EXTRACT": _call("REGEXP_EXTRACT", "S1, RE1", "S1, 'a(.)'", "S1, 'b', 2"),
    "REGEXP_SUBSTR": _call("REGEXP_SUBSTR", "S1, RE1"),
    "REGEXP_EXTRACT_ALL": _call("REGEXP_EXTRACT_ALL", "S1, '[a-c]'"),
    "REGEXP_INSTR": _call("REGEXP_INSTR", "S1, RE1"),
}  # fmt: skip

_UNITS = "MILLENNIUM CENTURY DECADE YEAR QUARTER MONTH WEEK DAY HOUR MINUTE SECOND MILLISECOND"
_PARTS = "YEAR QUARTER MONTH WEEK DAY DOY DOW ISODOW ISOYEAR HOUR MINUTE SECOND MILLISECOND MICROSECOND EPOCH DECADE CENTURY MILLENNIUM"
_DATE_PARTS = "YEAR QUARTER MONTH WEEK DAY DOY DOW ISODOW ISOYEAR EPOCH DECADE CENTURY MILLENNIUM"
TIMES: Functions = {
    "EXTRACT": (*_units("EXTRACT({1} FROM {0})", ("TS1",), _PARTS), *_units("EXTRACT({1} FROM {0})", ("DT1",), _DATE_PARTS),
                *_units("EXTRACT({1} FROM {0})", ("TM1",), "HOUR MINUTE SECOND MILLISECOND"),
                *_units("EXTRACT({1} FROM {0})", ("IV1",), "DAY HOUR MINUTE SECOND"),
                *_units("EXTRACT({1} FROM {0})", ("YM1",), "YEAR MONTH")),
    "YEAR, MONTH, DAYOFMONTH …": tuple(f"{f}({c})" for c in ("TS1", "DT1") for f in (
        "YEAR", "QUARTER", "MONTH", "WEEK", "DAYOFYEAR", "DAYOFMONTH", "DAYOFWEEK")) + ("HOUR(TS1)", "MINUTE(TS1)", "SECOND(TS1)"),
    "FLOOR TO": (*_units("FLOOR({0} TO {1})", ("TS1",), _UNITS), *_units("FLOOR({0} TO {1})", ("DT1",), "DECADE YEAR QUARTER MONTH WEEK DAY"),
                 *_units("FLOOR({0} TO {1})", ("TM1",), "HOUR MINUTE SECOND")),
    "CEIL TO": (*_units("CEIL({0} TO {1})", ("TS1",), _UNITS), *_units("CEIL({0} TO {1})", ("DT1",), "YEAR QUARTER MONTH WEEK DAY"),
                *_units("CEIL({0} TO {1})", ("TM1",), "HOUR MINUTE SECOND")),
    "DATE_TRUNC": ("DATE_TRUNC('HOUR', TS1)", "DATE_TRUNC('month', TS1)", "DATE_TRUNC(DT1, MONTH)", "DATE_TRUNC(DT1, YEAR)", "DATE_TRUNC(DT1, QUARTER)"),
    "TIMESTAMP_TRUNC": ("TIMESTAMP_TRUNC(TS1, HOUR)", "TIMESTAMP_TRUNC(TS1, DAY)"),
    "TIMESTAMPADD": _units("TIMESTAMPADD({1}, N, {0})", ("TS1", "DT1"), "YEAR QUARTER MONTH WEEK DAY HOUR MINUTE SECOND"),
    "TIMESTAMPDIFF": _units("TIMESTAMPDIFF({1}, {0}1, {0}2)", ("TS", "DT"), "YEAR QUARTER MONTH WEEK DAY HOUR MINUTE SECOND"),
    "DATEDIFF": _call("DATEDIFF", "DT1, DT2"),
    "DATE_ADD": _call("DATE_ADD", "DT1, N", "DT1, INTERVAL '3' DAY"),
    "DATE_SUB": _call("DATE_SUB", "DT1, N"),
    "ADD_MONTHS": _call("ADD_MONTHS", "DT1, N"),
    "LAST_DAY": _call("LAST_DAY", "DT1", "TS1"),
    "FROM_UTC_TIMESTAMP": _call("FROM_UTC_TIMESTAMP", "TS1, 'Europe/Berlin'", "TS1, 'America/St_Johns'", "TS1, NULLIF(S1, S1)"),
    "TO_UTC_TIMESTAMP": _call("TO_UTC_TIMESTAMP", "TS1, 'Europe/Berlin'", "TS1, 'Asia/Kolkata'"),
    "DAYNAME": _call("DAYNAME", "DT1", "TS1"),
    "MONTHNAME": _call("MONTHNAME", "DT1"),
    "TO_CHAR": _call("TO_CHAR", "TS1, 'YYYY-MM-DD HH24:MI:SS'"),
    "TO_DATE": _call("TO_DATE", "CAST(DT1 AS VARCHAR), 'YYYY-MM-DD'"),
    "TO_TIMESTAMP": _call("TO_TIMESTAMP", "CAST(DT1 AS VARCHAR) || ' 10:20:30', 'YYYY-MM-DD HH24:MI:SS'"),
    "FORMAT_DATE": _call("FORMAT_DATE", "'%Y/%m/%d', DT1"),
    "FORMAT_TIME": _call("FORMAT_TIME", "'%T', TM1"),
    "PARSE_DATE": _call("PARSE_DATE", "'%F', CAST(DT1 AS VARCHAR)"),
    "PARSE_TIME": _call("PARSE_TIME", "'%H:%M:%S', '10:20:30'"),
    "DATE_DIFF": _call("DATE_DIFF", "DT1, DT2, DAY", "DT1, DT2, MONTH"),
    "TIMESTAMP_ADD": _call("TIMESTAMP_ADD", "TS1, INTERVAL 3 HOUR"),
    "UNIX_DATE": _call("UNIX_DATE", "DT1"),
    "DATE_FROM_UNIX_DATE": _call("DATE_FROM_UNIX_DATE", "N"),
    "UNIX_MILLIS": _call("UNIX_MILLIS", "TS1"),
    "UNIX_SECONDS": _call("UNIX_SECONDS", "TS1"),
    "UNIX_MICROS": _call("UNIX_MICROS", "TS1"),
    "TIMESTAMP_MILLIS": _call("TIMESTAMP_MILLIS", "I1"),
    "TIMESTAMP_SECONDS": _call("TIMESTAMP_SECONDS", "I1"),
    "datetime + interval": ("TS1 + INTERVAL '1' DAY", "TS1 + IV1", "TS1 + YM1", "DT1 + INTERVAL '1' MONTH", "DT1 + IV1", "DT1 + YM1",
                            "TM1 + INTERVAL '90' MINUTE", "TM1 + IV1", "TS1 + N * INTERVAL '1' HOUR"),
    "datetime - interval": ("TS1 - INTERVAL '1' MONTH", "TS1 - IV1", "TS1 - YM1", "DT1 - YM1", "TM1 - INTERVAL '90' MINUTE"),
    "datetime - datetime": ("(TS1 - TS2) DAY TO SECOND", "(TS1 - TS2) HOUR", "(DT1 - DT2) DAY", "(TS1 - TS2) MONTH", "(DT1 - DT2) YEAR TO MONTH",
                            "(TM1 - TM2) MINUTE"),
    "interval arithmetic": ("IV1 + IV2", "IV1 - IV2", "YM1 + YM2", "YM1 - YM2", "IV1 * N", "N * YM1", "IV1 / 2", "YM1 / 3", "-IV1"),
    "OVERLAPS": ("(DT1, DT2) OVERLAPS (DATE '2000-01-01', DATE '2020-01-01')", "(TS1, IV1) OVERLAPS (TS2, IV2)"),
    "PERIOD CONTAINS": ("PERIOD (DATE '2000-01-01', DATE '2020-01-01') CONTAINS DT1",),
    "PERIOD EQUALS, PRECEDES …": tuple(
        f"(DT1, DT2) {w} (DATE '2000-01-01', DATE '2020-01-01')"
        for w in ("EQUALS", "PRECEDES", "SUCCEEDS", "IMMEDIATELY PRECEDES", "IMMEDIATELY SUCCEEDS")),
}  # fmt: skip

JSON: Functions = {
    "JSON_VALUE": ("JSON_VALUE(J1, '$.a')", "JSON_VALUE(J1, 'lax $.b[0]')", "JSON_VALUE(J1, '$.a' RETURNING INTEGER NULL ON ERROR)",
                   "JSON_VALUE(J1, 'strict $.a' DEFAULT 'none' ON EMPTY DEFAULT 'bad' ON ERROR)"),
    "JSON_QUERY": ("JSON_QUERY(J1, '$.b')", "JSON_QUERY(J1, '$.a' WITH WRAPPER)", "JSON_QUERY(J1, '$.b' EMPTY ARRAY ON EMPTY EMPTY OBJECT ON ERROR)"),
    "JSON_EXISTS": ("JSON_EXISTS(J1, '$.a')", "JSON_EXISTS(J1, 'strict $.b[1]' FALSE ON ERROR)"),
    "JSON_OBJECT": ("JSON_OBJECT('i': I1, 's': S1)", "JSON_OBJECT('i': N, 'b': B1 ABSENT ON NULL)", "JSON_OBJECT('o': J1 FORMAT JSON)"),
    "JSON_ARRAY": ("JSON_ARRAY(I1, S1)", "JSON_ARRAY(N, B1 NULL ON NULL)"),
    "IS [NOT] JSON": ("J1 IS JSON", "J1 IS NOT JSON", "J1 IS JSON OBJECT", "J1 IS JSON ARRAY", "J1 IS JSON SCALAR"),
    "JSON_TYPE": _call("JSON_TYPE", "J1"),
    "JSON_DEPTH": _call("JSON_DEPTH", "J1"),
    "JSON_LENGTH": _call("JSON_LENGTH", "J1", "J1, '$.b'"),
    "JSON_KEYS": _call("JSON_KEYS", "J1"),
    "JSON_PRETTY": _call("JSON_PRETTY", "J1"),
    "JSON_REMOVE": _call("JSON_REMOVE", "J1, '$.a'"),
    "JSON_SET": _call("JSON_SET", "J1, '$.a', 5"),
    "JSON_INSERT": _call("JSON_INSERT", "J1, '$.z', 5"),
    "JSON_REPLACE": _call("JSON_REPLACE", "J1, '$.a', 5"),
    "JSON_STORAGE_SIZE": _call("JSON_STORAGE_SIZE", "J1"),
}  # fmt: skip

COLLECTIONS: Functions = {
    "ARRAY[…]": ("ARRAY[I1, I2]", "ARRAY[S1, 'x']"),
    "MAP[…]": ("MAP['a', I1, 'b', I2]",),
    "ROW(…)": ("ROW(I1, S1)",),
    "array[n]": ("A1[1]", "A1[N]", "AS1[2]"),
    "map[key]": ("M1['a']", "M1[CH1]"),
    "row.field": ("T.ROW1.A", "T.ROW1.B"),
    "array[OFFSET(n)] …": ("A1[SAFE_OFFSET(N)]", "A1[SAFE_ORDINAL(N)]", "A1[OFFSET(0)]", "A1[ORDINAL(1)]"),
    "CARDINALITY": _call("CARDINALITY", "A1", "M1"),
    "ARRAY_LENGTH": _call("ARRAY_LENGTH", "A1"),
    "ARRAY_INSERT": _call("ARRAY_INSERT", "A1, 2, N"),
    "ARRAYS_ZIP": _call("ARRAYS_ZIP", "A1, A2"),
    "STRING_TO_ARRAY": _call("STRING_TO_ARRAY", "S1, ','"),
    "ARRAY_SIZE": _call("ARRAY_SIZE", "A1"),
    "ARRAY_CONTAINS": _call("ARRAY_CONTAINS", "A1, N", "AS1, CH1"),
    "ARRAY_POSITION": _call("ARRAY_POSITION", "A1, N"),
    "ARRAY_APPEND": _call("ARRAY_APPEND", "A1, N"),
    "ARRAY_PREPEND": _call("ARRAY_PREPEND", "A1, N"),
    "ARRAY_REMOVE": _call("ARRAY_REMOVE", "A1, 1"),
    "ARRAY_CONCAT": _call("ARRAY_CONCAT", "A1, A2"),
    "ARRAY_COMPACT": _call("ARRAY_COMPACT", "A1"),
    "ARRAY_DISTINCT": _call("ARRAY_DISTINCT", "A1"),
    "ARRAY_UNION": _call("ARRAY_UNION", "A1, A2"),
    "ARRAY_INTERSECT": _call("ARRAY_INTERSECT", "A1, A2"),
    "ARRAY_EXCEPT": _call("ARRAY_EXCEPT", "A1, A2"),
    "ARRAYS_OVERLAP": _call("ARRAYS_OVERLAP", "A1, A2"),
    "ARRAY_REVERSE": _call("ARRAY_REVERSE", "A1"),
    "ARRAY_REPEAT": _call("ARRAY_REPEAT", "I1, 2", "I1, N"),
    "ARRAY_MAX": _call("ARRAY_MAX", "A1"),
    "ARRAY_MIN": _call("ARRAY_MIN", "A1"),
    "ARRAY_TO_STRING": _call("ARRAY_TO_STRING", "AS1, ','", "AS1, ',', '*'"),
    "ARRAY_JOIN": _call("ARRAY_JOIN", "AS1, ','"),
    "SORT_ARRAY": _call("SORT_ARRAY", "A1", "A1, FALSE"),
    "MAP_KEYS": _call("MAP_KEYS", "M1"),
    "MAP_VALUES": _call("MAP_VALUES", "M1"),
    "MAP_ENTRIES": _call("MAP_ENTRIES", "M1"),
    "MAP_CONTAINS_KEY": _call("MAP_CONTAINS_KEY", "M1, 'a'"),
    "MAP_CONCAT": _call("MAP_CONCAT", "M1, MAP['zz', 1]"),
    "MAP_FROM_ARRAYS": _call("MAP_FROM_ARRAYS", "ARRAY['a', 'b'], ARRAY[I1, I2]"),
    "STR_TO_MAP": _call("STR_TO_MAP", "'a:1,b:2'"),
}

CATEGORIES: dict[str, Functions] = {
    "Arithmetic": ARITHMETIC,
    "Comparison": COMPARISON,
    "Conditions": CONDITIONS,
    "Casts": CASTS,
    "Mathematics": MATH,
    "Strings": STRINGS,
    "Patterns": PATTERNS,
    "Dates, times and intervals": TIMES,
    "JSON": JSON,
    "Arrays, maps and rows": COLLECTIONS,
}
