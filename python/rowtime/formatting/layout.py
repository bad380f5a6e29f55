"""Lays out one statement: on one line if it fits, or else one line per clause, then one line per element, and so on
inwards."""

from __future__ import annotations

from collections.abc import Sequence

from rowtime.errors import len_cells
from rowtime.formatting.clauses import CONDITIONS, LISTS, Clause, clauses, has_clauses, list_elements
from rowtime.formatting.pieces import FormattedToken, Group, Item, first, items, width

STEP = 2
"""Blanks of indentation per level."""


def lay_out(statement: str, line_length: int) -> list[str]:
    """Returns the lines of a statement, including its semicolon; a line may contain line ends of a string or
    comment."""
    paper = _LineWriter(line_length)
    parts = items(statement)
    _statement(paper, parts)
    return paper.finish(";")


class _LineWriter:
    """The lines so far, and the current one."""

    def __init__(self, line_length: int) -> None:
        self._length = line_length
        self._lines: list[str] = []
        self._line = ""
        self._ended = False
        """Whether nothing can follow on the current line, because a comment ends it."""
        self.indent = 0

    @property
    def blank(self) -> bool:
        return not self._line.strip()

    def room(self) -> int:
        """The number of cells left on this line."""
        used = self._line.rsplit("\n", 1)[-1]
        return self._length - (self.indent if self.blank else len_cells(used))

    def new_line(self) -> None:
        if not self.blank:
            self._lines.append(self._line.rstrip())
        self._line, self._ended = "", False

    def put(self, text: str, space: bool) -> None:
        if self._ended:
            self.new_line()
        if self.blank:
            self._line = " " * self.indent + text
        else:
            self._line += f" {text}" if space else text

    def put_piece(self, piece: FormattedToken) -> None:
        if piece.comment is not None:
            self._comment(piece)
            return
        if piece.breaks and not self.blank:
            self.new_line()
            self._line = " " * (self.indent + STEP) + piece.text
        else:
            self.put(piece.text, piece.space)

    def _comment(self, piece: FormattedToken) -> None:
        assert piece.comment is not None
        if piece.comment.own_line:
            self.new_line()
        self.put(piece.text if self.blank or self._ended else f" {piece.text}", True)
        if piece.comment.own_line or piece.comment.ends_line:
            self._ended = True

    def finish(self, end: str) -> list[str]:
        """Returns the lines, with `end` after the last token."""
        if self._ended:
            # The statement's text ends with a token, so this is a comment that was moved behind a comma.
            self.new_line()
        self.put(end, False)
        self.new_line()
        return self._lines


def _statement(paper: _LineWriter, parts: Sequence[Item]) -> None:
    """Writes a statement or query that starts a line."""
    if _fits(paper, parts, 1):
        _write_flat(paper, parts)
        return
    found = clauses(parts)
    previous: Clause | None = None
    for clause in found:
        joined = clause.name == "VALUES" and previous is not None and previous.name == "INSERT" and paper.room() > 8
        if previous is not None and not joined:
            paper.new_line()
        _clause(paper, clause, joined=joined)
        previous = clause


def _clause(paper: _LineWriter, clause: Clause, *, joined: bool) -> None:
    _take_own_comments(paper, clause.head)
    comments = _trailing_comments(clause.body)
    body = clause.body[: len(clause.body) - len(comments)]
    if _fits(paper, [*clause.head, *body], 1) and not (joined and len(list_elements(body)) > 1):
        _write_flat(paper, [*clause.head, *body])
    elif not clause.name:
        _write_flat(paper, clause.head)
        _columns(paper, body)
    else:
        _write_flat(paper, clause.head)
        _take_comments_behind(paper, body)
        elements = list_elements(body)
        if clause.name in LISTS and (len(elements) > 1 or clause.name == "VALUES"):
            _elements(paper, elements)
        elif clause.name in CONDITIONS:
            _condition(paper, body)
        elif clause.name == "JOIN":
            _join(paper, body)
        else:
            _flow(paper, body)
    _write_flat(paper, comments)


def _join(paper: _LineWriter, body: Sequence[Item]) -> None:
    """Writes a JOIN, with its condition on a line of its own."""
    place = next((i for i, item in enumerate(body) if first(item).word == "ON"), len(body))
    _flow(paper, body[:place])
    if place < len(body):
        paper.indent += STEP
        paper.new_line()
        _condition(paper, body[place:])
        paper.indent -= STEP


def _columns(paper: _LineWriter, body: Sequence[Item]) -> None:
    """Writes CREATE STREAM s (…) OPTIONS (…), with each column on a line."""
    place = next((i for i, item in enumerate(body) if isinstance(item, Group) and item.open.text == "("), len(body))
    _flow(paper, body[:place])
    if place < len(body) and isinstance(body[place], Group):
        _open(paper, body[place])  # type: ignore[arg-type]
        _flow(paper, body[place + 1 :])


def _elements(paper: _LineWriter, elements: Sequence[Sequence[Item]]) -> None:
    paper.indent += STEP
    for element in elements:
        paper.new_line()
        _element(paper, element)
    paper.indent -= STEP


def _element(paper: _LineWriter, element: Sequence[Item]) -> None:
    comments = _trailing_comments(element)
    body = list(element[: len(element) - len(comments)])
    _take_own_comments(paper, body)
    if _fits(paper, body, 0):
        _write_flat(paper, body)
    else:
        _condition(paper, body)
    _write_flat(paper, comments)


def _condition(paper: _LineWriter, body: Sequence[Item]) -> None:
    """Writes an expression; if it does not fit, each operand of AND or OR on a line."""
    operands = _operands(body)
    _flow(paper, operands[0])
    paper.indent += STEP
    for operand in operands[1:]:
        paper.new_line()
        _flow(paper, operand)
    paper.indent -= STEP


def _flow(paper: _LineWriter, parts: Sequence[Item]) -> None:
    """Writes the parts one after the other; opens a group that does not fit, and continues on the next line at the end
    of the line."""
    for place, item in enumerate(parts):
        behind = _attached_width(parts, place + 1)
        needed = width([item])
        space = first(item).space and not paper.blank
        if isinstance(item, Group) and (needed is None or needed + behind + space > paper.room()):
            _open(paper, item)
        elif isinstance(item, Group):
            _write_flat(paper, [item])
        elif not item.comment and needed is not None and space and needed + behind + 1 > paper.room():
            paper.indent += STEP
            paper.new_line()
            paper.put_piece(item)
            paper.indent -= STEP
        else:
            paper.put_piece(item)


def _open(paper: _LineWriter, group: Group) -> None:
    """Writes a group with its contents on lines of their own."""
    paper.put_piece(group.open)
    inside = list(group.items)
    if not inside:
        if group.close is not None:
            paper.put_piece(group.close)
        return
    _take_comments_behind(paper, inside)
    base = paper.indent
    paper.indent = base + STEP
    paper.new_line()
    if group.open.word == "CASE":
        _cases(paper, inside)
    elif has_clauses(inside):
        _statement(paper, inside)
    else:
        for number, element in enumerate(list_elements(inside)):
            if number:
                paper.new_line()
            _element(paper, element)
    paper.indent = base
    paper.new_line()
    if group.close is not None:
        paper.put_piece(group.close)


def _cases(paper: _LineWriter, parts: Sequence[Item]) -> None:
    current: list[Item] = []
    lines = [current]
    for item in parts:
        if first(item).word in ("WHEN", "ELSE") and current:
            current = []
            lines.append(current)
        current.append(item)
    for number, line in enumerate(lines):
        if number:
            paper.new_line()
        _element(paper, line)


def _write_flat(paper: _LineWriter, parts: Sequence[Item]) -> None:
    for item in parts:
        if isinstance(item, Group):
            paper.put_piece(item.open)
            _write_flat(paper, item.items)
            if item.close is not None:
                paper.put_piece(item.close)
        else:
            paper.put_piece(item)


def _fits(paper: _LineWriter, parts: Sequence[Item], behind: int) -> bool:
    needed = width(parts)
    space = bool(parts) and first(parts[0]).space and not paper.blank
    return needed is not None and needed + behind + space <= paper.room()


def _attached_width(parts: Sequence[Item], place: int) -> int:
    """Returns the cells of the pieces that must stay on the line of the one before."""
    taken = 0
    while place < len(parts):
        item = parts[place]
        if isinstance(item, Group) or item.space or item.comment:
            break
        taken += len_cells(item.text)
        place += 1
    return taken


def _operands(parts: Sequence[Item]) -> list[list[Item]]:
    """Returns the operands of AND and OR, each but the first with its word; the AND of BETWEEN connects nothing."""
    found: list[list[Item]] = [[]]
    between = 0
    for item in parts:
        word = item.word if isinstance(item, FormattedToken) else ""
        if word == "BETWEEN":
            between += 1
        elif word == "AND" and between:
            between -= 1
        elif word in ("AND", "OR"):
            between = 0
            moved = _own_line_tail(found[-1])
            found.append(moved)
        found[-1].append(item)
    return found


def _own_line_tail(parts: list[Item]) -> list[Item]:
    taken: list[Item] = []
    while (
        parts and isinstance(parts[-1], FormattedToken) and parts[-1].comment is not None and parts[-1].comment.own_line
    ):
        taken.insert(0, parts.pop())
    return taken


def _take_own_comments(paper: _LineWriter, parts: list[Item]) -> None:
    """Writes the comments at the beginning, and removes them."""
    while parts and isinstance(parts[0], FormattedToken) and parts[0].comment is not None:
        paper.put_piece(parts.pop(0))  # type: ignore[arg-type]


def _take_comments_behind(paper: _LineWriter, parts: list[Item]) -> None:
    """Writes the comments on the line that was written last, and removes them."""
    while parts and isinstance(parts[0], FormattedToken) and parts[0].comment and not parts[0].comment.own_line:
        paper.put_piece(parts.pop(0))  # type: ignore[arg-type]


def _trailing_comments(parts: Sequence[Item]) -> list[Item]:
    place = len(parts)
    while place and isinstance(parts[place - 1], FormattedToken) and parts[place - 1].comment is not None:  # type: ignore[union-attr]
        place -= 1
    return list(parts[place:])
