"""`rowtime doctor`: checks that rowtime has everything that it needs, and says what to do otherwise."""

from __future__ import annotations

import sys
from functools import partial
from typing import Annotated

import typer

from rowtime.terminal import printable
from rowtime_cli.faults import supports_colors
from rowtime_cli.parameters import AnswerFormat, Catalog, Conf, Master


def command(
    format: Annotated[AnswerFormat, typer.Option(help="The output format of findings.")] = AnswerFormat.text,
    warehouse: Annotated[
        str | None, typer.Option(metavar="DIR", help="The warehouse to check. [default: .rowtime]")
    ] = None,
    catalog: Catalog = None,
    start_spark: Annotated[
        bool, typer.Option("--start-spark", help="Also start Spark and run a query (about 15 s).")
    ] = False,
    master: Master = None,
    conf: Conf = None,
) -> None:
    """Check Java, jars, Spark, versions, disk, write access and the warehouse. Exit code 1: a check failed."""
    from rowtime.catalog import warehouse_path
    from rowtime_cli.checks import CheckResult, all_checks, catch_faults
    from rowtime_cli.contents import contents
    from rowtime_cli.spark_conf import spark_conf

    findings: list[CheckResult] = []
    folder = warehouse_path(warehouse)
    last = catch_faults(partial(contents, folder, catalog))
    for check in [*all_checks(folder, catalog, start_spark=start_spark, conf=spark_conf(master, conf)), last]:
        for finding in check():
            findings.append(finding)
            if format is AnswerFormat.text:
                _show(finding.check, finding.outcome, finding.text, finding.remedy)
    if format is AnswerFormat.json:
        import msgspec

        print(msgspec.json.format(msgspec.json.encode(findings), indent=2).decode())
    faults = sum(finding.outcome == "fault" for finding in findings)
    if format is AnswerFormat.text:
        print("All is well." if not faults else f"{faults} fault{'s' if faults > 1 else ''}.")
    if faults:
        raise typer.Exit(1)


_MARKS = {"ok": ("ok     ", "\x1b[32m"), "warning": ("warning", "\x1b[33m"), "fault": ("FAULT  ", "\x1b[31m")}


def _show(check: str, outcome: str, text: str, remedy: str | None) -> None:
    mark, tint = _MARKS[outcome]
    shown = f"{tint}{mark}\x1b[0m" if supports_colors(sys.stdout) else mark
    print(f"{shown}  {check:<13} {printable(text)}", flush=True)
    if remedy:
        print(f"{'':24}remedy: {printable(remedy)}", flush=True)
