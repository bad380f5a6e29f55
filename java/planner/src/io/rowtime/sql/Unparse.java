package io.rowtime.sql;

import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWriter;

/** Writes parts of SQL text that several statements share. */
final class Unparse {
  private Unparse() {}

  /** Writes {@code CREATE [OR REPLACE] kind [IF NOT EXISTS] name}. */
  static void create(SqlWriter writer, ObjectKind kind, boolean replace, boolean ifNotExists, SqlIdentifier name) {
    writer.keyword(replace ? "CREATE OR REPLACE" : "CREATE");
    writer.keyword(kind.sql());
    if (ifNotExists) {
      writer.keyword("IF NOT EXISTS");
    }
    name.unparse(writer, 0, 0);
  }

  /** Writes {@code (a, b)}. */
  static void list(SqlWriter writer, SqlNodeList list) {
    SqlWriter.Frame frame = writer.startList("(", ")");
    for (SqlNode node : list) {
      writer.sep(",");
      node.unparse(writer, 0, 0);
    }
    writer.endList(frame);
  }

  /** Writes {@code OPTIONS (…)}, if there are any. */
  static void options(SqlWriter writer, SqlNodeList options) {
    if (!options.isEmpty()) {
      writer.keyword("OPTIONS");
      list(writer, options);
    }
  }

  /** Writes {@code AS}, followed by the node on a new line. */
  static void body(SqlWriter writer, SqlNode node) {
    writer.keyword("AS");
    writer.newlineAndIndent();
    node.unparse(writer, 0, 0);
  }
}
