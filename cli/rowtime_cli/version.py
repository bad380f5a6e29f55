"""`rowtime version`."""

from __future__ import annotations


def command() -> None:
    """Print the version."""
    from rowtime.version import __version__

    print(f"rowtime {__version__}")
