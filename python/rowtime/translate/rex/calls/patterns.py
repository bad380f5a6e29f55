"""LIKE and SIMILAR TO."""

from __future__ import annotations

from sqlglot import exp

from rowtime.errors import error
from rowtime.jvm.functions import SIMILAR
from rowtime.sparksql.expressions import fn, paren, text
from rowtime.translate.rex.computed import computed
from rowtime.translate.rex.registry import Operands, translates_call


@translates_call("LIKE")
def like(operands: Operands) -> exp.Expression:
    """Without ESCAPE, no character escapes; Spark's default is the backslash, so those in the pattern are doubled."""
    pattern = operands[1]
    if len(operands) == 3:
        escape = operands.constant(2)
        if escape is None:
            return computed(operands.call, operands.scope)
        if len(escape) != 1:
            raise error("RT0104", f"The ESCAPE of a LIKE must be one character, not '{escape}'")
        match = exp.Like(this=paren(operands[0]), expression=paren(pattern))
        return exp.Escape(this=match, expression=text(escape))
    constant = operands.constant(1)
    if isinstance(constant, str):
        pattern = text(constant.replace("\\", "\\\\"))
    else:
        pattern = fn("replace", pattern, text("\\"), text("\\\\"))
    return exp.Like(this=paren(operands[0]), expression=paren(pattern))


@translates_call("SIMILAR TO")
def similar(operands: Operands) -> exp.Expression:
    pattern = operands.constant(1)
    escape = operands.constant(2) if len(operands) == 3 else ""
    if not isinstance(pattern, str) or escape is None:
        return fn(SIMILAR, operands[0], operands[1], operands[2] if len(operands) == 3 else text(""))
    return fn("regexp_like", operands[0], text(f"(?s)^(?:{similar_regex(pattern, escape)})$"))


_CLASSES = {
    "ALPHA": "\\p{Alpha}",
    "UPPER": "\\p{Upper}",
    "LOWER": "\\p{Lower}",
    "DIGIT": "\\d",
    "ALNUM": "\\p{Alnum}",
    "SPACE": " ",
    "WHITESPACE": "\\s",
}
_JAVA_SPECIAL = frozenset("\\.^$&~#-[]{}()*+?|")
_SAME = frozenset("|*+?{}()")


def similar_regex(pattern: str, escape: str) -> str:
    """Returns the Java regular expression for a SIMILAR TO pattern.

    Raises RowtimeError (RT0104) if the pattern is malformed.
    """
    out: list[str] = []
    at = 0
    while at < len(pattern):
        character = pattern[at]
        if escape and character == escape:
            at += 1
            if at == len(pattern):
                raise error("RT0104", f"The SIMILAR TO pattern '{pattern}' ends in its escape character")
            out.append(_literal(pattern[at]))
        elif character == "%":
            out.append(".*")
        elif character == "_":
            out.append(".")
        elif character == "[":
            found, at = _bracket(pattern, at, escape)
            out.append(found)
            continue
        elif character in _SAME:
            out.append(character)
        else:
            out.append(_literal(character))
        at += 1
    return "".join(out)


def _literal(character: str) -> str:
    return "\\" + character if character in _JAVA_SPECIAL else character


def _bracket(pattern: str, at: int, escape: str) -> tuple[str, int]:
    """Returns a character class that begins at `at`, and where it ends."""
    out = ["["]
    at += 1
    if pattern[at : at + 1] == "^":
        out.append("^")
        at += 1
    while at < len(pattern) and pattern[at] != "]":
        if pattern.startswith("[:", at):
            end = pattern.find(":]", at)
            name = pattern[at + 2 : end].upper() if end > 0 else ""
            if name not in _CLASSES:
                raise error("RT0104", f"The SIMILAR TO pattern '{pattern}' has an unknown character class")
            out.append(_CLASSES[name])
            at = end + 2
            continue
        if escape and pattern[at] == escape:
            at += 1
        character = pattern[at : at + 1]
        out.append("-" if character == "-" else _literal(character))
        at += 1
    if at >= len(pattern):
        raise error("RT0104", f"The SIMILAR TO pattern '{pattern}' has an unclosed bracket")
    out.append("]")
    return "".join(out), at + 1
