"""A session for all cases of a module: each creates streams of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rowtime.opening import connect
from rowtime.session import Session


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Numbers the cases of a test; `CASES` of its module contains the argument, the count, and the count with
    --thorough."""
    place = 1 if metafunc.config.getoption("--thorough") else 0
    for argument, counts in getattr(metafunc.module, "CASES", {}).items():
        if argument in metafunc.fixturenames:
            metafunc.parametrize(argument, range(counts[place]))


@pytest.fixture(scope="module")
def session(spark: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    with connect(spark, tmp_path_factory.mktemp("property") / "warehouse") as made:
        yield made
