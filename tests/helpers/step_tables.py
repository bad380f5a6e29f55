"""The step tables of the documentation: the input of each step of a script, and its output.

A script whose steps are marked by comments (`-- Step 1`) is followed by its table. The script itself runs as a test, so
a table that matches it is true."""

from __future__ import annotations

import re
from collections.abc import Iterator

_BLOCK = re.compile(r"^```sql\n(.*?)^```\n+((?:^\|[^\n]*\n)*)", re.MULTILINE | re.DOTALL)
_STEP = re.compile(r"^-- Step (\d+)\b.*$", re.MULTILINE)
_CREATED = re.compile(r"^CREATE (?:STREAM|TABLE) (\w+)", re.MULTILINE)
_INSERT = re.compile(r"INSERT INTO (\w+) (?:\(.*?\) )?VALUES\s+(.*)", re.DOTALL)
_CHANGE = re.compile(r"(?:UPDATE|DELETE FROM|MERGE INTO) (\w+)")
_ROW = re.compile(r"\(((?:[^()']|'[^']*')*)\)")
_VALUE = re.compile(r"(?:TIMESTAMP\s+)?('[^']*'|[^,\s]+)")
_DAY = re.compile(r"^\d{4}-\d\d-\d\d ")


def tables(page: str) -> Iterator[tuple[str, str]]:
    """Yields each script with marked steps in a page of Markdown, and the table after it."""
    for script, table in _BLOCK.findall(page):
        if _STEP.search(script):
            yield script, table


def table(script: str) -> str:
    """Returns the table of a script, in Markdown: a column for each stream and table that gets rows, and for each
    query."""
    setup, *parts = _STEP.split(script)
    steps = list(zip(parts[::2], parts[1::2], strict=True))
    names = _CREATED.findall(setup)
    queries = sorted({line.split()[1] for _, lines in steps for line in lines.splitlines() if line.startswith("-->")})
    outputs = ["rows out"] if queries == ["1"] else [f"rows out of query {query}" for query in queries]
    found = [["step", *names, *outputs], ["---"] * (1 + len(names) + len(queries))]
    for number, lines in steps:
        cells: dict[str, list[str]] = {name: [] for name in (*names, *queries)}
        for name, said in (*_input(lines), *_output(lines)):
            cells[name].append(said)
        found.append([number, *("<br>".join(said) for said in cells.values())])
    return "".join(f"| {' | '.join(row)} |\n".replace("|  |", "| |").replace("|  |", "| |") for row in found)


def _input(lines: str) -> Iterator[tuple[str, str]]:
    """Yields names, each with a row, a bound or a change."""
    kept = [line for line in lines.splitlines() if line and not line.startswith("--")]
    for line in kept:
        if line.startswith("!bound"):
            _, name, bound = line.split(maxsplit=2)
            yield name, f"bound {_shown(bound)}"
    for statement in "\n".join(line for line in kept if not line.startswith("!")).split(";"):
        if insert := _INSERT.match(statement.strip()):
            for row in _ROW.findall(insert[2]):
                yield insert[1], " ".join(_shown(value) for value in _VALUE.findall(row))
        elif change := _CHANGE.match(statement.strip()):
            yield change[1], f"`{' '.join(statement.split())}`"


def _output(lines: str) -> Iterator[tuple[str, str]]:
    """Yields numbers of queries, each with a row."""
    for line in lines.splitlines():
        if line.startswith("-->"):
            query, *values = (value.strip() for value in line.removeprefix("-->").split("|"))
            yield query, " ".join(value or "NULL" for value in values)


def _shown(value: str) -> str:
    return _DAY.sub("", value.strip("'"))
