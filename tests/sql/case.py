"""A script file with its expected results, and the same script with its input cut in other ways."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from pathlib import Path

from rowtime.script import Command, Statement, split

_EXPECTED = re.compile(r"^--(>|!) (.*)$")
_DIRECTIVE = re.compile(r"^-- (date|unordered) (.+)$")
_VALUES = re.compile(r"(?is)\A(\s*INSERT\s+INTO\b.*?\bVALUES\b)(.*)\Z")


@dataclass(frozen=True)
class Row:
    """An expected row: of which query, at which step, its cells as text."""

    query: int
    step: int
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Failure:
    line: int
    column: int
    code: str
    message: str


@dataclass(frozen=True)
class Rejected:
    stream: str
    reason: str
    step: int
    cells: tuple[str, ...]


@dataclass
class Case:
    text: str
    steps: list[Statement | Command]
    rows: list[Row] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    failures: dict[int, Failure] = field(default_factory=dict)
    """By the position in `steps` of the statement that fails."""
    unordered: set[int] = field(default_factory=set)


def read(path: Path) -> Case:
    text = path.read_text()
    script = split(text)
    assert not script.diagnostics, script.diagnostics
    case = Case(text, list(script.steps))
    date = ""
    for number, line in enumerate(text.splitlines(), 1):
        directive = _DIRECTIVE.match(line)
        if directive and directive[1] == "date":
            date = directive[2].strip()
        elif directive:
            case.unordered |= {int(word) for word in directive[2].split()}
        expected = _EXPECTED.match(line)
        if expected is None:
            continue
        above = max(i for i, step in enumerate(case.steps) if step.line <= number)
        step = sum(_is_step(each) for each in case.steps[: above + 1])
        if expected[1] == "!":
            place, code, message = expected[2].split(" ", 2)
            at_line, _, at_column = place.partition(":")
            case.failures[above] = Failure(int(at_line), int(at_column), code, message)
        else:
            head, *cells = [cell.strip() for cell in expected[2].split("|")]
            dated = tuple(f"{date} {c}" if re.fullmatch(r"\d\d:\d\d:\d\d(\.\d+)?", c) else c for c in cells)
            if head.startswith("rejected"):
                _, stream, reason = head.split()
                case.rejected.append(Rejected(stream, reason, step, dated))
            else:
                case.rows.append(Row(int(head), step, dated))
    return case


def _is_step(step: Statement | Command) -> bool:
    if isinstance(step, Command):
        return step.name == "bound"
    return step.text.lstrip().upper().startswith("INSERT")


def segments(case: Case) -> list[tuple[str, Failure | None]]:
    """The script as texts to be run one after the other, each up to a statement that fails; lines keep their number."""
    lines = case.text.splitlines(keepends=True)
    found: list[tuple[str, Failure | None]] = []
    start = 0
    for position in sorted(case.failures):
        following = case.steps[position + 1].line - 1 if position + 1 < len(case.steps) else len(lines)
        found.append(("\n" * start + "".join(lines[start:following]), case.failures[position]))
        start = following
    rest = "".join(lines[start:])
    if split(rest).pieces and any(True for _ in split(rest).steps):
        found.append(("\n" * start + rest, None))
    return found


def one_by_one(case: Case) -> str:
    """Every row an INSERT of its own."""
    return _text(_inserts_apart(case))


def together(case: Case) -> str:
    """INSERTs that follow one another, into the same stream, as one."""
    out: list[tuple[str, list[str]]] = []
    for head, rows in _inserts_apart(case):
        if rows and out and out[-1][0] == head:
            out[-1][1].extend(rows)
        else:
            out.append((head, list(rows)))
    return _text(out)


def at_random(case: Case, seed: str) -> str:
    """Cut anywhere, with `!restart` after some of the pieces."""
    chance = random.Random(seed)
    out: list[tuple[str, list[str]]] = []
    for head, rows in _inserts_apart(case):
        if rows and out and out[-1][0] == head and chance.random() < 0.6:
            out[-1][1].extend(rows)
            continue
        if rows and out and out[-1][1] and chance.random() < 0.5:
            out.append(("!restart", []))
        out.append((head, list(rows)))
    inserts = [i for i, (_, rows) in enumerate(out) if rows]
    if inserts and not any(head == "!restart" for head, _ in out):
        out.insert(chance.choice(inserts) + 1, ("!restart", []))
    return _text(out)


def _inserts_apart(case: Case) -> list[tuple[str, list[str]]]:
    """Statements and commands in order; an INSERT … VALUES once for each row, as its head and that row."""
    found: list[tuple[str, list[str]]] = []
    for step in case.steps:
        match = _VALUES.match(step.text) if isinstance(step, Statement) else None
        if match is None:
            found.append((step.text, []))
        else:
            found += [(match[1], [row]) for row in _tuples(match[2])]
    return found


def _tuples(text: str) -> list[str]:
    found, depth, start, quoted = [], 0, 0, False
    for at, character in enumerate(text):
        if character == "'":
            quoted = not quoted
        elif not quoted and character == "(":
            start = at if depth == 0 else start
            depth += 1
        elif not quoted and character == ")":
            depth -= 1
            if depth == 0:
                found.append(text[start : at + 1])
    return found


def _text(steps: list[tuple[str, list[str]]]) -> str:
    lines = [
        head if head.startswith("!") else f"{head} {', '.join(rows)};" if rows else f"{head};" for head, rows in steps
    ]
    return "\n".join(lines) + "\n"
