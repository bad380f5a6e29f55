"""Marks in the text what the last verdict points at."""

from __future__ import annotations

from collections.abc import Callable

from prompt_toolkit.layout.processors import Processor, Transformation, TransformationInput
from prompt_toolkit.layout.utils import explode_text_fragments

from rowtime.shell.checking import CheckResult, region


class Marks(Processor):
    """Underlines faults; nothing while the text is newer than the verdict."""

    def __init__(self, verdict: Callable[[], CheckResult]) -> None:
        self._verdict = verdict

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        verdict = self._verdict()
        document = transformation_input.document
        fragments = transformation_input.fragments
        if not verdict.diagnostics or verdict.text != document.text:
            return Transformation(fragments)
        first = document.translate_row_col_to_index(transformation_input.lineno, 0)
        exploded = explode_text_fragments(fragments)
        for diagnostic in verdict.diagnostics:
            start, end = region(diagnostic, verdict.text)
            name = f" class:mark.{diagnostic.severity}"
            for place in range(max(start - first, 0), min(end - first, len(exploded))):
                # What comes before (a fragment of the prompt) is not text; positions count from the line's beginning.
                style, text, *rest = exploded[place]
                if name not in style:
                    exploded[place] = (style + name, text, *rest)  # type: ignore[assignment]
        return Transformation(exploded)
