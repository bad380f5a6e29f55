package io.rowtime.serve;

import java.util.Map;
import org.apache.calcite.avatica.Meta.DatabaseProperty;

/**
 * The properties that JDBC's metadata report besides the catalog: rowtime's own keywords, and the functions of JDBC
 * escapes.
 */
final class DatabaseProperties {
  static final Map<DatabaseProperty, Object> VALUES = Map.of(
      DatabaseProperty.GET_S_Q_L_KEYWORDS,
      "EXPEDITED,LATENESS,MONOTONIC,PAUSE,PUMP,PUMPS,QUALIFY,RESUME,ROWTIME,STREAM,STREAMS,WATERMARK",
      DatabaseProperty.GET_NUMERIC_FUNCTIONS, "ABS,CEILING,EXP,FLOOR,LN,LOG10,MOD,POWER,RAND,ROUND,SIGN,SQRT,TRUNCATE",
      DatabaseProperty.GET_STRING_FUNCTIONS, "CHAR_LENGTH,INITCAP,LOWER,OVERLAY,POSITION,SUBSTRING,TRIM,UPPER",
      DatabaseProperty.GET_SYSTEM_FUNCTIONS, "COALESCE,NULLIF",
      DatabaseProperty.GET_TIME_DATE_FUNCTIONS, "CURRENT_DATE,CURRENT_TIME,CURRENT_TIMESTAMP,EXTRACT,TIMESTAMPADD,TIMESTAMPDIFF");

  private DatabaseProperties() {}
}
