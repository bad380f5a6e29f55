package io.rowtime.sql;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlSelectKeyword;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.ImmutableNullableList;

/**
 * {@code MERGE INTO table [AS alias] USING source ON condition WHEN …}, and what is short for it: {@code UPDATE table [AS alias]
 * SET … FROM source WHERE condition} and {@code DELETE FROM table [AS alias] USING source WHERE condition}.
 */
public final class SqlMergeInto extends SqlCall {
  /** How the statement is written. */
  public enum Form { MERGE, UPDATE, DELETE }

  private static final SqlOperator OPERATOR =
      new NodeOperator("MERGE", SqlKind.OTHER, (pos, o) ->
          new SqlMergeInto(pos, NodeOperator.symbol(o[0], Form.class), (SqlIdentifier) o[1], (SqlIdentifier) o[2], o[3], o[4], (SqlNodeList) o[5]));

  public final Form form;
  public final SqlIdentifier target;
  /** Null if there is none. */
  public final SqlIdentifier alias;
  /** An item of FROM. */
  public final SqlNode source;
  /** Which rows of the table and the source match; null for all of them. */
  public final SqlNode condition;
  /** {@link SqlMergeClause}s; the first one whose condition is TRUE applies. */
  public final SqlNodeList clauses;

  public SqlMergeInto(SqlParserPos pos, Form form, SqlIdentifier target, SqlIdentifier alias, SqlNode source, SqlNode condition, SqlNodeList clauses) {
    super(pos);
    this.form = form;
    this.target = target;
    this.alias = alias;
    this.source = source;
    this.condition = condition;
    this.clauses = clauses;
  }

  /** Returns {@code UPDATE target SET columns = values FROM source WHERE condition}. */
  public static SqlMergeInto update(SqlParserPos pos, SqlIdentifier target, SqlIdentifier alias, SqlNode source, SqlNode condition,
      SqlNodeList columns, SqlNodeList values) {
    return new SqlMergeInto(pos, Form.UPDATE, target, alias, source, condition,
        SqlNodeList.of(new SqlMergeClause(pos, SqlMergeClause.Action.UPDATE, null, columns, values)));
  }

  /** Returns {@code DELETE FROM target USING source WHERE condition}. */
  public static SqlMergeInto delete(SqlParserPos pos, SqlIdentifier target, SqlIdentifier alias, SqlNode source, SqlNode condition) {
    return new SqlMergeInto(pos, Form.DELETE, target, alias, source, condition,
        SqlNodeList.of(new SqlMergeClause(pos, SqlMergeClause.Action.DELETE, null, null, SqlNodeList.EMPTY)));
  }

  /** Returns all clauses. */
  public List<SqlMergeClause> all() {
    return clauses.stream().map(SqlMergeClause.class::cast).toList();
  }

  /** Returns the clauses for rows that match ({@code true}), or for rows of the source that match none. */
  public List<SqlMergeClause> clauses(boolean matched) {
    return all().stream().filter(each -> each.action != SqlMergeClause.Action.INSERT == matched).toList();
  }

  /** Returns the source as a query; null if it is the name of a stream or table. */
  public SqlNode query() {
    SqlNode inner = unnamedSource();
    return inner.isA(SqlKind.QUERY) ? inner : null;
  }

  /** Returns the statement with {@code (SELECT STREAM * FROM name) AS alias} as its source, if that is a name now. */
  public SqlMergeInto streaming() {
    SqlNode name = unnamedSource();
    if (!(name instanceof SqlIdentifier)) {
      return this;
    }
    SqlParserPos place = name.getParserPosition();
    SqlNode query = new SqlSelect(place, SqlNodeList.of(SqlSelectKeyword.STREAM.symbol(place)), SqlNodeList.of(SqlIdentifier.star(place)), name,
        null, null, null, null, null, null, null, null, null);
    List<SqlNode> parts = new ArrayList<>(source.getKind() == SqlKind.AS ? ((SqlCall) source).getOperandList() : List.of(query, sourceAlias()));
    parts.set(0, query);
    SqlNode made = SqlStdOperatorTable.AS.createCall(source.getParserPosition(), parts);
    return new SqlMergeInto(pos, form, target, alias, made, condition, clauses);
  }

  /** Returns the source without its alias. */
  private SqlNode unnamedSource() {
    return source.getKind() == SqlKind.AS ? ((SqlCall) source).operand(0) : source;
  }

  /** Returns the name by which its expressions call the source; null if it has none. */
  public SqlIdentifier sourceAlias() {
    if (source.getKind() == SqlKind.AS) {
      return ((SqlCall) source).operand(1);
    }
    return source instanceof SqlIdentifier id ? id.getComponent(id.names.size() - 1) : null;
  }

  @Override public SqlOperator getOperator() {
    return OPERATOR;
  }

  @Override public List<SqlNode> getOperandList() {
    return ImmutableNullableList.of(NodeOperator.symbol(form), target, alias, source, condition, clauses);
  }

  @Override public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword(switch (form) {
      case MERGE -> "MERGE INTO";
      case UPDATE -> "UPDATE";
      case DELETE -> "DELETE FROM";
    });
    target.unparse(writer, 0, 0);
    if (alias != null) {
      writer.keyword("AS");
      alias.unparse(writer, 0, 0);
    }
    writer.newlineAndIndent();
    if (form == Form.UPDATE) {
      ((SqlMergeClause) clauses.get(0)).unparseSet(writer);
      writer.newlineAndIndent();
    }
    writer.keyword(form == Form.UPDATE ? "FROM" : "USING");
    source.unparse(writer, 0, 0);
    if (condition != null) {
      writer.newlineAndIndent();
      writer.keyword(form == Form.MERGE ? "ON" : "WHERE");
      condition.unparse(writer, 0, 0);
    }
    if (form == Form.MERGE) {
      clauses.forEach(clause -> clause.unparse(writer, 0, 0));
    }
  }
}
