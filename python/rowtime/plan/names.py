"""Names of the columns of a result."""

from __future__ import annotations

from collections.abc import Sequence

from rowtime.plan.parts import Field


def names_of(fields: Sequence[Field]) -> list[str]:
    """Returns the names of the columns, made unique if a query has the same one twice: `A`, `A_2`."""
    found: list[str] = []
    for field in fields:
        name, number = field.name, 1
        while name.upper() in (other.upper() for other in found):
            number += 1
            name = f"{field.name}_{number}"
        found.append(name)
    return found
