"""SQL expressions whose value Calcite knows: the yardstick of the translator.

A group is a list of templates and a list of argument tuples; each template is tried with each tuple. `{0}`, `{1}` … are
columns on the one side and the literals themselves on the other.
"""

from __future__ import annotations

import cases_of_numbers
import cases_of_strings
import cases_of_times

GROUPS = (*cases_of_numbers.GROUPS, *cases_of_strings.GROUPS, *cases_of_times.GROUPS)


def expand() -> list[tuple[str, str, tuple[str, ...]]]:
    """Yields all cases: (group, template, arguments). A template that uses fewer arguments occurs once for those it
    uses."""
    seen: dict[tuple[str, tuple[str, ...]], str] = {}
    for group in GROUPS:
        for template in group.templates:
            for arguments in group.arguments:
                used = tuple(a if f"{{{i}}}" in template else "" for i, a in enumerate(arguments))
                seen.setdefault((template, used), group.name)
    return [(name, template, arguments) for (template, arguments), name in seen.items()]
