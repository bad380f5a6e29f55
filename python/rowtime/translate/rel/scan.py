"""Scan: the context knows where rows come from."""

from __future__ import annotations

from rowtime.plan.nodes import Scan
from rowtime.sparksql.result import Translated
from rowtime.translate.context import TranslationContext
from rowtime.translate.registry import translates


@translates(Scan)
def translate_scan(node: Scan, inputs: list[Translated], context: TranslationContext) -> Translated:
    return context.scan(node)
