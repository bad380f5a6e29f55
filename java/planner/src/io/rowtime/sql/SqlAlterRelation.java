package io.rowtime.sql;

import java.util.EnumMap;
import java.util.Map;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** {@code ALTER STREAM | FOREIGN STREAM | TABLE | FOREIGN TABLE name …}: the definition becomes another one, and the rows stay. */
public abstract class SqlAlterRelation extends SqlCall {
  /** Makes a statement from its operands. */
  @FunctionalInterface
  interface Factory {
    SqlAlterRelation create(SqlParserPos pos, ObjectKind kind, SqlNode[] operands);
  }

  public final ObjectKind kind;
  public final SqlIdentifier name;

  SqlAlterRelation(SqlParserPos pos, ObjectKind kind, SqlIdentifier name) {
    super(pos);
    this.kind = kind;
    this.name = name;
  }

  /** Returns the operator of a statement for each kind of object. */
  static Map<ObjectKind, SqlOperator> operators(String what, Factory factory) {
    Map<ObjectKind, SqlOperator> operators = new EnumMap<>(ObjectKind.class);
    for (ObjectKind kind : ObjectKind.values()) {
      operators.put(kind, new NodeOperator("ALTER " + kind.sql() + " " + what, SqlKind.OTHER_DDL,
          (pos, operands) -> factory.create(pos, kind, operands)));
    }
    return operators;
  }

  /** Writes the statement up to its clause, which begins with {@code words}. */
  final void unparse(SqlWriter writer, String words) {
    writer.keyword("ALTER " + kind.sql());
    name.unparse(writer, 0, 0);
    writer.keyword(words);
  }
}
