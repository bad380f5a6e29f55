package io.rowtime.sql;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.sql.SqlDrop;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.ImmutableNullableList;

/** {@code DROP kind [IF EXISTS] name [CASCADE | RESTRICT]}. */
public final class SqlDropObject extends SqlDrop {
  private static final Map<ObjectKind, SqlOperator> OPERATORS = new EnumMap<>(ObjectKind.class);

  static {
    for (ObjectKind kind : ObjectKind.values()) {
      OPERATORS.put(kind, new NodeOperator("DROP " + kind.sql(), SqlKind.OTHER_DDL, (pos, o) ->
          new SqlDropObject(pos, kind, NodeOperator.flag(o[0]), (SqlIdentifier) o[1], NodeOperator.flag(o[2]))));
    }
  }

  public final ObjectKind kind;
  public final SqlIdentifier name;
  /** Whether to drop dependent objects too. */
  public final boolean cascade;

  public SqlDropObject(SqlParserPos pos, ObjectKind kind, boolean ifExists, SqlIdentifier name, boolean cascade) {
    super(OPERATORS.get(kind), pos, ifExists);
    this.kind = kind;
    this.name = name;
    this.cascade = cascade;
  }

  @Override public List<SqlNode> getOperandList() {
    return ImmutableNullableList.of(NodeOperator.flag(ifExists), name, NodeOperator.flag(cascade));
  }

  @Override public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("DROP");
    writer.keyword(kind.sql());
    if (ifExists) {
      writer.keyword("IF EXISTS");
    }
    name.unparse(writer, 0, 0);
    if (cascade) {
      writer.keyword("CASCADE");
    }
  }
}
