"""The first argument of `rowtime.connect`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rowtime


@pytest.mark.parametrize("first", ["shop", "./shop", Path("shop")])
def test_a_folder_in_place_of_a_session(first: Any) -> None:
    with pytest.raises(TypeError, match=r"rowtime\.connect\(warehouse='(\./)?shop'\)"):
        rowtime.connect(first)
