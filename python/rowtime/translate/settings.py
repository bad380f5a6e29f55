"""The session settings under which a plan has to be translated and started."""

from __future__ import annotations

SETTINGS: dict[str, str] = {
    # overflow, division by zero and bad casts are errors, as in standard SQL
    "spark.sql.ansi.enabled": "true",
    # SQL timestamps have no zone; they are kept as instants in UTC
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.timestampType": "TIMESTAMP_LTZ",
    # the TIME type is off by default in Spark 4.2
    "spark.sql.timeType.enabled": "true",
    # how the expression texts of the translation are meant to be read
    "spark.sql.parser.escapedStringLiterals": "false",
    "spark.sql.parser.quotedRegexColumnNames": "false",
    "spark.sql.ansi.doubleQuotedIdentifiers": "false",
    "spark.sql.ansi.enforceReservedKeywords": "false",
    "spark.sql.decimalOperations.allowPrecisionLoss": "true",
    # plans, as Spark's pages and logs show them, have the options of sources, which may be secrets
    "spark.sql.redaction.options.regex": "(?s).*",
}
"""Both matter: Spark reads them when an expression is built (`translate`), and again when a query starts."""
