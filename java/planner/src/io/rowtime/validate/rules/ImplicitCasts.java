package io.rowtime.validate.rules;

import io.rowtime.diagnostic.Diagnostic;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.validate.SqlValidator;

/** Warns of conversions from a text that nobody has written, and that fail for some texts. */
public final class ImplicitCasts {
  private ImplicitCasts() {}

  /** Returns a warning for each of them in a query that has been validated: the validator has added the casts. */
  public static List<Diagnostic> warnings(SqlNode validated, SqlValidator validator) {
    List<Diagnostic> found = new ArrayList<>();
    validated.accept(new SqlBasicVisitor<Void>() {
      @Override public Void visit(SqlCall call) {
        // A CAST in the text begins before its operand.
        if (call.getKind() == SqlKind.CAST && call.getParserPosition().equals(call.operand(0).getParserPosition())) {
          SqlNode operand = call.operand(0);
          RelDataType from = validator.getValidatedNodeTypeIfKnown(operand);
          RelDataType to = validator.getValidatedNodeTypeIfKnown(call);
          if (from != null && to != null && canFail(operand, from, to)) {
            found.add(warning(operand, from, to));
          }
        }
        return super.visit(call);
      }
    });
    return found;
  }

  private static boolean canFail(SqlNode operand, RelDataType from, RelDataType to) {
    return !(operand instanceof SqlLiteral) && !SqlParserPos.ZERO.equals(operand.getParserPosition()) && SqlTypeUtil.inCharFamily(from)
        && (SqlTypeUtil.isNumeric(to) || SqlTypeUtil.isDatetime(to) || SqlTypeUtil.isBoolean(to));
  }

  private static Diagnostic warning(SqlNode operand, RelDataType from, RelDataType to) {
    String type = to.getSqlTypeName().getName();
    return Diagnostic.warning("RT0254", operand.getParserPosition(),
        from + " is converted to " + type + " here, which fails for a text that is no " + type,
        "write CAST(… AS " + type + ") if it never is one; SAFE_CAST(… AS " + type + ") is NULL for such a text; or compare it with a text");
  }
}
