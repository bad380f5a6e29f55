"""Warnings about the warehouse that belong to no statement, such as folders that the catalog does not know; and what a
statement on a pump has to tell."""

from __future__ import annotations

import logging
from collections.abc import Callable

from rowtime.errors import Diagnostic, render

_logger = logging.getLogger("rowtime")

on_warning: Callable[[str], None] = _logger.warning
"""Shows a warning to the user. The command line replaces it."""


on_notice: Callable[[str], None] = _logger.info
"""Shows a notice to the user. The command line replaces it."""


def tell(code: str, message: str) -> None:
    """Shows a notice."""
    on_notice(render(Diagnostic(severity="info", code=code, message=message)))


def warn(code: str, message: str, hint: str | None = None) -> None:
    """Shows a warning."""
    on_warning(render(Diagnostic(severity="warning", code=code, message=message, hint=hint)))
