"""The functions of Spark SQL and Flink SQL: which of them rowtime has under the same name, with the same value.

`SAME` has a sample for each that runs: the same text in both languages, or a pair of texts, rowtime's first. `HINTED` has a
call that gets a hint. The rest is in `ABSENT`, by reason. `python tests/differential/names.py` writes the page.
"""

# ruff: noqa: E501

from __future__ import annotations

import json
from pathlib import Path

DOCUMENT = Path(__file__).parents[2] / "docs" / "function_names.md"
LISTS = json.loads((Path(__file__).parent / "names.json").read_text())

_TS = "TIMESTAMP '2024-05-01 10:20:30'"
_D = "DATE '2024-05-01'"
_A = ("ARRAY[3, 1, 2]", "array(3, 1, 2)")
_M = ("MAP['a', 1, 'b', 2]", "map('a', 1, 'b', 2)")
Sample = str | tuple[str, str]


def _both(form: str, *values: tuple[str, str]) -> tuple[str, str]:
    return form.format(*(v[0] for v in values)), form.format(*(v[1] for v in values))


def _unary(names: str, argument: str) -> dict[str, Sample]:
    return {name: f"{name}({argument})" for name in names.split()}


SAME: dict[str, Sample] = {
    **_unary("ABS ACOS ASIN ASINH ATAN ATANH CBRT COS COSH COT CSC DEGREES EXP EXPM1 LN LOG10 LOG1P LOG2 RADIANS RINT SEC SIN SINH "
             "SQRT TAN TANH", "0.5E0"),
    "ACOSH": "ACOSH(1.5E0)",
    "SIGN": "SIGN(-2.5E0)", "SIGNUM": "SIGNUM(-2.5E0)",
    "ATAN2": "ATAN2(1E0, 2E0)", "HYPOT": "HYPOT(3E0, 4E0)", "POWER": "POWER(2E0, 3)", "POW": "POW(2E0, 3)", "PI": "PI()", "E": "E()",
    "CEIL": "CEIL(1.5E0)", "CEILING": "CEILING(1.5E0)", "FLOOR": "FLOOR(-1.5E0)",
    "ROUND": "ROUND(2.345, 2)", "BROUND": "BROUND(2.5E0)", "MOD": "MOD(7, 3)", "%": "7 % 3", "PMOD": "PMOD(-7, 3)", "FACTORIAL": "FACTORIAL(5)",
    "BIN": "BIN(13)", "HEX": "HEX('abc')", "UNHEX": "UNHEX('616263')", "CONV": "CONV('100', 2, 10)",
    "GREATEST": "GREATEST(1, 3, 2)", "LEAST": "LEAST(1, 3, 2)", "NEGATIVE": "NEGATIVE(4)", "POSITIVE": "POSITIVE(4)",
    "NANVL": "NANVL(1E0, 2E0)", "WIDTH_BUCKET": "WIDTH_BUCKET(5.3, 0.2, 10.6, 5)", "ISNAN": "ISNAN(1E0)",
    "SHIFTLEFT": "SHIFTLEFT(2, 3)", "SHIFTRIGHT": "SHIFTRIGHT(-16, 2)", "SHIFTRIGHTUNSIGNED": "SHIFTRIGHTUNSIGNED(16, 2)",
    "BIT_COUNT": "BIT_COUNT(7)", "&": "6 & 3", "^": "6 ^ 3", "<<": "3 << 2", "BIT_GET": "BIT_GET(5, 2)", "GETBIT": "GETBIT(5, 2)",
    "+": "1 + 2", "-": "1 - 2", "*": "2 * 3",
    "=": "1 = 1", "<": "1 < 2", "<=": "1 <= 2", ">": "1 > 2", ">=": "1 >= 2", "<>": "1 <> 2", "<=>": "1 <=> NULL",
    "AND": "TRUE AND FALSE", "OR": "TRUE OR FALSE", "NOT": "NOT TRUE", "IN": "1 IN (1, 2)", "BETWEEN": "2 BETWEEN 1 AND 3",
    "LIKE": "'abc' LIKE 'a%'", "ILIKE": "'ABC' ILIKE 'a%'", "RLIKE": "'abc' RLIKE 'b'", "REGEXP": "REGEXP('abc', 'b')",
    "REGEXP_LIKE": "REGEXP_LIKE('abc', 'b')", "EQUAL_NULL": "EQUAL_NULL(1, NULL)", "ISNULL": "ISNULL(1)", "ISNOTNULL": "ISNOTNULL(1)",
    "CASE": "CASE WHEN 1 > 2 THEN 'a' ELSE 'b' END", "WHEN": "CASE WHEN 1 < 2 THEN 'a' END", "COALESCE": "COALESCE(NULL, 2)",
    "IF": "IF(1 > 2, 'a', 'b')", "IFNULL": "IFNULL(NULL, 2)", "NVL": "NVL(NULL, 2)", "NVL2": "NVL2(1, 2, 3)", "NULLIF": "NULLIF(1, 1)",
    "NULLIFZERO": "NULLIFZERO(0)", "ZEROIFNULL": "ZEROIFNULL(CAST(NULL AS INTEGER))", "CAST": "CAST('12' AS INTEGER)",
    "TRY_CAST": "TRY_CAST('x' AS INTEGER)", "DATE": f"{_D}", "TIMESTAMP": f"{_TS}",
    # Text.
    "ASCII": "ASCII('a')", "BIT_LENGTH": "BIT_LENGTH('abc')", "BTRIM": "BTRIM('xxaxx', 'x')", "CHAR_LENGTH": "CHAR_LENGTH('abc')",
    "CHARACTER_LENGTH": "CHARACTER_LENGTH('abc')", "LENGTH": "LENGTH('abc')", "LEN": "LEN('abc')", "OCTET_LENGTH": "OCTET_LENGTH('abc')",
    "CHR": "CHR(65)", "CHAR": "CHAR(65)", "CONCAT": "CONCAT('a', 'b')", "||": "'a' || 'b'", "CONCAT_WS": "CONCAT_WS(',', 'a', 'b')",
    "CONTAINS": ("POSITION('b' IN 'abc') > 0", "contains('abc', 'b')"), "STARTSWITH": "STARTSWITH('abc', 'a')", "ENDSWITH": "ENDSWITH('abc', 'c')",
    "DECODE": "DECODE(ENCODE('abc', 'UTF-8'), 'UTF-8')", "ENCODE": "ENCODE('abc', 'UTF-8')", "ELT": "ELT(2, 'a', 'b')",
    "FIND_IN_SET": "FIND_IN_SET('b', 'a,b,c')", "FORMAT_STRING": "FORMAT_STRING('%s-%d', 'a', 5)", "PRINTF": "PRINTF('%s-%d', 'a', 5)",
    "FORMAT_NUMBER": "FORMAT_NUMBER(12345.678, 1)", "INITCAP": "INITCAP('ab cd')", "INSTR": "INSTR('abcb', 'b')", "LOCATE": "LOCATE('b', 'abcb', 3)",
    "POSITION": "POSITION('b' IN 'abc')", "LOWER": "LOWER('AB')", "LCASE": "LCASE('AB')", "UPPER": "UPPER('ab')", "UCASE": "UCASE('ab')",
    "LEFT": "LEFT('abc', 2)", "RIGHT": "RIGHT('abc', 2)", "LPAD": "LPAD('a', 3, 'x')", "RPAD": "RPAD('a', 3, 'x')", "LTRIM": "LTRIM('  a')",
    "RTRIM": "RTRIM('a  ')", "TRIM": "TRIM(' a ')", "LEVENSHTEIN": "LEVENSHTEIN('kitten', 'sitting')", "LUHN_CHECK": "LUHN_CHECK('8112189876')",
    "MASK": "MASK('Ab-12')", "QUOTE": "QUOTE('ab')", "OVERLAY": "OVERLAY('abcdef' PLACING 'xy' FROM 2)",
    "REGEXP_COUNT": "REGEXP_COUNT('abcab', 'ab')", "REGEXP_EXTRACT": ("REGEXP_EXTRACT('foobar', 'o+')", "regexp_extract('foobar', 'o+', 0)"),
    "REGEXP_INSTR": "REGEXP_INSTR('abcb', 'b')", "REGEXP_REPLACE": "REGEXP_REPLACE('foobar', 'o|a', 'x')", "REGEXP_SUBSTR": "REGEXP_SUBSTR('foobar', 'o+')",
    "REPEAT": "REPEAT('ab', 2)", "REPLACE": "REPLACE('abc', 'b', 'x')", "REVERSE": "REVERSE('abc')", "SOUNDEX": "SOUNDEX('Robert')",
    "SPACE": "SPACE(2)", "SPLIT_PART": "SPLIT_PART('a,b,c', ',', 2)", "SPLIT_INDEX": ("SPLIT_INDEX('a,b,c', ',', 1)", "split('a,b,c', ',')[1]"),
    "SUBSTR": "SUBSTR('abcd', 2, 2)", "SUBSTRING": "SUBSTRING('abcd', 2, 2)", "SUBSTRING_INDEX": "SUBSTRING_INDEX('a.b.c', '.', 2)",
    "TRANSLATE": "TRANSLATE('abc', 'ab', 'xy')", "MD5": "MD5('a')", "SHA": "SHA('a')", "SHA1": "SHA1('a')", "SHA2": "SHA2('a', 256)",
    "SHA224": ("SHA224('a')", "sha2('a', 224)"), "SHA256": ("SHA256('a')", "sha2('a', 256)"), "SHA384": ("SHA384('a')", "sha2('a', 384)"),
    "SHA512": ("SHA512('a')", "sha2('a', 512)"), "CRC32": "CRC32('abc')", "HASH": "HASH('abc', 1)", "XXHASH64": "XXHASH64('abc')",
    "BASE64": "BASE64('abc')", "UNBASE64": "UNBASE64('YWJj')", "TO_BASE64": ("TO_BASE64('abc')", "base64('abc')"),
    "FROM_BASE64": ("FROM_BASE64('YWJj')", "unbase64('YWJj')"), "PARSE_URL": "PARSE_URL('http://a.b/c?d=e', 'HOST')",
    "URL_ENCODE": "URL_ENCODE('a b&c')", "URL_DECODE": "URL_DECODE('a+b%26c')", "STR_TO_MAP": "STR_TO_MAP('a:1,b:2')",
    # Times.
    "ADD_MONTHS": f"ADD_MONTHS({_D}, 2)", "DATE_ADD": f"DATE_ADD({_D}, 3)", "DATE_SUB": f"DATE_SUB({_D}, 3)", "DATEDIFF": "DATEDIFF(TIMESTAMP '2024-05-02 01:00:00', TIMESTAMP '2024-05-01 23:00:00')",
    "DATE_FORMAT": f"DATE_FORMAT({_TS}, 'yyyy/MM/dd HH:mm')", "DATE_FROM_UNIX_DATE": "DATE_FROM_UNIX_DATE(19844)", "UNIX_DATE": f"UNIX_DATE({_D})",
    "DATE_PART": f"DATE_PART('YEAR', {_D})", "DATEPART": f"DATEPART('YEAR', {_D})", "EXTRACT": f"EXTRACT(HOUR FROM {_TS})",
    "DATE_TRUNC": f"DATE_TRUNC('HOUR', {_TS})", "TRUNC": ("TRUNC(12.345, 1)", "CAST(12.3 AS DECIMAL(5, 3))"),
    **_unary("DAYOFMONTH DAYOFWEEK DAYOFYEAR MONTH QUARTER YEAR WEEKDAY WEEKOFYEAR LAST_DAY", _D),
    **_unary("HOUR MINUTE SECOND", _TS),
    "WEEK": (f"WEEK({_D})", f"weekofyear({_D})"),
    "FROM_UNIXTIME": "FROM_UNIXTIME(44)", "UNIX_TIMESTAMP": "UNIX_TIMESTAMP('1970-01-01 00:00:44')",
    "TO_UNIX_TIMESTAMP": "TO_UNIX_TIMESTAMP('1970-01-01 00:00:44')", "UNIX_SECONDS": f"UNIX_SECONDS({_TS})", "UNIX_MILLIS": f"UNIX_MILLIS({_TS})",
    "UNIX_MICROS": f"UNIX_MICROS({_TS})", "TIMESTAMP_SECONDS": "TIMESTAMP_SECONDS(44)", "TIMESTAMP_MILLIS": "TIMESTAMP_MILLIS(44000)",
    "TIMESTAMP_MICROS": "TIMESTAMP_MICROS(44000000)", "FROM_UTC_TIMESTAMP": f"FROM_UTC_TIMESTAMP({_TS}, 'Asia/Tokyo')",
    "TO_UTC_TIMESTAMP": f"TO_UTC_TIMESTAMP({_TS}, 'Asia/Tokyo')",
    "CONVERT_TIMEZONE": (f"CONVERT_TIMEZONE('Asia/Tokyo', 'UTC', {_TS})", f"to_utc_timestamp({_TS}, 'Asia/Tokyo')"),
    "TO_TIMESTAMP": "TO_TIMESTAMP('2024/05/01 10:20', 'yyyy/MM/dd HH:mm')", "TO_DATE": "TO_DATE('2024/05/01', 'yyyy/MM/dd')",
    "TO_TIMESTAMP_LTZ": ("TO_TIMESTAMP_LTZ(44000, 3)", "timestamp_millis(44000)"),
    "TRY_TO_TIMESTAMP": "TRY_TO_TIMESTAMP('nothing')", "TRY_TO_DATE": "TRY_TO_DATE('nothing')", "MAKE_DATE": "MAKE_DATE(2024, 5, 1)",
    "MAKE_TIMESTAMP": "MAKE_TIMESTAMP(2024, 5, 1, 10, 20, 30.5)", "MONTHS_BETWEEN": f"MONTHS_BETWEEN({_TS}, {_D})", "NEXT_DAY": f"NEXT_DAY({_D}, 'MO')",
    "TIMESTAMPADD": f"TIMESTAMPADD(HOUR, 2, {_TS})", "TIMESTAMPDIFF": f"TIMESTAMPDIFF(HOUR, {_D}, {_TS})",
    "CURRENT_TIMEZONE": "CURRENT_TIMEZONE()",
    # JSON.
    "GET_JSON_OBJECT": """GET_JSON_OBJECT('{"a": {"b": 1}}', '$.a.b')""", "JSON_ARRAY_LENGTH": "JSON_ARRAY_LENGTH('[1, 2]')",
    "JSON_OBJECT_KEYS": """JSON_OBJECT_KEYS('{"a": 1, "b": 2}')""",
    "JSON_VALUE": ("""JSON_VALUE('{"a": 1}', '$.a')""", """get_json_object('{"a": 1}', '$.a')"""),
    # Arrays and maps.
    **{name: _both(name + "({})", _A) for name in ("ARRAY_COMPACT", "ARRAY_DISTINCT", "ARRAY_MAX", "ARRAY_MIN", "ARRAY_SIZE", "CARDINALITY", "SIZE",
                                                    "SORT_ARRAY")},
    **{name: _both(name + "({}, 1)", _A) for name in ("ARRAY_APPEND", "ARRAY_CONTAINS", "ARRAY_POSITION", "ARRAY_PREPEND", "ARRAY_REMOVE", "ELEMENT_AT",
                                                       "TRY_ELEMENT_AT")},
    **{name: (f"{name}(ARRAY[3, 1], ARRAY[1, 5])", f"{name}(array(3, 1), array(1, 5))") for name in (
        "ARRAY_EXCEPT", "ARRAY_INTERSECT", "ARRAY_UNION", "ARRAYS_OVERLAP", "ARRAYS_ZIP")},
    "ARRAY": _A, "ARRAY_INSERT": _both("ARRAY_INSERT({}, 2, 9)", _A), "ARRAY_JOIN": ("ARRAY_JOIN(ARRAY['a', 'b'], ',')", "array_join(array('a', 'b'), ',')"),
    "ARRAY_REPEAT": "ARRAY_REPEAT(1, 3)", "ARRAY_REVERSE": ("ARRAY_REVERSE(ARRAY[1, 2])", "reverse(array(1, 2))"),
    "ARRAY_CONCAT": ("ARRAY_CONCAT(ARRAY[1], ARRAY[2])", "concat(array(1), array(2))"), "SLICE": _both("SLICE({}, 2, 2)", _A),
    "FLATTEN": ("FLATTEN(ARRAY[ARRAY[1], ARRAY[2]])", "flatten(array(array(1), array(2)))"), "SPLIT": ("SPLIT('a,b', ',')", "split('a,b', ',')"),
    "MAP": _M, **{name: _both(name + "({})", _M) for name in ("MAP_ENTRIES", "MAP_KEYS", "MAP_VALUES")},
    "MAP_CONTAINS_KEY": _both("MAP_CONTAINS_KEY({}, 'a')", _M), "MAP_CONCAT": ("MAP_CONCAT(MAP['a', 1], MAP['b', 2])", "map_concat(map('a', 1), map('b', 2))"),
    "MAP_FROM_ARRAYS": ("MAP_FROM_ARRAYS(ARRAY['a'], ARRAY[1])", "map_from_arrays(array('a'), array(1))"),
    # Of groups: here over one row.
    **{name: f"{name}(2)" for name in ("AVG", "COUNT", "MAX", "MIN", "SUM", "MEAN", "ANY_VALUE", "STDDEV_POP", "VAR_POP")},
    **{name: f"{name}(2)" for name in ("APPROX_COUNT_DISTINCT", "BIT_AND", "BIT_OR", "BIT_XOR", "MODE", "STD", "STDDEV", "STDDEV_SAMP", "VARIANCE",
                                       "VAR_SAMP")},
    **{name: f"{name}(2, 3)" for name in ("COVAR_POP", "COVAR_SAMP", "MAX_BY", "MIN_BY")},
    **{name: f"{name}(0.5) WITHIN GROUP (ORDER BY 2)" for name in ("PERCENTILE_CONT", "PERCENTILE_DISC")},
    "COUNT_IF": "COUNT_IF(1 < 2)", "BOOL_AND": "BOOL_AND(TRUE)", "BOOL_OR": "BOOL_OR(TRUE)", "EVERY": "EVERY(TRUE)", "SOME": "SOME(TRUE)",
    "MEDIAN": "MEDIAN(2)", "LISTAGG": "LISTAGG('a', ',')",
}  # fmt: skip
"""Samples by name."""

HINTED: dict[str, str] = {
    **{name: f"{name}(ARRAY[1])" for name in (
        "EXPLODE", "EXPLODE_OUTER", "POSEXPLODE", "POSEXPLODE_OUTER", "INLINE", "INLINE_OUTER", "ARRAY_SORT", "ARRAY_SLICE", "TO_JSON",
        "COLLECT_LIST", "COLLECT_SET", "STRUCT", "NAMED_STRUCT", "AGGREGATE", "TRANSFORM", "REDUCE", "FORALL", "ZIP_WITH", "MAP_FILTER",
        "TRANSFORM_KEYS", "TRANSFORM_VALUES", "MAP_ZIP_WITH")},
    **{name: f"{name}('a')" for name in (
        "JSON_STRING", "JSON_QUOTE", "JSON_UNQUOTE", "FROM_JSON", "JSON_TUPLE", "PARSE_JSON", "TRY_PARSE_JSON", "SCHEMA_OF_JSON", "VARIANT_GET",
        "TRY_VARIANT_GET", "OBJECT_OF", "OBJECT_UPDATE", "IS_ALPHA", "IS_DIGIT", "IS_DECIMAL", "TO_NUMBER", "TRY_TO_NUMBER", "TO_VARCHAR",
        "TO_TIMESTAMP_NTZ", "MAP_UNION")},
    **{name: f"{name}(1, 2)" for name in (
        "TRY_ADD", "TRY_SUBTRACT", "TRY_MULTIPLY", "TRY_DIVIDE", "PERCENTILE", "PERCENTILE_APPROX", "APPROX_PERCENTILE", "MAKE_INTERVAL",
        "MAKE_DT_INTERVAL", "MAKE_YM_INTERVAL", "TRY_MAKE_INTERVAL", "MAKE_TIMESTAMP_LTZ", "MAKE_TIMESTAMP_NTZ", "SEQUENCE", "UNIFORM",
        "SESSION_WINDOW", "TIME_BUCKET", "WINDOW_TIME")},
    **{name: f"{name}()" for name in (
        "CURRENT_DATABASE", "CURRENT_ROW_TIMESTAMP", "CURRENT_WATERMARK", "SOURCE_WATERMARK", "MONOTONICALLY_INCREASING_ID", "RANDN")},
    "DAY": "DAY(DATE '2024-05-01')",
    **{name: f"{name}(1)" for name in ("FIRST", "LAST")},
    "CONVERT_TZ": "CONVERT_TZ('1970-01-01 00:00:00', 'UTC', 'Asia/Tokyo')",
}  # fmt: skip
"""Calls that get a hint."""

DIFFERENT: dict[str, tuple[str, str]] = {
    "LOG": ("LOG(X1, 2)", "the base comes second"),
    "STRING_AGG": ("STRING_AGG(S1, ',')", "as LISTAGG"),
    "ARRAY_AGG": ("ARRAY_AGG(I1)", ""),
    "COLLECT": ("COLLECT(I1)", "an array, which Flink calls a multiset"),
    "NOW": ("NOW()", "the time at which a row is processed"),
    "PROCTIME": ("PROCTIME()", "the time at which a row is processed; a time attribute is ROWTIME"),
    "CURRENT_TIMESTAMP": ("CURRENT_TIMESTAMP", "the time at which a row is processed, a TIMESTAMP in UTC"),
    "LOCALTIMESTAMP": ("LOCALTIMESTAMP", "as CURRENT_TIMESTAMP"),
    "CURRENT_DATE": ("CURRENT_DATE", "in UTC"),
    "CURDATE": ("CURDATE()", "in UTC"),
    "CURRENT_TIME": ("CURRENT_TIME", "in UTC"),
    "LOCALTIME": ("LOCALTIME", "in UTC"),
    "CURRENT_USER": ("CURRENT_USER", "who runs the query, to Spark"),
    "SESSION_USER": ("SESSION_USER", "as CURRENT_USER"),
    "USER": ("USER", "as CURRENT_USER"),
    "RAND": ("RAND()", "another one in each run"),
    "RANDOM": ("RANDOM()", "another one in each run"),
    "UUID": ("UUID()", "another one for each row and in each run"),
    "TRUNCATE": ("TRUNCATE(D1, 1)", ""),
    "DATE_DIFF": ("DATE_DIFF(DT1, DT2, DAY)", "with a unit"),
    "TO_CHAR": ("TO_CHAR(TS1, 'YYYY')", "patterns as in PostgreSQL"),
    "DAYNAME": ("DAYNAME(DT1)", "whole names"),
    "MONTHNAME": ("MONTHNAME(DT1)", "whole names"),
    "REGEXP_EXTRACT_ALL": ("REGEXP_EXTRACT_ALL(S1, 'a')", "all of a match, or its only group"),
    "FILTER": ("SUM(I1) FILTER (WHERE B1)", "a clause of aggregate functions"),
    "EXISTS": ("1", "of a sub-query"),
    "REGR_COUNT": ("REGR_COUNT(X1, X2)", ""),
    "REGR_SXX": ("REGR_SXX(X1, X2)", ""),
    "REGR_SYY": ("REGR_SYY(X1, X2)", ""),
    "JSON_QUERY": ("JSON_QUERY(J1, '$.b')", ""),
    "JSON_EXISTS": ("JSON_EXISTS(J1, '$.a')", ""),
    "JSON_OBJECT": ("JSON_OBJECT('i': I1)", ""),
    "JSON_ARRAY": ("JSON_ARRAY(I1, S1)", ""),
    "MAP_FROM_ENTRIES": ("MAP_FROM_ENTRIES(ARRAY[ROW('a', 1)])", ""),
    "ELEMENT": ("ELEMENT(A1)", ""),
    "TIME": ("TIME '10:20:30'", ""),
    "/": ("I1 / I2", "of integers an integer"),
    **{name: (f"{name}(I1) OVER (ORDER BY I1)", "") for name in ("FIRST_VALUE", "LAST_VALUE", "LAG", "LEAD")},
    **{
        name: (f"{name}() OVER (ORDER BY I1)", "")
        for name in ("CUME_DIST", "DENSE_RANK", "PERCENT_RANK", "RANK", "ROW_NUMBER")
    },
    **{name: (f"{name}(I1, 2) OVER (ORDER BY I1)", "") for name in ("NTH_VALUE",)},
    "NTILE": ("NTILE(2) OVER (ORDER BY I1)", ""),
}
"""Functions that run and are not compared here, with a call: how they differ, or that other tests compare them."""


def state(name: str) -> tuple[str, str]:
    """yes, hint or no; and a remark."""
    if name in SAME:
        sample = SAME[name]
        return "yes", f"`{sample if isinstance(sample, str) else sample[0]}`"
    if name in HINTED:
        return "hint", ""
    if name in DIFFERENT:
        call, remark = DIFFERENT[name]
        return "yes", f"`{call}`{': ' if remark else ''}{remark}"
    return "no", ""


def document(hint: dict[str, str]) -> str:
    """Returns the page; `hint` contains the hints by name."""
    lines = [
        "# Functions of Spark SQL and Flink SQL by name",
        "",
        "This page lists the built-in functions of Spark SQL 4.2 and of Flink SQL. *yes*: rowtime has a function of this name.",
        "The example returns the same as in Spark; a test compares the two. *hint*: rowtime has another way to do the same, which",
        "the error message for such a call names. *no*: there is no counterpart. [Functions](functions.md) lists the rowtime",
        "functions that Calcite also computes.",
        "",
    ]
    for system, names in LISTS.items():
        found = {name: state(name) for name in names}
        counts = {what: sum(s[0] == what for s in found.values()) for what in ("yes", "hint", "no")}
        lines += [f"## {system}", "", f"{counts['yes']} yes, {counts['hint']} hint, {counts['no']} no.", ""]
        lines += ["| function | | example, remark or hint |", "| --- | --- | --- |"]
        for name, (what, remark) in found.items():
            if what != "no":
                text = hint.get(name, "") if what == "hint" else remark
                lines.append(f"| {name} | {what} | {text} |".replace("||", "\\|\\|"))
        absent = ", ".join(f"`{name}`" for name, (what, _) in found.items() if what == "no")
        lines += ["", f"No: {absent}.", ""]
    return "\n".join(lines).replace("| || ", "| \\|\\| ")
