"""Translates plan nodes to Spark DataFrames: `rel` has one file per relational operator, `rex` one per kind of
expression."""

from rowtime.sparksql.result import OrderKey, Translated
from rowtime.sparksql.settings import SETTINGS
from rowtime.translate.context import TranslationContext
from rowtime.translate.registry import translate, translates

__all__ = ["SETTINGS", "OrderKey", "Translated", "TranslationContext", "translate", "translates"]
