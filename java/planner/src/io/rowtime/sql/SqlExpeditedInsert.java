package io.rowtime.sql;

import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** {@code INSERT EXPEDITED INTO …}: an ordinary INSERT for the planner, and a hint to batch rows for JDBC. */
public final class SqlExpeditedInsert extends SqlInsert {
  private static final SqlOperator OPERATOR =
      new NodeOperator("INSERT EXPEDITED", SqlKind.INSERT, (pos, o) ->
          new SqlExpeditedInsert(pos, (SqlNodeList) o[0], o[1], o[2], (SqlNodeList) o[3]));

  public SqlExpeditedInsert(SqlParserPos pos, SqlNodeList keywords, SqlNode table, SqlNode source,
      SqlNodeList columns) {
    super(pos, keywords, table, source, columns);
  }

  @Override public SqlOperator getOperator() {
    return OPERATOR;
  }

  @Override public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    SqlWriter.Frame frame = writer.startList(SqlWriter.FrameTypeEnum.SELECT);
    writer.sep("INSERT EXPEDITED INTO");
    getTargetTable().unparse(writer, 0, 0);
    if (getTargetColumnList() != null) {
      Unparse.list(writer, getTargetColumnList());
    }
    writer.newlineAndIndent();
    getSource().unparse(writer, 0, 0);
    writer.endList(frame);
  }
}
