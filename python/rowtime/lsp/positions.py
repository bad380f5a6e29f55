"""Converts between offsets in a text and positions of the protocol (line and code unit, from 0), and converts
diagnostics."""

from __future__ import annotations

from lsprotocol import types
from pygls.workspace import PositionCodec

from rowtime.editing.checking import region
from rowtime.errors import LINE_END, Diagnostic

_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}


class Positions:
    """Converts between offsets in `text` and positions, in the code units that the client has agreed to."""

    def __init__(self, text: str, codec: PositionCodec) -> None:
        self._text = text
        self._codec = codec
        self._starts = [0, *(match.end() for match in LINE_END.finditer(text))]

    def position(self, offset: int) -> types.Position:
        line = max(i for i, start in enumerate(self._starts) if start <= offset)
        return types.Position(line, self._codec.client_num_units(self._text[self._starts[line] : offset]))

    def offset(self, position: types.Position) -> int:
        """Returns the offset of a position. A position beyond the end of its line, or of the text, becomes that end."""
        if position.line >= len(self._starts):
            return len(self._text)
        start = self._starts[position.line]
        end = self._starts[position.line + 1] if position.line + 1 < len(self._starts) else len(self._text)
        line = self._text[start:end].rstrip("\r\n")
        units = 0
        for index, character in enumerate(line):
            if units >= position.character:
                return start + index
            units += self._codec.client_num_units(character)
        return start + len(line)

    def range(self, start: int, end: int) -> types.Range:
        return types.Range(self.position(start), self.position(end))

    def diagnostic(self, diagnostic: Diagnostic) -> types.Diagnostic:
        message = diagnostic.message if diagnostic.hint is None else f"{diagnostic.message}\n{diagnostic.hint}"
        return types.Diagnostic(
            range=self.range(*region(diagnostic, self._text)),
            message=message,
            severity=_SEVERITIES[diagnostic.severity],
            code=diagnostic.code,
            source="rowtime",
        )
