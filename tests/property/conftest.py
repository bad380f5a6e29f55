"""A session for all cases of a module: each makes streams of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rowtime.session import Session, connect


@pytest.fixture(scope="module")
def session(spark: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    with connect(spark, tmp_path_factory.mktemp("property") / "warehouse") as made:
        yield made
