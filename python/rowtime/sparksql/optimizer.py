"""What Spark's optimizer does once for a streaming query, and what it does for each micro-batch.

Spark optimizes the plan of each micro-batch from the beginning, with some 120 rules, while the cores wait. Most of what
they find does not depend on the rows, so rowtime applies these rules once, when the query starts. For each micro-batch
Spark then leaves out those that can find nothing more.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame

from rowtime.jvm.py4j import java_class
from rowtime.plan.nodes import Node
from rowtime.plan.operators import nodes

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
"""Rules that find something again in a micro-batch, because its rows come with a projection of their own."""

_ONCE = _rules(
    "catalyst.optimizer",
    "BooleanSimplification ConstantPropagation EliminateAggregateFilter FoldablePropagation GenerateOptimization"
    " LikeSimplification NullDownPropagation OptimizeCsvJsonExprs OptimizeIn OptimizeRand OptimizeUpdateFields"
    " PushFoldableIntoBranches RemoveRedundantAggregates ReorderAssociativeOperator ReplaceNullWithFalseInPredicate"
    " SimplifyBinaryComparison SimplifyCaseConversionExpressions SimplifyConditionals SimplifyDateTimeConversions"
    " SimplifyExtractValueOps UnwrapCastInBinaryComparison",
)
"""Rules that find the same in all micro-batches, nearly all of them in expressions."""

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
"""Rules for what a query over streams alone does not contain."""


def reads_streams_alone(plan: Node) -> bool:
    """Returns whether no table is read, in whose query Spark's optimizer might find anything."""
    return all(node.streaming for node in nodes(plan))


def left_out(spark: SparkSession) -> list[str]:
    """Returns the rules that the session leaves out, in all of its queries."""
    found = [rule for rule in str(spark.conf.get(_EXCLUDED, "") or "").split(",") if rule]
    # The session may have the settings of a query at present.
    own = {*_ONCE, *_ABSENT}
    return [rule for rule in found if rule not in own] if own.issubset(found) else found


def optimized(df: DataFrame, without: Collection[str]) -> DataFrame:
    """Returns a streaming DataFrame with the same rows and column names, in a simpler plan; `without` some rules."""
    spark = df.sparkSession
    rules = ",".join(rule for rule in (*_SHAPE, *_ONCE) if rule not in without)
    return DataFrame(java_class(spark, _OPTIMIZER).optimize(df._jdf, rules), spark)


def excluded_rules(spark: SparkSession) -> Mapping[str, str]:
    """Returns the setting by which Spark leaves out rules in each micro-batch of an `optimized` query over streams
    alone, in addition to those that the session leaves out."""
    return {_EXCLUDED: ",".join(dict.fromkeys([*left_out(spark), *_ONCE, *_ABSENT]))}
