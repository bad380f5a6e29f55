"""String functions. Positions count from 1; positions outside a string are empty, as in standard SQL."""

from __future__ import annotations

from sqlglot import exp

from rowtime.sparksql.expressions import (
    BIGINT,
    INT,
    STRING,
    add,
    all_of,
    any_of,
    case,
    cast,
    equal,
    fail,
    fn,
    greater,
    is_null,
    less,
    null,
    number,
    paren,
    subtract,
    text,
)
from rowtime.translate.rex.registry import Operands, translates_call

_SAME = {
    "UPPER": "upper",
    "LOWER": "lower",
    "CHAR_LENGTH": "char_length",
    "CHARACTER_LENGTH": "char_length",
    "OCTET_LENGTH": "octet_length",
    "ASCII": "ascii",
    "REVERSE": "reverse",
    "LTRIM": "ltrim",
    "RTRIM": "rtrim",
    "STARTS_WITH": "startswith",
    "STARTSWITH": "startswith",
    "ENDS_WITH": "endswith",
    "ENDSWITH": "endswith",
    "MD5": "md5",
    "SHA1": "sha1",
}
_LONGEST = 2**31 - 1


@translates_call(*_SAME)
def same(operands: Operands) -> exp.Expression:
    return fn(_SAME[operands.call.op], *operands.all())


@translates_call("||", "CONCAT")
def concatenate(operands: Operands) -> exp.Expression:
    """NULL if any operand is; nested concatenations become one call."""
    parts: list[exp.Expression] = []
    for part in operands.all():
        if isinstance(part, exp.Anonymous) and part.this == "concat":
            parts.extend(part.expressions)
        else:
            parts.append(part)
    return fn("concat", *parts)


@translates_call("SUBSTRING", "SUBSTR")
def substring(operands: Operands) -> exp.Expression:
    """From a position below 1, the length counts from there (`SUBSTRING('abc' FROM 0 FOR 2)` is 'a'); Spark counts a
    negative position from the end. A negative length is an error."""
    value, start = operands[0], operands[1]
    first = operands.constant(1)
    begin = start if first is not None and first >= 1 else case((less(start, number(1)), number(1)), default=start)
    if len(operands) == 2:
        return fn("substring", value, cast(begin, INT))
    length = operands[2]
    count = operands.constant(2)
    if first is not None and first >= 1 and count is not None and 0 <= count <= _LONGEST:
        return fn("substring", value, cast(begin, INT), cast(length, INT))
    lost = case((less(start, number(1)), subtract(cast(start, BIGINT), number(1))), default=number(0))
    rest = add(cast(length, BIGINT), lost)
    bounded = fn("least", fn("greatest", rest, number(0)), number(_LONGEST))
    taken = fn("substring", value, cast(begin, INT), cast(bounded, INT))
    # a NULL start or length must give NULL, which greatest would swallow
    nothing = any_of(*(exp.Is(this=paren(o), expression=exp.Null()) for o in (start, length)))
    refused = fail("Substring error: negative substring length not allowed")
    return case((nothing, exp.Null()), (less(length, number(0)), refused), default=taken)


@translates_call("LEFT", "RIGHT")
def of_length(operands: Operands) -> exp.Expression:
    return fn(operands.call.op.lower(), *operands.all())


@translates_call("TRIM")
def trim(operands: Operands) -> exp.Expression:
    """Arguments: BOTH, LEADING or TRAILING; one character; the text. More than one character is an error."""
    side, characters, value = operands.symbol(0), operands[1], operands[2]
    function = {"BOTH": "btrim", "LEADING": "ltrim", "TRAILING": "rtrim"}[side]
    # Spark's ltrim and rtrim take the characters first, its btrim last, when called as functions
    trimmed = fn(function, value, characters) if side == "BOTH" else fn(function, characters, value)
    seek = operands.constant(1)
    if isinstance(seek, str) and len(seek) == 1:
        return trimmed
    one = equal(fn("char_length", characters), number(1))
    return case(
        (exp.Not(this=paren(one)), fail("Trim error: trim character must be exactly 1 character")), default=trimmed
    )


@translates_call("POSITION")
def position(operands: Operands) -> exp.Expression:
    """Arguments: the text to find, the text to search, and optionally the first position."""
    if len(operands) == 2:
        return fn("locate", operands[0], operands[1])
    seek, value, start = operands[0], operands[1], operands[2]
    # an empty text is found where the search begins; Spark finds it at 1
    within = all_of(greater(start, number(0)), less(start, add(fn("char_length", value), number(2))))
    inside = all_of(equal(seek, text("")), within)
    # it is not found either if there is no position to begin
    return case((is_null(start), null(INT)), (inside, start), default=fn("locate", seek, value, start))


@translates_call("OVERLAY")
def overlay(operands: Operands) -> exp.Expression:
    value, put, start = operands[0], operands[1], operands[2]
    length = operands[3] if len(operands) == 4 else fn("char_length", put)
    after = add(start, length)
    end = fn("char_length", value)
    outside = any_of(less(start, number(1)), greater(after, add(end, number(1))), greater(start, add(end, number(1))))
    whole = fn(
        "concat",
        fn("left", value, subtract(start, number(1))),
        put,
        fn("substring", value, cast(after, INT)),
    )
    unknown = any_of(*(is_null(operand) for operand in operands.all()))
    refused = fail("Overlay error: the replaced part is not within the text")
    return case((unknown, null(STRING)), (outside, refused), default=whole)


@translates_call("TO_HEX")
def to_hex(operands: Operands) -> exp.Expression:
    return fn("lower", fn("hex", operands[0]))


@translates_call("INITCAP")
def initcap(operands: Operands) -> exp.Expression:
    """A word is a run of ASCII letters and digits; Spark's own only separates words at spaces."""
    word = exp.column("w")
    capital = fn("concat", fn("upper", fn("left", word, number(1))), fn("lower", fn("substring", word, number(2))))
    capital = case((fn("regexp_like", word, text("^[A-Za-z0-9]")), capital), default=word)
    words = fn("regexp_extract_all", operands[0], text("[A-Za-z0-9]+|[^A-Za-z0-9]+"), number(0))
    each = exp.Lambda(this=capital, expressions=[exp.to_identifier("w")])
    return fn("array_join", fn("transform", words, each), text(""))
