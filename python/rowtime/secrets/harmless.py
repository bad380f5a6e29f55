"""Decides which options may be shown: those known, for each connector, to contain no secret."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rowtime.lexical.words import words
from rowtime.secrets import HIDDEN, urls

_ANY = words(
    """
    connector class rowtime idle_timeout history late_stream delete_column producer_timeout held_rows partitions start
    format delimiter header max_records_per_batch max_files_per_batch
    """
)
_AVRO = words(
    """
    avro_schema avro_schema_file avro_framing avro_schema_id avro_registry avro_registry_user avro_subject
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
    "files": words("path partition_by"),
    "kafka": words("servers topic key key_in_value key_format headers partition offset fail_on_data_loss") | _AVRO,
    "socket": words("host port"),
    "rate": words("rows_per_second ramp_up_time"),
    "delta": words("path version timestamp skip_changes partition_by"),
    "jdbc": words(
        """
        url table user driver driver_jar fetch_size partition_column lower_bound upper_bound num_partitions
        batches_table
        """
    ),
    "python": _OF_ADAPTERS,
    "java": _OF_ADAPTERS,
    "dataframe": frozenset(),
}
_UNKNOWN = frozenset[str]()

# Settings of Kafka's client and of JDBC drivers are passed on unchanged; most of them are times, sizes and names.
_OF_KAFKA = re.compile(
    r"""kafka\.(?: (?:[a-z0-9.]+\.)? (?: ms | bytes | records | size | count | retries | protocol | protocols |
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


def secrets_of(options: Mapping[str, str]) -> list[str]:
    """Returns all secrets in these options."""
    return [secret for name, value in options.items() for secret in split_secrets(options, name, value)[1]]


def _is_harmless(options: Mapping[str, str], name: str, value: str) -> bool:
    if _POINTER.match(name):
        # The name of a variable or of a file; a user who writes the secret itself there is protected too.
        return name.endswith("_file") or bool(_VARIABLE.match(value))
    if name in _ANY:
        return True
    connector = options.get("connector", "").lower()
    if connector == "kafka" and name.startswith("kafka."):
        return bool(_OF_KAFKA.match(name))
    if connector == "jdbc" and name.startswith("jdbc."):
        return name.removeprefix("jdbc.") in _OF_JDBC
    return name in _BY_CONNECTOR.get(connector, _UNKNOWN)
