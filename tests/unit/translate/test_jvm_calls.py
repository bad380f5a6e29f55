"""A column costs one call to the JVM, and no look-up of a class: a query has hundreds of them, and py4j looks a class
up in all jars each time."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from py4j.clientserver import JavaClient

from rowtime.session import Session
from rowtime.sparksql.expressions import column, spark_column
from rowtime.translate.columns import plain


@pytest.fixture
def commands(rt: Session, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The kinds of the commands that the JVM gets: `c` is a call, `r` a look-up of a class or of a method."""
    found: list[str] = []
    send = JavaClient.send_command

    def counted(self: Any, command: str, *args: Any, **options: Any) -> Any:
        if threading.current_thread() is threading.main_thread():
            found.append(command[0])
        return send(self, command, *args, **options)

    monkeypatch.setattr(JavaClient, "send_command", counted)
    return found


def test_a_column(rt: Session, commands: list[str]) -> None:
    plain(spark_column(column("n")), "m")
    commands.clear()
    made = plain(spark_column(column("n")), "m")
    assert [each for each in commands if each in "cr"] == ["c", "c"]
    assert str(made) == "Column<'`n` AS m'>"


def test_columns_of_pyspark(rt: Session, commands: list[str]) -> None:
    frame = rt.spark.range(1)
    frame.select("id")
    commands.clear()
    frame.select("id")
    assert "c" in commands
    assert "r" not in commands
