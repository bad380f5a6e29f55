package io.rowtime.plan;

import java.util.function.Predicate;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.util.Util;

/** Places in the text of things that a relational plan has no position for. */
final class Places {
  private Places() {}

  /** The first analytic call of a query; {@code otherwise} where its own text has none. */
  static SqlParserPos analytic(SqlNode query, SqlParserPos otherwise) {
    return first(query, call -> call.getKind() == SqlKind.OVER && !(call.operand(0) instanceof SqlIdentifier), otherwise);
  }

  /** The first expression that is called ROWTIME. */
  static SqlParserPos rowtime(SqlNode query, SqlParserPos otherwise) {
    return first(query, call -> call.getKind() == SqlKind.AS && !(call.operand(0) instanceof SqlSelect)
        && call.operand(1) instanceof SqlIdentifier id && id.getSimple().equalsIgnoreCase("ROWTIME"), otherwise);
  }

  private static SqlParserPos first(SqlNode query, Predicate<SqlCall> wanted, SqlParserPos otherwise) {
    try {
      query.accept(new SqlBasicVisitor<Void>() {
        @Override public Void visit(SqlCall call) {
          if (wanted.test(call)) {
            throw new Util.FoundOne(call.getParserPosition());
          }
          return super.visit(call);
        }
      });
      return otherwise;
    } catch (Util.FoundOne found) {
      return (SqlParserPos) found.getNode();
    }
  }
}
