"""Decides which options may be shown: those known, for each connector, to contain no secret."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from rowtime.connectors import CONNECTORS, OPTIONS, options_of
from rowtime.lexical.words import words
from rowtime.secrets import HIDDEN, urls

_ANY = words(
    """
    connector class rowtime idle_timeout history late_stream delete_column producer_timeout held_rows partitions start
    format delimiter header max_records_per_batch max_files_per_batch on_error mode commit_interval
    """
)
# Adapters define their own options. These names have the same meaning for all of them.
_OF_ADAPTERS = words(
    """
    path folder file directory host port url topic table name mode interval timeout size rows limit prefix suffix
    region bucket encoding keep
    """
)
_BY_CONNECTOR = {
    name: (_OF_ADAPTERS if connector.adapter else frozenset())
    | {option.name for option in options_of(name).values() if option.shown}
    for name, connector in CONNECTORS.items()
}

_KNOWN_VALUES = {value for option in OPTIONS for value in option.values or ()} | {
    part for option in OPTIONS if option.shown for part in (option.example, *option.example.split())
}

# Settings of Kafka's client and of JDBC drivers are passed on unchanged; most of them are times, sizes and names.
_OF_KAFKA = re.compile(
    r"""(?: (?:[a-z0-9.]+\.)? (?: ms | bytes | records | size | count | retries | protocol | protocols |
        mechanism | algorithm | location | type | idempotence | isolation\.level | client\.id | group\.id |
        transactional\.id | bootstrap\.servers | client\.rack | acks | linger | compression | reset | commit ) )\Z""",
    re.VERBOSE,
)
_OF_JDBC = words(
    """
    ssl sslmode sslrootcert sslcert sslfactory usessl requiressl encrypt trustservercertificate applicationname
    connecttimeout sockettimeout logintimeout currentschema databasename servername portnumber stringtype
    rewritebatchedinserts busy_timeout user username readonly warehouse schema db database role network_timeout
    """
)

_OF_CLIENTS: dict[str, Callable[[str], bool]] = {
    "kafka.": lambda name: bool(_OF_KAFKA.match(name)),
    "jdbc.": lambda name: name in _OF_JDBC,
}

# Names of options that are not secret themselves, although their values are.
_SECRETS = words("password pass passwd pwd token secret key auth options with")

_INSIDE = re.compile(r"""=\s*["']?([^"';,\s]{3,})""")
_POINTER = re.compile(r"[a-z0-9_.]+_(?:env|file)\Z")
_VARIABLE = re.compile(r"\w+\Z")


def masked_value(options: Mapping[str, str], name: str, value: str) -> str:
    """Returns the value of the option `name` of an object with these `options` (names in lower case), with its secrets
    masked."""
    return split_secrets(options, name, value)[0]


def split_secrets(options: Mapping[str, str], name: str, value: str) -> tuple[str, list[str]]:
    """Returns the value with its secrets masked, and the secrets."""
    name = name.lower()
    if not _is_harmless(options, name, value):
        # For a JAAS configuration, and for connection strings, the secrets within it too.
        return HIDDEN, [value, *_INSIDE.findall(value)]
    if urls.looks_like_url(value) or name in ("url", "avro_registry", "servers", "host"):
        return urls.split_secrets(value)
    return value, []


def is_name(word: str) -> bool:
    """Returns whether a word is the name of an option, and so not a secret in itself."""
    word = word.lower()
    return word in _ANY or word in _SECRETS or any(word in names for names in _BY_CONNECTOR.values())


def is_known_value(word: str) -> bool:
    """Returns whether a word is a value of an option in the documentation, such as a format: to mask it hides nothing,
    and makes the messages that list the known values unreadable."""
    return word in _KNOWN_VALUES or word in CONNECTORS


def secrets_of(options: Mapping[str, str]) -> list[str]:
    """Returns all secrets in these options."""
    return [secret for name, value in options.items() for secret in split_secrets(options, name, value)[1]]


def _is_harmless(options: Mapping[str, str], name: str, value: str) -> bool:
    if _POINTER.match(name):
        # The name of a variable or of a file; a user who writes the secret itself there is protected too.
        return name.endswith("_file") or bool(_VARIABLE.match(value))
    if name in _ANY:
        return True
    connector = CONNECTORS.get(options.get("connector", "").lower())
    if connector is None:
        return False
    if connector.settings is not None and name.startswith(connector.settings):
        return _OF_CLIENTS[connector.settings](name.removeprefix(connector.settings))
    return name in _BY_CONNECTOR[connector.name]
