"""The operators that the validator knows, and whether they are compared here, computed but not compared, or refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from functions import CATEGORIES

EXPRESSION_BUILDER = Path(__file__).parents[2] / "java/planner/src/io/rowtime/plan/build/ExpressionBuilder.java"


def _names(text: str) -> frozenset[str]:
    return frozenset(name.strip() for name in text.split(","))


# Operators that are not functions of values: clauses, sub-queries, windows, markers inside other calls.
STRUCTURE = _names(
    """=>, CALL, COLON, COLUMN_LIST, CUBE, CURSOR, DESC, DESCRIPTOR, DOT, EXCEPT, EXISTS, EXTEND, FILTER, FINAL, FIRST,
    LAST, CLASSIFIER, INTERSECT, LATERAL, MATCH_NUMBER, NEW, NEXT, OVER, PATTERN_EXCLUDE, PATTERN_PERMUTE,
    PATTERN_QUANTIFIER, PREV, ROLLUP, RUNNING, SEARCH, SET_SEMANTICS_TABLE, TABLE, TABLESAMPLE, UNION, UNIQUE, UNNEST,
    VALUES, HOP_START, HOP_END, SESSION_START, SESSION_END, TUMBLE_START, TUMBLE_END, REINTERPRET, ITEM, EXCEPT ALL,
    GROUPING SETS, IGNORE NULLS, RESPECT NULLS, INTERSECT ALL, NULLS FIRST, NULLS LAST, UNION ALL, WITHIN DISTINCT,
    WITHIN GROUP, CAST"""
)
# RexOperators.REFUSED, and operators without meaning outside other systems.
REFUSED = _names(
    """EXISTSNODE, EXTRACTVALUE, XMLTRANSFORM, CURRENT_ROLE, CURRENT_PATH, CURRENT_CATALOG, CURRENT_SCHEMA,
    SYSTIMESTAMP, NEXT_VALUE, CURRENT_VALUE, VARIANTNULL"""
)
# Operators that are rewritten before planning, and those that return properties of the session or the time.
REWRITTEN = _names(
    """::, BETWEEN ASYMMETRIC, NOT BETWEEN ASYMMETRIC, DATETIME_ADD, DATETIME_SUB, TIMESTAMP_SUB, TIME_ADD, TIME_SUB,
    DATETIME_DIFF, TIME_DIFF, CURRENT_DATETIME, SYSDATE, CURRENT_USER, SESSION_USER, SYSTEM_USER, USER"""
)


def operators(jpype: Any) -> dict[str, Any]:
    """Returns the scalar operators by name, in the JVM that the planner has started."""
    library = jpype.JClass("org.apache.calcite.sql.fun.SqlLibrary")
    factory = jpype.JClass("org.apache.calcite.sql.fun.SqlLibraryOperatorTableFactory").INSTANCE
    tables = [library.SPARK, library.POSTGRESQL, library.ORACLE, library.MYSQL, library.BIG_QUERY]
    standard = jpype.JClass("org.apache.calcite.sql.fun.SqlStdOperatorTable").instance()
    aggregate = jpype.JClass("org.apache.calcite.sql.SqlAggFunction")
    windowing = jpype.JClass("org.apache.calcite.sql.SqlTableFunction")
    found: dict[str, Any] = {}
    for table in (standard, factory.getOperatorTable(*tables)):
        for operator in table.getOperatorList():
            name = str(operator.getName()).upper()
            if not isinstance(operator, (aggregate, windowing)) and name and name not in STRUCTURE and name[0] != "$":
                found.setdefault(name, operator)
    return found


def _implemented(table: Any, operator: Any) -> bool:
    try:
        return table.get(operator) is not None
    except Exception:
        return False


def states(jpype: Any) -> dict[str, list[str]]:
    """Returns names by state: `compared`, `computed` (by Calcite, but in no comparison), `refused`."""
    implemented = jpype.JClass("org.apache.calcite.adapter.enumerable.RexImpTable").INSTANCE
    listed = re.search(r"ALLOWED = Set\.of\((.*?)\);", EXPRESSION_BUILDER.read_text(), re.DOTALL)
    assert listed is not None
    native = set(re.findall(r'"([^"]+)"', listed[1]))
    templates = " ".join(t for functions in CATEGORIES.values() for ts in functions.values() for t in ts).upper()
    found: dict[str, list[str]] = {"compared": [], "computed": [], "refused": []}
    for name, operator in sorted(operators(jpype).items()):
        if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", templates):
            found["compared"].append(name)
        elif name in REFUSED:
            found["refused"].append(name)
        elif name in native or name in REWRITTEN or _implemented(implemented, operator):
            found["computed"].append(name)
        else:
            found["refused"].append(name)
    return found
