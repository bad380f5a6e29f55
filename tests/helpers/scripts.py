"""Splits scripts into statements."""

from __future__ import annotations

from rowtime.splitter import Statement, split


def statements(text: str) -> list[str]:
    """Returns the texts of the statements of a script, without its client commands."""
    return [step.text for step in split(text).steps if isinstance(step, Statement)]
