"""The forms in which `validate` reports diagnostics: text, JSON, SARIF, and annotations of a GitHub workflow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import msgspec

from rowtime.errors import Diagnostic, render_all
from rowtime.version import __version__

Report = Callable[["Sequence[CheckedScript]", bool], str]


@dataclass(frozen=True, slots=True)
class CheckedScript:
    """A script, its name in diagnostics, and what was found in it."""

    name: str
    text: str
    diagnostics: list[Diagnostic]


def _text(checked: Sequence[CheckedScript], color: bool) -> str:
    found = [render_all(one.diagnostics, one.text, one.name, color=color) for one in checked if one.diagnostics]
    return "\n".join(found)


def _json(checked: Sequence[CheckedScript], color: bool) -> str:
    """Returns an array of diagnostics; those of several scripts all have a file."""
    if len(checked) == 1:
        return _pretty([diagnostic.to_dict() for diagnostic in checked[0].diagnostics])
    return _pretty([{**d.to_dict(), "file": file} for file, d in _all(checked)])


def _sarif(checked: Sequence[CheckedScript], color: bool) -> str:
    """Returns a log in SARIF 2.1.0, the Static Analysis Results Interchange Format of OASIS."""
    found = list(_all(checked))
    rules = [{"id": code} for code in sorted({diagnostic.code for _, diagnostic in found})]
    driver = {"name": "rowtime", "version": __version__, "rules": rules}
    results = [_result(file, diagnostic) for file, diagnostic in found]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return _pretty({"$schema": schema, "version": "2.1.0", "runs": [run]})


def _result(file: str, diagnostic: Diagnostic) -> dict[str, Any]:
    level = {"info": "note"}.get(diagnostic.severity, diagnostic.severity)
    result = {"ruleId": diagnostic.code, "level": level, "message": {"text": _with_hint(diagnostic)}}
    place: dict[str, Any] = {"artifactLocation": {"uri": quote(file.replace("\\", "/"))}}
    if diagnostic.line is not None:
        place["region"] = region = {"startLine": diagnostic.line, "startColumn": diagnostic.column or 1}
        if diagnostic.end_line is not None and diagnostic.end_column is not None:
            # SARIF's end is the position after the last character.
            region |= {"endLine": diagnostic.end_line, "endColumn": diagnostic.end_column + 1}
    return {**result, "locations": [{"physicalLocation": place}]}


def _github(checked: Sequence[CheckedScript], color: bool) -> str:
    """Returns a workflow command of GitHub per diagnostic, which annotates its line."""
    return "\n".join(_annotation(file, diagnostic) for file, diagnostic in _all(checked))


def _annotation(file: str, diagnostic: Diagnostic) -> str:
    kind = {"info": "notice"}.get(diagnostic.severity, diagnostic.severity)
    properties: dict[str, Any] = {"file": file}
    if diagnostic.line is not None:
        properties |= {"line": diagnostic.line, "col": diagnostic.column or 1}
        if diagnostic.end_line is not None:
            properties["endLine"] = diagnostic.end_line
        if diagnostic.end_line == diagnostic.line:
            properties["endColumn"] = diagnostic.end_column
    properties["title"] = diagnostic.code
    listed = ",".join(f"{name}={_escaped(str(value), ':,')}" for name, value in properties.items())
    return f"::{kind} {listed}::{_escaped(_with_hint(diagnostic))}"


def _escaped(text: str, more: str = "") -> str:
    return "".join(f"%{ord(c):02X}" if c in f"%\r\n{more}" else c for c in text)


def _with_hint(diagnostic: Diagnostic) -> str:
    return diagnostic.message if diagnostic.hint is None else f"{diagnostic.message}\nhint: {diagnostic.hint}"


def _all(checked: Sequence[CheckedScript]) -> Iterator[tuple[str, Diagnostic]]:
    """Yields the diagnostics, each with the name of its file."""
    for one in checked:
        for diagnostic in one.diagnostics:
            yield diagnostic.file or one.name, diagnostic


def _pretty(value: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


REPORTS: Mapping[str, Report] = {"text": _text, "json": _json, "sarif": _sarif, "github": _github}
