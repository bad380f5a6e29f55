"""Parameters that several commands share. Kept apart from the code behind them: help must be fast."""

from __future__ import annotations

import enum
from typing import Annotated

import typer


class AnswerFormat(str, enum.Enum):
    """The output format of a command."""

    text = "text"
    json = "json"


class ReportFormat(str, enum.Enum):
    """The output format of diagnostics."""

    text = "text"
    json = "json"
    sarif = "sarif"
    github = "github"


ScriptFiles = Annotated[
    list[str] | None, typer.Argument(metavar="[FILE]...", help="The scripts; - for standard input.")
]
ScriptFile = Annotated[str | None, typer.Argument(help="The script; - for standard input.")]
SqlText = Annotated[str | None, typer.Option("-e", metavar="SQL", help="SQL text instead of FILE.")]
SchemaFiles = Annotated[
    list[str] | None, typer.Option(metavar="FILE", help="A file with DDL to read first; repeatable.")
]
Warehouse = Annotated[
    str | None, typer.Option(metavar="DIR", help="The folder of the catalog, streams and tables. [default: .rowtime]")
]
Catalog = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="The database with the catalog, postgresql://user@host/database. [default: a file of the warehouse]",
    ),
]
Partitions = Annotated[
    str | None,
    typer.Option(metavar="N", help="The number of state partitions of new streaming queries. [default: the cores]"),
]
Master = Annotated[
    str | None,
    typer.Option(metavar="URL", help="The master of Spark: local[4], spark://host:7077, yarn. [default: local[*]]"),
]
Conf = Annotated[
    list[str] | None,
    typer.Option(metavar="KEY=VALUE", help="A setting of Spark: spark.executor.memory=2g; repeatable."),
]
CheckClaims = Annotated[
    bool,
    typer.Option(
        "--check-claims", help="Compare the rows of each step of a query with what the planner claims of them; slower."
    ),
]
MetricsPort = Annotated[
    str | None,
    typer.Option(
        metavar="[ADDRESS:]PORT", help="Serve Prometheus metrics at this address. [default address: 127.0.0.1]"
    ),
]
