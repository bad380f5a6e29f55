"""What Spark's optimizer does once for a streaming query, and what it does for each micro-batch.

Spark optimizes the plan of each micro-batch from the beginning, with some 120 rules, while the cores wait. Most of what
they find does not depend on the rows, so rowtime applies these rules once, when the query starts. If the query reads
only streams, those that can find nothing more are excluded from its micro-batches.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame

from rowtime.jvm.py4j import java_class

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_OPTIMIZER = "io.rowtime.spark.StreamOptimizer"
_EXCLUDED = "spark.sql.optimizer.excludedRules"


def _rules(package: str, names: str) -> tuple[str, ...]:
    return tuple(f"org.apache.spark.sql.{package}.{name}" for name in names.split())


_SHAPE = _rules(
    "catalyst.optimizer",
    "PushDownPredicates ColumnPruning CollapseProject CombineUnions SimplifyCasts RemoveRedundantAliases"
    " RemoveNoopOperators",
)
"""Rules that a micro-batch needs again, because its source adds a projection."""

_ONCE = _rules(
    "catalyst.optimizer",
    "BooleanSimplification ConstantPropagation EliminateAggregateFilter FoldablePropagation GenerateOptimization"
    " LikeSimplification NullDownPropagation OptimizeCsvJsonExprs OptimizeIn OptimizeRand OptimizeUpdateFields"
    " PushFoldableIntoBranches RemoveRedundantAggregates ReorderAssociativeOperator ReplaceNullWithFalseInPredicate"
    " SimplifyBinaryComparison SimplifyCaseConversionExpressions SimplifyConditionals SimplifyDateTimeConversions"
    " SimplifyExtractValueOps UnwrapCastInBinaryComparison",
)
"""Rules, nearly all of them for expressions, whose result is the same in all micro-batches."""

_ABSENT = (
    *_rules(
        "catalyst.optimizer",
        # LIMIT and OFFSET
        "EliminateLimits EliminateOffsets LimitPushDown LimitPushDownThroughWindow PushProjectionThroughLimitAndOffset"
        # Spark's own windows, and the distribution that a user asks for by a hint
        " CollapseRepartition CollapseWindow EliminateWindowPartitions InferWindowGroupLimit OptimizeRepartition"
        " OptimizeWindowFunctions TransposeWindow"
        # joins and sub-queries
        " EliminateOuterJoin InferFiltersFromConstraints InjectRuntimeFilter MergeSubplans OptimizeJoinCondition"
        " OptimizeOneRowRelationSubquery PushDownLeftSemiAntiJoin PushLeftSemiLeftAntiThroughJoin ReorderJoin"
        " RewriteNonCorrelatedExists"
        # functions over objects of the JVM
        " CombineTypedFilters EliminateMapObjects EliminateSerialization"
        # tables of one row, and filters that follow from others
        " OptimizeOneRowPlan PruneFilters",
    ),
    *_rules("execution.datasources", "PruneFileSourcePartitions PushVariantIntoScan"),
    *_rules("execution.dynamicpruning", "PartitionPruning"),
    # Delta's statements
    *_rules("delta", "metric.OptimizeConditionalIncrementMetric optimizer.RangePartitionIdRewrite"),
)
"""Rules for what a query that reads only streams does not contain."""


def excluded_by_session(spark: SparkSession) -> list[str]:
    """Returns the rules that the session excludes from all of its queries."""
    found = [rule for rule in str(spark.conf.get(_EXCLUDED, "") or "").split(",") if rule]
    # The session may have the settings of a query at present.
    own = {*_ONCE, *_ABSENT}
    return [rule for rule in found if rule not in own] if own.issubset(found) else found


def optimized(df: DataFrame, excluded: Collection[str]) -> DataFrame:
    """Returns a streaming DataFrame with the same rows and column names, in a simpler plan. `excluded` rules are not
    applied."""
    spark = df.sparkSession
    rules = ",".join(rule for rule in (*_SHAPE, *_ONCE) if rule not in excluded)
    return DataFrame(java_class(spark, _OPTIMIZER).optimize(df._jdf, rules), spark)


def exclusion_setting(spark: SparkSession) -> Mapping[str, str]:
    """Returns the setting that excludes rules from the micro-batches of an `optimized` query that reads only streams,
    in addition to those that the session excludes."""
    return {_EXCLUDED: ",".join(dict.fromkeys([*excluded_by_session(spark), *_ONCE, *_ABSENT]))}
