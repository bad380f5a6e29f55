"""The settings of `!set`: the format of rows, whether durations are shown, and where queries begin."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rowtime.display.printers import CsvPrinter, JsonPrinter, Printer, TextPrinter
from rowtime.errors import error
from rowtime.streams.start import Start, parse_start


@dataclass(frozen=True, slots=True)
class Setting:
    """`values` are the possible values; none if it is any text."""

    purpose: str
    values: tuple[str, ...]
    default: str


SETTINGS: Mapping[str, Setting] = {
    "format": Setting("how rows are printed: text, json or csv", ("text", "json", "csv"), "text"),
    "timing": Setting("whether to print the duration of each statement", ("on", "off"), "on"),
    "from": Setting("where streaming queries start: now, earliest or a timestamp", (), "now"),
}


class Settings:
    """The settings of one shell. `changed` is called when one of them has changed."""

    def __init__(self, text: TextPrinter, changed: Callable[[], None]) -> None:
        self._printers: Mapping[str, Printer] = {"text": text, "json": JsonPrinter(), "csv": CsvPrinter(text)}
        self._values = {name: setting.default for name, setting in SETTINGS.items()}
        self._changed = changed

    def get(self, name: str) -> str:
        """Returns the value of a setting. Raises RowtimeError RT0409 if it does not exist."""
        return self._values[self._normalized(name)]

    def set(self, name: str, value: str) -> None:
        """Sets a value. Raises RowtimeError RT0409 if the setting does not exist, or the value is invalid."""
        name = self._normalized(name)
        values = SETTINGS[name].values
        if values:
            value = value.lower()
        if values and value not in values:
            raise error("RT0409", f"'{name}' cannot be '{value}'", hint=f"It is one of {', '.join(values)}")
        if name == "from":
            self._start(value)
        self._values[name] = value
        self._changed()

    @property
    def printer(self) -> Printer:
        return self._printers[self._values["format"]]

    @property
    def timing(self) -> bool:
        return self._values["timing"] == "on"

    @property
    def start(self) -> Start:
        return self._start(self._values["from"])

    @staticmethod
    def _start(value: str) -> Start:
        if value.lower() == "now":
            return Start()
        try:
            return parse_start(value)
        except ValueError:
            hint = "It is now, earliest, or a timestamp such as '2006-09-11 12:05:00'"
            raise error("RT0409", f"'from' cannot be '{value}'", hint=hint) from None

    @staticmethod
    def _normalized(name: str) -> str:
        if name.lower() not in SETTINGS:
            raise error("RT0409", f"Unknown setting '{name}'", hint=f"The settings are {', '.join(SETTINGS)}")
        return name.lower()
