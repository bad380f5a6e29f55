"""Reads the OPTIONS of foreign streams and tables with their defaults, and refuses unknown ones with a list of the
known. The planner has checked what a statement says (`options.json`); what variables and files contain is checked
here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rowtime.catalog.changes import Entry
from rowtime.connectors import CONNECTORS, Connector, options_of
from rowtime.errors import RowtimeError, error
from rowtime.numerals import natural
from rowtime.secrets import given, harmless, memory
from rowtime.types import times


class Options:
    """The options of one object, `given` by their names in lower case, and its `primary_key`."""

    def __init__(self, entry: Entry) -> None:
        self.name = entry.name
        self.owner = f"{entry.kind.lower()} '{entry.name}'"
        self.given = entry.options
        self.primary_key: Sequence[str] = entry.definition.get("primaryKey") or ()
        self._used: set[str] = set()
        self._known = options_of(self.given.get("connector", "").lower())
        memory.remember(harmless.secrets_of(self.given))

    def text(self, name: str, default: str | None = None) -> str:
        """Returns the option's value. Raises RowtimeError RT0521 if it is missing and has no default."""
        value = self.optional(name)
        if value is None:
            value = default
        if value is None:
            raise self.fault(f"needs the option {name}", "RT0521")
        return value

    def optional(self, name: str) -> str | None:
        """Returns the option's value, or the contents of the variable or file that `<name>_env` or `<name>_file` names.
        Raises RowtimeError RT0522 if that does not exist."""
        self._used.update(given.alternatives(name))
        try:
            return given.value(self.given, name)
        except given.Unavailable as why:
            raise self.fault(str(why), "RT0522") from None

    def all(self, own: Iterable[str]) -> dict[str, str]:
        """Returns all options as `optional` does; those in `own` unchanged."""
        try:
            return given.all_values(self.given, own)
        except given.Unavailable as why:
            raise self.fault(str(why), "RT0522") from None

    def choice(self, name: str, default: str | None = None) -> str:
        """Returns one of the option's values in the table of options."""
        return self._one_of(name, tuple(self._known[name].values or ()), default)

    def connector(self) -> Connector:
        """Returns the connector. Raises RowtimeError RT0522 if there is none of that name."""
        return CONNECTORS[self._one_of("connector", tuple(CONNECTORS), None)]

    def _one_of(self, name: str, choices: tuple[str, ...], default: str | None) -> str:
        value = self.text(name, default).lower()
        if value not in choices:
            raise self.fault(f"has {name} '{value}'; known values are {', '.join(choices)}", "RT0522")
        return value

    def flag(self, name: str, default: bool) -> bool:
        return self._one_of(name, ("true", "false"), str(default).lower()) == "true"

    def number(self, name: str) -> int | None:
        value = self.optional(name)
        if value is None:
            return None
        number = natural(value)
        if not number:
            raise self.fault(f"has {name} '{value}', which is not a positive number", "RT0522")
        return number

    def duration(self, name: str) -> int | None:
        """Returns the milliseconds of a duration such as '30 SECONDS'; None if the option is not set."""
        value = self.optional(name)
        if value is None:
            return None
        try:
            return times.parse_duration(value)
        except ValueError:
            raise self.fault(
                f"has {name} '{value}', which is not a duration", "RT0522", "Write, for example, '30 SECONDS'"
            ) from None

    def names(self, name: str) -> list[str]:
        """Returns the names that an option lists, separated by commas; none if it is not set."""
        value = self.optional(name)
        return [] if value is None else [part.strip() for part in value.split(",") if part.strip()]

    def with_prefix(self, prefix: str) -> dict[str, str]:
        """Returns the options whose names begin with `prefix`, without it."""
        named = dict.fromkeys(given.base(name) for name in self.given if name.startswith(prefix))
        found = {name.removeprefix(prefix): self.optional(name) for name in named}
        return {name: value for name, value in found.items() if value is not None}

    def finish(self) -> None:
        """Raises RowtimeError RT0523 if an option is set that was never read."""
        unknown = sorted(self.given.keys() - self._used)
        if unknown:
            known = ", ".join(sorted({given.base(name) for name in self._used}))
            raise self.fault(f"has an unknown option {unknown[0]}", "RT0523", f"The options are {known}")

    def fault(self, what: str, code: str, hint: str | None = None) -> RowtimeError:
        return error(code, f"The {self.owner} {what}", hint=hint)

    def misfit_error(self, why: str) -> RowtimeError:
        """Returns the error for a row that does not fit when it is written."""
        return error("RT0502", f"A row does not fit {self.owner}: {why}")
