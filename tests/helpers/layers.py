"""Layers of modules or packages: no import from a higher layer, and no cycle."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

Graph = Mapping[str, set[str]]
"""The imports of each."""


def assert_no_cycle(imports: Graph) -> None:
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as fault:
        raise AssertionError("a cycle of imports: " + " <- ".join(fault.args[1])) from None


def assert_none_leads_up(
    imports: Graph, layers: Sequence[Sequence[str]], unit: Callable[[str], str] = lambda name: name
) -> None:
    """`layers` are lowest first, and name the `unit` of each importer: the package that it belongs to."""
    level = {name: number for number, layer in enumerate(layers) for name in layer}
    up = [
        f"{one} ({unit(one)}) imports {other} ({unit(other)}), which lies above"
        for one, others in imports.items()
        for other in others
        if level.get(unit(other), -1) > level.get(unit(one), len(layers))
    ]
    assert not up, "\n".join(sorted(up))
