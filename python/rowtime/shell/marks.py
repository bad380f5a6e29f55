"""Underlines the errors of the last check in the text."""

from __future__ import annotations

from collections.abc import Callable

from prompt_toolkit.layout.processors import Processor, Transformation, TransformationInput
from prompt_toolkit.layout.utils import explode_text_fragments

from rowtime.editing.checking import CheckResult, region


class Marks(Processor):
    """Underlines errors; nothing while the text is newer than the last check."""

    def __init__(self, result: Callable[[], CheckResult]) -> None:
        self._result = result

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        result = self._result()
        document = transformation_input.document
        fragments = transformation_input.fragments
        if not result.diagnostics or result.text != document.text:
            return Transformation(fragments)
        first = document.translate_row_col_to_index(transformation_input.lineno, 0)
        exploded = explode_text_fragments(fragments)
        for diagnostic in result.diagnostics:
            start, end = region(diagnostic, result.text)
            name = f" class:mark.{diagnostic.severity}"
            for place in range(max(start - first, 0), min(end - first, len(exploded))):
                # Fragments before it (a part of the prompt) are not text; positions count from the beginning of the
                # line.
                style, text, *rest = exploded[place]
                if name not in style:
                    exploded[place] = (style + name, text, *rest)  # type: ignore[assignment]
        return Transformation(exploded)
