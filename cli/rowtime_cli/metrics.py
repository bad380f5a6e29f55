"""`--metrics-port`: the endpoint of the metrics of a command that runs queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rowtime.errors import Diagnostic
from rowtime.numerals import natural
from rowtime_cli.faults import WrongCommandLine

if TYPE_CHECKING:
    from rowtime.session import Session


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address and a port to serve metrics at."""

    address: str
    port: int

    def serve(self, session: Session, hosts: Sequence[str] = ()) -> None:
        """Serves the session's metrics until it is closed. Raises RowtimeError RT0616 or RT0617."""
        session.serve_metrics(self.port, self.address, hosts=hosts)


def endpoint(text: str | None) -> Endpoint | None:
    """Parses `9464` or `0.0.0.0:9464`. Raises WrongCommandLine RT0624 for any other text."""
    return None if text is None else Endpoint(*address_of("--metrics-port", text))


def address_of(option: str, text: str) -> tuple[str, int]:
    """Returns the address and the port of an option. Raises WrongCommandLine RT0624 if it has none."""
    address, _, port = text.rpartition(":")
    number = natural(port)
    if number is None or number > 65535:
        message = f"{option} takes a port, or an address and a port, not '{text}'"
        raise WrongCommandLine(Diagnostic(code="RT0624", message=message, hint="9464, or 0.0.0.0:9464"))
    return address.strip("[]") or "127.0.0.1", number
