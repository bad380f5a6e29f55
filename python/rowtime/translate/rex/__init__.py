"""Translates rex to Spark SQL expressions: one file per kind of expression, `calls` has one per family of operators."""

from rowtime.translate.rex.registry import Scope, to_column, to_expression, to_plain

__all__ = ["Scope", "to_column", "to_expression", "to_plain"]
