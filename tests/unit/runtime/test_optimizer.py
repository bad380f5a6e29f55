"""The rules of Spark's optimizer that rowtime applies once, and those that are excluded from micro-batches."""

from __future__ import annotations

from typing import Any

from rowtime.session import Session
from rowtime.sparksql.optimizer import _SHAPE, excluded_by_session, exclusion_setting
from rowtime.sparksql.settings import applied

EXCLUDED = "spark.sql.optimizer.excludedRules"
STREAM = "CREATE STREAM orders (id INTEGER, units INTEGER)"


def _names(rules: Any) -> set[str]:
    return {str(rules.apply(i)) for i in range(rules.size())}


def _projects(rows: Any) -> int:
    return str(rows._jdf.queryExecution().analyzed().toString()).count("Project")


def test_spark_knows_each_rule_and_can_exclude_it(spark: Any) -> None:
    optimizer = spark._jsparkSession.sessionState().optimizer()
    batches = optimizer.defaultBatches()
    known = {
        str(rules.apply(j).ruleName())
        for rules in (batches.apply(i).rules() for i in range(batches.size()))
        for j in range(rules.size())
    }
    excluded = set(exclusion_setting(spark)[EXCLUDED].split(","))
    assert {rule for rule in excluded if ".delta." not in rule} <= known
    assert excluded.isdisjoint(_names(optimizer.nonExcludableRules()))
    assert {*_SHAPE} <= known


def test_rules_that_the_session_excludes_stay_excluded(rt: Session) -> None:
    rt.sql(STREAM)
    own = "org.apache.spark.sql.catalyst.optimizer.CombineFilters"
    rt.spark.conf.set(EXCLUDED, own)
    try:
        excluded = rt.settings_for("SELECT STREAM id FROM orders")[EXCLUDED].split(",")
        assert excluded[0] == own
        assert len(excluded) > 1
    finally:
        rt.spark.conf.unset(EXCLUDED)


def test_a_rule_that_the_session_excludes_is_not_applied_at_the_start(rt: Session) -> None:
    rt.sql(STREAM)
    sql = "SELECT STREAM n + 1 AS m FROM (SELECT STREAM id + 1 AS n, units FROM orders)"
    rt.spark.conf.set(EXCLUDED, "org.apache.spark.sql.catalyst.optimizer.CollapseProject")
    try:
        assert _projects(rt.table(sql)) > 1
    finally:
        rt.spark.conf.unset(EXCLUDED)


def test_under_the_settings_of_a_query_its_rules_are_not_those_of_the_session(rt: Session) -> None:
    rt.sql(STREAM)
    with applied(rt.spark, rt.settings_for("SELECT STREAM id FROM orders")):
        assert excluded_by_session(rt.spark) == []


def test_a_query_that_reads_a_table_is_optimized_as_spark_does(rt: Session) -> None:
    rt.sql(STREAM)
    rt.sql("CREATE TABLE products (id INTEGER, name VARCHAR)")
    joined = "SELECT STREAM o.id, p.name FROM orders AS o JOIN products AS p ON p.id = o.id"
    assert EXCLUDED not in rt.settings_for(joined)


def test_the_plan_of_a_query_is_optimized_before_it_starts(rt: Session) -> None:
    """Its projections are one. Those that can fail stay apart, so that an error names the row that it is about."""
    rt.sql(STREAM)
    rows = rt.table("SELECT STREAM NOT n AS m FROM (SELECT STREAM id > 1 AS n, units FROM orders)")
    assert rows.columns == ["M"]
    assert _projects(rows) == 1
