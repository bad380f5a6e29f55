package io.rowtime.validate.desugar;

import io.rowtime.validate.AstRewriter;
import io.rowtime.validate.function.RowtimeOperators;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Resolves {@code payload.x} and {@code payload.*} of a changelog. Calcite takes the first part of a dotted name for a
 * table, so the alias is put before it.
 */
final class ChangelogColumns {
  private static final String PAYLOAD = "PAYLOAD";

  private ChangelogColumns() {}

  static void qualify(SqlSelect select) {
    SqlNode from = select.getFrom();
    if (from == null || !isChangelog(from)) {
      return;
    }
    SqlIdentifier alias;
    if (from.getKind() == SqlKind.AS) {
      alias = ((SqlCall) from).operand(1);
    } else {
      alias = new SqlIdentifier("CHANGELOG", from.getParserPosition());
      select.setFrom(SqlStdOperatorTable.AS.createCall(from.getParserPosition(), from, alias));
    }
    for (SqlNode clause : Arrays.asList(select.getSelectList(), select.getWhere(), select.getGroup(), select.getHaving(),
        select.getQualify(), select.getOrderList())) {
      AstRewriter.rewrite(clause, node -> qualify(node, alias.getSimple()));
    }
  }

  private static SqlNode qualify(SqlNode node, String alias) {
    if (!(node instanceof SqlIdentifier id) || id.names.size() < 2 || !id.names.get(0).equalsIgnoreCase(PAYLOAD)) {
      return node;
    }
    List<String> names = new ArrayList<>(id.names);
    names.add(0, alias);
    return new SqlIdentifier(names, id.getParserPosition());
  }

  private static boolean isChangelog(SqlNode from) {
    return switch (from.getKind()) {
      case AS, LATERAL -> isChangelog(((SqlCall) from).operand(0));
      case COLLECTION_TABLE -> ((SqlCall) ((SqlCall) from).operand(0)).getOperator() == RowtimeOperators.TO_CHANGELOG;
      default -> false;
    };
  }
}
