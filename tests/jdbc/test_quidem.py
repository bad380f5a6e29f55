"""Quidem, Calcite's test runner, runs the examples of the documentation over the driver.

Each example is written as an `.iq` file; the expected rows are those on its page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jdbc_programs
import pytest
import quidem
import script_cases as cases
from doc_examples import examples

from rowtime.opening import connect
from rowtime.session import Session

EXAMPLES = {place: cases.parse(text) for place, text in examples("sql").items()}
REASONS = {
    "a client command of scripts, for a named producer or a restart, or a mistake in one": quidem.unknown_command,
    "no rows of a query: it shows bounds or rejected rows": lambda case: not (case.rows or case.shown or case.failures),
    "a query of what a pump writes, without waiting for the pump": quidem.reads_what_a_pump_writes,
    "an error that depends on how far a pump has come": quidem.fails_after_a_pump_has_read,
    "a streaming query, which has no end (--thorough runs it)": quidem.only_streams,
}
"""The reasons why Quidem does not run some examples."""


def is_run(case: cases.Case, thorough: bool) -> bool:
    found = [says for says, applies in REASONS.items() if applies(case)]
    return not found or (thorough and "--thorough" in found[0])


@pytest.fixture(scope="module")
def outputs(
    spark: Any, tmp_path_factory: pytest.TempPathFactory, thorough: bool
) -> Iterator[dict[str, tuple[str, str]]]:
    """Returns the files and Quidem's output, by the position of the example. One program runs all of them, each with a
    server and a warehouse of its own."""
    folder = tmp_path_factory.mktemp("quidem")
    sessions: list[Session] = []
    files: dict[str, Path] = {}
    arguments: list[str] = []
    for number, (place, case) in enumerate(EXAMPLES.items()):
        if is_run(case, thorough):
            sessions.append(connect(spark, folder / f"warehouse{number}"))
            files[place] = folder / f"{number}.iq"
            files[place].write_text(quidem.quidem_text(case))
            arguments += [sessions[-1].serve_jdbc(0).url, str(files[place])]
    try:
        jdbc_programs.run("QuidemFiles", *arguments, jars=quidem.jars())
        yield {place: (file.read_text(), Path(f"{file}.out").read_text()) for place, file in files.items()}
    finally:
        for session in sessions:
            session.close()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "place" in metafunc.fixturenames:
        thorough = metafunc.config.getoption("--thorough")
        metafunc.parametrize("place", [place for place, case in EXAMPLES.items() if is_run(case, thorough)])


def test_few_examples_are_left_out() -> None:
    left_out = [says for case in EXAMPLES.values() for says, applies in REASONS.items() if applies(case)]
    assert len(EXAMPLES) - len(left_out) > 100


def test_example(place: str, outputs: dict[str, tuple[str, str]]) -> None:
    expected, found = outputs[place]
    assert re.fullmatch(quidem.pattern(expected), found), found
