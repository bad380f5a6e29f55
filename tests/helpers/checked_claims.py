"""Which tests compare the rows of their queries with what the planner claims of them (`--check-claims`).

Each node costs a predicate and some planning in each micro-batch. Of the runs of a script, the one whose input is
divided otherwise has the check; a script that has no such run has it as written (the marker `claims`).
`ROWTIME_CHECK_CLAIMS=1` (or 0) in the environment of the whole run decides for all tests.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from rowtime.translate.claims import SETTING

MARKER = "claims"
CHECKED = (
    "tests/sql/test_scripts.py::test_cut_otherwise",
    "tests/generated/test_changed.py",
    "tests/generated/test_sample.py",
    "tests/unit/translate/",
)
"""How the names of these tests begin."""

_BY_CALLER = SETTING in os.environ


@contextmanager
def during(item: pytest.Item) -> Iterator[None]:
    """Sets the environment for a test, and for the processes that it starts."""
    if _BY_CALLER or not (item.nodeid.startswith(CHECKED) or item.get_closest_marker(MARKER)):
        yield
        return
    os.environ[SETTING] = "1"
    try:
        yield
    finally:
        os.environ.pop(SETTING, None)
