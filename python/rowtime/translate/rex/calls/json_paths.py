"""Functions that apply a path of SQL/JSON. Calcite computes them; the regular expressions of a path are limited."""

from __future__ import annotations

from sqlglot import exp

from rowtime.jvm.functions import JSON_PATH
from rowtime.plan.rex import Call
from rowtime.sparksql.expressions import fn, text
from rowtime.translate.rex.computed import Guard, computed
from rowtime.translate.rex.registry import Operands, to_expression, translates_call

_MATCHES = "=~"
_STEPS = {"JSON_REMOVE": 1, "JSON_INSERT": 2, "JSON_REPLACE": 2, "JSON_SET": 2}
"""Functions of several paths, with the distance between them; the others have one."""


@translates_call("JSON_VALUE", "JSON_QUERY", "JSON_EXISTS", "JSON_KEYS", "JSON_LENGTH", *_STEPS)
def json_path(operands: Operands) -> exp.Expression:
    call, document = operands.call, operands.call.args[0]
    if isinstance(document, Call) and document.op == "FORMAT JSON":
        document = document.args[0]
    paths = range(1, len(operands), _STEPS[call.op]) if call.op in _STEPS else range(1, min(2, len(operands)))

    def limited(path: exp.Expression) -> exp.Expression:
        return fn(JSON_PATH, path, to_expression(document, operands.scope), text(call.op))

    unknown = [i for i in paths if not isinstance(operands.constant(i), str) or _MATCHES in operands.constant(i)]
    guards: dict[int, Guard] = dict.fromkeys(unknown, limited)
    return computed(call, operands.scope, guards)
