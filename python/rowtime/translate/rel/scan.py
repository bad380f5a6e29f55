"""Scan: the context knows where rows come from."""

from __future__ import annotations

from rowtime.plan.nodes import Scan
from rowtime.translate.context import TranslationContext
from rowtime.translate.registry import translates
from rowtime.translate.result import Translated


@translates(Scan)
def translate_scan(node: Scan, inputs: list[Translated], context: TranslationContext) -> Translated:
    return context.scan(node)
