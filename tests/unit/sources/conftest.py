"""A session of rowtime on the shared Spark session, over a warehouse of the test's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rowtime.session import Session, connect


@pytest.fixture
def rt(spark: Any, tmp_path: Path) -> Iterator[Session]:
    with connect(spark, tmp_path / "warehouse") as session:
        yield session
