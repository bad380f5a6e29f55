"""Storages of every kind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import s3_server
from object_double import ObjectDouble

from rowtime.storage.interface import Storage
from rowtime.storage.local import LocalStorage
from rowtime.storage.objects import ObjectStorage


@pytest.fixture(params=["local", "double", "unreliable double", "s3"])
def writers(request: pytest.FixtureRequest, tmp_path: Path, no_pauses: None) -> Callable[[], Storage]:
    """Returns storages of one place, as separate writers have them."""
    if request.param == "local":
        return lambda: LocalStorage(tmp_path / "place")
    if request.param == "s3":
        settings = request.getfixturevalue("s3")
        from rowtime.storage.s3 import S3Client

        return lambda: ObjectStorage(S3Client(f"s3://{s3_server.BUCKET}", **settings), f"{tmp_path.name}/place/")
    client = ObjectDouble(seed=7, badness=0.2 if request.param == "unreliable double" else 0.0)
    return lambda: ObjectStorage(client, "place/")
