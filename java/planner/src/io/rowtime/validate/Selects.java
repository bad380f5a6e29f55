package io.rowtime.validate;

import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Builds SELECTs for rewrites. */
public final class Selects {
  private Selects() {}

  /** Returns {@code SELECT * FROM from}. */
  public static SqlSelect star(SqlNode from, SqlParserPos pos) {
    return new SqlSelect(pos, null, SqlNodeList.of(SqlIdentifier.star(pos)), from, null, null, null, null, null, null,
        null, null, null);
  }
}
