"""Scripts cut into statements."""

from __future__ import annotations

from rowtime.splitter import Statement, split


def statements(text: str) -> list[str]:
    """The texts of the statements of a script, without its client commands."""
    return [step.text for step in split(text).steps if isinstance(step, Statement)]
