"""From rex to Spark SQL expressions: one file a kind of expression, `calls` one a family of operators."""

from rowtime.translate.rex.registry import Scope, to_column, to_expression

__all__ = ["Scope", "to_column", "to_expression"]
