"""`rowtime fmt`: scripts in one consistent layout; needs neither Java nor a catalog."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rowtime_cli.faults import WrongCommandLine, supports_colors
from rowtime_cli.parameters import SqlText

if TYPE_CHECKING:
    from rowtime_cli.inputs import NamedText


def command(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="[FILES]...", help="Scripts; - is standard input.")
    ] = None,
    sql: SqlText = None,
    write: Annotated[bool, typer.Option("--write", "-w", help="Rewrite the files in place.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Only list the files that are not formatted.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Print what would change.")] = False,
    line_length: Annotated[
        int | None, typer.Option(min=40, help="The maximum line length, where lines can be broken.", show_default="100")
    ] = None,
) -> None:
    """Format scripts: only their layout and the case of keywords. Prints the result, or writes, checks or compares it.

    Exit code 0: success; 1: --check found a file that is not formatted, or a file cannot be formatted.
    """
    from rowtime.errors import Diagnostic, RowtimeError, render_all
    from rowtime.formatting.script import LINE_LENGTH, format_script
    from rowtime_cli.inputs import read_script

    if write and (sql is not None or "-" in (files or [])):
        raise WrongCommandLine(Diagnostic(code="RT0621", message="--write needs files that it can rewrite"))
    sources = [read_script(file, None) for file in files] if files and sql is None else []
    sources = sources or [read_script(files[0] if files else None, sql)]
    unformatted = faulty = False
    for source in sources:
        try:
            done = format_script(source.text, line_length or LINE_LENGTH)
        except RowtimeError as fault:
            faulty = True
            shown = render_all(fault.diagnostics, source.text, source.name, color=supports_colors(sys.stderr))
            print(shown, file=sys.stderr, flush=True)
            continue
        changed = done != source.text
        unformatted = unformatted or changed
        if diff and changed:
            print(_difference(source, done), end="")
        if check and changed:
            print(f"{source.name}: not formatted", file=sys.stderr)
        if write and changed and not check:
            _rewrite(source.name, done)
        if not (write or check or diff):
            print(done, end="")
    sys.stdout.flush()
    if faulty or (check and unformatted):
        raise typer.Exit(1)


def _difference(source: NamedText, done: str) -> str:
    from difflib import unified_diff

    old, new = source.text.splitlines(keepends=True), done.splitlines(keepends=True)
    lines = unified_diff(old, new, source.name, f"{source.name} (formatted)")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _rewrite(name: str, text: str) -> None:
    from rowtime.errors import Diagnostic

    try:
        Path(name).write_text(text, encoding="utf-8", newline="")
    except OSError as fault:
        reason = fault.strerror or str(fault)
        message = f"The file '{name}' cannot be written: {reason}"
        raise WrongCommandLine(Diagnostic(code="RT0620", message=message)) from fault
    print(f"{name}: formatted", file=sys.stderr)
