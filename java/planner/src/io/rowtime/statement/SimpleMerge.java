package io.rowtime.statement;

import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.sql.SqlMergeClause;
import io.rowtime.sql.SqlMergeInto;
import java.util.List;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlMerge;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/** A MERGE that runs once has one clause of each kind at most, without a condition. */
final class SimpleMerge {
  private SimpleMerge() {}

  /** @throws DiagnosticException RT0331 if only a pump can do what the statement says */
  static SqlMerge of(SqlMergeInto merge) {
    List<SqlMergeClause> matched = merge.clauses(true);
    List<SqlMergeClause> unmatched = merge.clauses(false);
    if (merge.form != SqlMergeInto.Form.MERGE) {
      throw new DiagnosticException("RT0331", merge.source.getParserPosition(), merge.form + " with a source runs only in a pump",
          "compare with a sub-query in WHERE, or write MERGE");
    }
    for (SqlMergeClause clause : merge.all()) {
      if (clause.condition != null || clause.action == SqlMergeClause.Action.DELETE || matched.size() > 1 || unmatched.size() > 1) {
        throw new DiagnosticException("RT0331", clause.getParserPosition(),
            "A MERGE that runs once has one WHEN MATCHED THEN UPDATE and one WHEN NOT MATCHED THEN INSERT at most, without AND",
            "put the condition into a CASE, use DELETE, or let a pump merge: CREATE PUMP p AS MERGE …");
      }
    }
    return new SqlMerge(merge.getParserPosition(), merge.target, merge.condition, merge.source,
        matched.isEmpty() ? null : update(merge, matched.get(0)), unmatched.isEmpty() ? null : insert(merge, unmatched.get(0)), null, merge.alias);
  }

  private static SqlUpdate update(SqlMergeInto merge, SqlMergeClause clause) {
    return new SqlUpdate(clause.getParserPosition(), merge.target, clause.columns, clause.values, null, null, merge.alias);
  }

  private static SqlInsert insert(SqlMergeInto merge, SqlMergeClause clause) {
    var row = SqlStdOperatorTable.ROW.createCall(clause.values.getParserPosition(), clause.values.getList());
    return new SqlInsert(clause.getParserPosition(), SqlNodeList.EMPTY, merge.target,
        SqlStdOperatorTable.VALUES.createCall(clause.values.getParserPosition(), row), clause.columns);
  }
}
