package io.rowtime.sql;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.sql.SqlCreate;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.ImmutableNullableList;

/**
 * CREATE STREAM, FOREIGN STREAM, TABLE, FOREIGN TABLE.
 *
 * <p>{@code CREATE [OR REPLACE] kind [IF NOT EXISTS] name [(column, …)] [OPTIONS (…)] [DROP ROWS] [AS query]}
 */
public final class SqlCreateRelation extends SqlCreate {
  private static final Map<ObjectKind, SqlOperator> OPERATORS = new EnumMap<>(ObjectKind.class);

  static {
    for (ObjectKind kind : ObjectKind.values()) {
      OPERATORS.put(kind, new NodeOperator("CREATE " + kind.sql(), SqlKind.CREATE_TABLE, (pos, o) ->
          new SqlCreateRelation(pos, kind, NodeOperator.flag(o[0]), NodeOperator.flag(o[1]), (SqlIdentifier) o[2],
              (SqlNodeList) o[3], (SqlNodeList) o[4], NodeOperator.flag(o[5]), o[6])));
    }
  }

  public final ObjectKind kind;
  public final SqlIdentifier name;
  /** {@link SqlColumnDeclaration}s and {@link SqlPrimaryKeyConstraint}s; null if the statement has no such list. */
  public final SqlNodeList elements;
  /** {@link SqlOption}s; empty without OPTIONS. */
  public final SqlNodeList options;
  /** Whether OR REPLACE may delete rows that do not fit the new definition. */
  public final boolean dropRows;
  /** The query of {@code CREATE TABLE … AS query}; else null. */
  public final SqlNode query;

  public SqlCreateRelation(SqlParserPos pos, ObjectKind kind, boolean replace, boolean ifNotExists, SqlIdentifier name,
      SqlNodeList elements, SqlNodeList options, boolean dropRows, SqlNode query) {
    super(OPERATORS.get(kind), pos, replace, ifNotExists);
    this.kind = kind;
    this.name = name;
    this.elements = elements;
    this.options = options;
    this.dropRows = dropRows;
    this.query = query;
  }

  /** Returns the statement without DROP ROWS. */
  public SqlCreateRelation withoutDropRows() {
    return new SqlCreateRelation(getParserPosition(), kind, getReplace(), ifNotExists, name, elements, options, false, query);
  }

  @Override public List<SqlNode> getOperandList() {
    return ImmutableNullableList.of(NodeOperator.flag(getReplace()), NodeOperator.flag(ifNotExists), name, elements,
        options, NodeOperator.flag(dropRows), query);
  }

  @Override public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    Unparse.create(writer, kind, getReplace(), ifNotExists, name);
    if (elements != null) {
      Unparse.list(writer, elements);
    }
    Unparse.options(writer, options);
    if (dropRows) {
      writer.keyword("DROP ROWS");
    }
    if (query != null) {
      Unparse.body(writer, query);
    }
  }
}
