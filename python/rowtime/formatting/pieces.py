"""The tokens of a statement as they will be written: keywords in upper case, with blanks, grouped by parentheses and
CASE … END."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rowtime.errors import len_cells
from rowtime.lexical.tokens import Token, tokens
from rowtime.lexical.words import SPACED, ends_operand, is_keyword


@dataclass(frozen=True, slots=True)
class FormattedToken:
    """A token with its text as it will be written. `word`: its keyword, '' for other tokens; `space`: a blank precedes
    it unless it begins a line; `breaks`: it must begin a line."""

    token: Token
    text: str
    space: bool
    word: str = ""
    breaks: bool = False

    @property
    def comment(self) -> Token | None:
        return self.token if self.token.kind == "comment" else None


@dataclass(frozen=True, slots=True)
class Group:
    """The items between an opening and a closing piece."""

    open: FormattedToken
    items: list[Item] = field(default_factory=list)
    close: FormattedToken | None = None


Item = FormattedToken | Group

_PAIRS = {"(": ")", "[": "]", "{": "}", "CASE": "END"}
_OPENING = {"(", "[", "{", "."}
_CLOSING = {")", "]", "}", ",", ";", "."}
_NAMING = {"INTO", "EXISTS", "OVER"}
_CREATED = {"STREAM", "TABLE", "VIEW"}
_CREATING = {"CREATE", "REPLACE", "FOREIGN", "MATERIALIZED"}


def items(text: str) -> list[Item]:
    """Returns the statement `text`, grouped. Unpaired parentheses stay single pieces."""
    return _group(_pieces(tokens(text)))


def flat(parts: Sequence[Item]) -> str | None:
    """Returns the text on one line; None if that is impossible, because of a comment or a line end in a string."""
    text = ""
    for piece in leaves(parts):
        if piece.comment is not None or piece.breaks or "\n" in piece.text or "\r" in piece.text:
            return None
        text += f" {piece.text}" if piece.space and text else piece.text
    return text


def width(parts: Sequence[Item]) -> int | None:
    """Returns the cells of the text on one line; None as for `flat`."""
    text = flat(parts)
    return None if text is None else len_cells(text)


def first(item: Item) -> FormattedToken:
    return item.open if isinstance(item, Group) else item


def leaves(parts: Sequence[Item]) -> list[FormattedToken]:
    """Returns all pieces in order, including those of groups."""
    found: list[FormattedToken] = []
    for item in parts:
        if isinstance(item, Group):
            found.append(item.open)
            found += leaves(item.items)
            if item.close is not None:
                found.append(item.close)
        else:
            found.append(item)
    return found


def _pieces(written: list[Token]) -> list[FormattedToken]:
    found: list[FormattedToken] = []
    before: list[Token] = []
    naming = False
    """Whether the next parenthesis contains columns of the name before it: CREATE STREAM s (…)."""
    unary = False
    significant = [token for token in written if token.kind != "comment"]
    for token in written:
        if token.kind == "comment":
            found.append(FormattedToken(token, token.text, True))
            continue
        place = len(before)
        last = before[-1] if before else None
        after = significant[place + 1] if place + 1 < len(significant) else None
        keyword = is_keyword(token, last, after)
        text = token.upper if keyword else token.text
        space = last is not None and _space(token, last, naming, unary, bool(found and found[-1].word))
        adjacent = token.kind == "string" and last is not None and last.kind == "string"
        found.append(FormattedToken(token, text, space, text if keyword else "", breaks=adjacent))
        unary = text in ("-", "+") and (last is None or not ends_operand(last))
        if keyword:
            naming = text in _NAMING or (text in _CREATED and last is not None and last.upper in _CREATING)
        elif token.kind not in ("word", "quoted") and text != ".":
            naming = False
        before.append(token)
    return _commas_first(found)


def _space(token: Token, last: Token, naming: bool, unary: bool, after_keyword: bool) -> bool:
    if (last.text == "-" and token.text[0] == "-") or (last.text == "/" and token.text[0] in "/*"):
        # Without a blank, they would begin a comment.
        return True
    if token.text in _CLOSING or last.text in _OPENING or unary or "::" in (token.text, last.text):
        return False
    if token.text == "[":
        return not ends_operand(last) and last.upper not in ("MAP", "ARRAY")
    if token.text == "(":
        return _space_before_parenthesis(token, last, naming, after_keyword)
    if token.kind == "sign" and last.kind == "sign" and token.glued and token.text not in "+-(":
        return last.text in (")", "]", ",", "}")
    return True


def _space_before_parenthesis(token: Token, last: Token, naming: bool, after_keyword: bool) -> bool:
    if last.kind == "word":
        if after_keyword:
            return last.upper in SPACED or (last.upper in ("WITH", "AS"))
        return naming or last.upper in ("OPTIONS", "KEY")
    if last.kind == "quoted":
        return naming
    return not (last.kind == "sign" and token.glued and last.text not in (")", "]", ",")) or last.text in "=<>|*/+-"


def _commas_first(pieces: list[FormattedToken]) -> list[FormattedToken]:
    """Moves a comment at the end of a line, before a comma on the next one, behind the comma."""
    found = list(pieces)
    for place in range(1, len(found)):
        at = place
        while (
            found[place].text == ","
            and at > 0
            and (comment := found[at - 1].comment) is not None
            and not comment.own_line
        ):
            found[at - 1], found[at] = found[at], found[at - 1]
            at -= 1
            place -= 1
    return found


def _group(pieces: list[FormattedToken]) -> list[Item]:
    root: list[Item] = []
    stack: list[Group] = []
    for piece in pieces:
        here = stack[-1].items if stack else root
        opening = piece.word or piece.text
        if piece.comment is None and stack and opening == _PAIRS[stack[-1].open.word or stack[-1].open.text]:
            done = stack.pop()
            closed = Group(done.open, done.items, piece)
            outer = stack[-1].items if stack else root
            outer[-1] = closed
        elif piece.comment is None and opening in _PAIRS and (piece.word or opening != "CASE"):
            group = Group(piece)
            here.append(group)
            stack.append(group)
        else:
            here.append(piece)
    return root
