"""From plan nodes to Spark DataFrames: `rel` holds one file a relational operator, `rex` one a kind of expression."""

from rowtime.translate.context import TranslationContext
from rowtime.translate.registry import translate, translates
from rowtime.translate.result import OrderKey, Translated
from rowtime.translate.settings import SETTINGS

__all__ = ["SETTINGS", "OrderKey", "Translated", "TranslationContext", "translate", "translates"]
