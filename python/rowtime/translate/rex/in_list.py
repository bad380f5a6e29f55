"""IN with a long list of constants: one look-up in a set, whatever the length of the list."""

from __future__ import annotations

import msgspec
from sqlglot import exp

from rowtime.jvm.functions import IN_LIST
from rowtime.plan.rex import InList
from rowtime.plan.types import parse_type
from rowtime.sparksql.expressions import fn, text
from rowtime.translate.rex.registry import Scope, to_expression, translates_rex


@translates_rex(InList)
def in_list(rex: InList, scope: Scope) -> exp.Expression:
    types = [parse_type(str(getattr(arg, "type", "ANY"))).spark() for arg in rex.args]
    fields = ", ".join(f"a{i} {type_}" for i, type_ in enumerate(types))
    constants = msgspec.json.encode(rex.values).decode()
    return fn(IN_LIST, text(constants), text(f"STRUCT<{fields}>"), *(to_expression(arg, scope) for arg in rex.args))
