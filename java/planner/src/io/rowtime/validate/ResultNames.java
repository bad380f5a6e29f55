package io.rowtime.validate;

import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.parse.SqlText;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/** Explains why the name of a column of the result was not found in another clause of the same SELECT. */
public final class ResultNames {
  private static final String NOT_FOUND = "RT0112";

  private ResultNames() {}

  /**
   * Returns a diagnostic with a better hint, if it is about a name that a SELECT around it gives to a column of its result.
   *
   * @param statement the statement as it was written
   */
  public static Diagnostic explain(Diagnostic diagnostic, SqlNode statement) {
    SqlParserPos place = new SqlParserPos(diagnostic.line(), diagnostic.column(), diagnostic.endLine(), diagnostic.endColumn());
    SqlCall named = diagnostic.code().equals(NOT_FOUND) ? innermost(statement, place) : null;
    return named == null ? diagnostic : diagnostic.withHint("the name " + ((SqlIdentifier) named.operand(1)).getSimple()
        + " is given to the result; here, write the expression: " + SqlText.of(named.operand(0)));
  }

  /** Returns the item {@code expression AS name} of the innermost SELECT that uses its name at {@code place}. */
  private static SqlCall innermost(SqlNode statement, SqlParserPos place) {
    List<SqlCall> found = new ArrayList<>();
    statement.accept(new SqlBasicVisitor<Void>() {
      private final List<SqlSelect> around = new ArrayList<>();

      @Override public Void visit(SqlCall call) {
        if (!(call instanceof SqlSelect select)) {
          return super.visit(call);
        }
        around.add(select);
        super.visit(call);
        around.remove(around.size() - 1);
        return null;
      }

      @Override public Void visit(SqlIdentifier id) {
        if (!around.isEmpty() && id.isSimple() && id.getParserPosition().equals(place)) {
          SqlSelect select = around.get(around.size() - 1);
          select.getSelectList().stream().filter(item -> isNamed(item, id.getSimple())).findFirst().ifPresent(item -> found.add((SqlCall) item));
        }
        return null;
      }
    });
    return found.isEmpty() ? null : found.get(0);
  }

  private static boolean isNamed(SqlNode item, String name) {
    return item.getKind() == SqlKind.AS && ((SqlCall) item).operand(1) instanceof SqlIdentifier alias && alias.getSimple().equals(name);
  }
}
