package io.rowtime.validate.desugar;

import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.validate.AstRewriter;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlSelectKeyword;
import org.apache.calcite.sql.SqlWith;

/**
 * The STREAM keyword: it asks for incoming rows, and only in the top-most SELECT (seed 001: in sub-queries and views it
 * has no effect).
 */
public final class StreamKeyword {
  private StreamKeyword() {}

  /**
   * Whether the query as a whole is a streaming one.
   *
   * @throws DiagnosticException RT0105 if some branches of a set operation have the keyword and others do not
   */
  public static boolean isStreaming(SqlNode query) {
    if (query instanceof SqlSelect select) {
      return select.isKeywordPresent(SqlSelectKeyword.STREAM);
    }
    if (query instanceof SqlOrderBy orderBy) {
      return isStreaming(orderBy.query);
    }
    if (query instanceof SqlWith with) {
      return isStreaming(with.body);
    }
    if (query instanceof SqlCall call && query.isA(SqlKind.SET_QUERY)) {
      boolean first = isStreaming(call.operand(0));
      // Each once: a chain of n set operations nests its first branches n deep.
      for (SqlNode branch : call.getOperandList().subList(1, call.operandCount())) {
        if (isStreaming(branch) != first) {
          throw new DiagnosticException("RT0105", call.getParserPosition(),
              "Set operator cannot combine streaming and non-streaming inputs",
              "write SELECT STREAM in every branch, or in none");
        }
      }
      return first;
    }
    return false;
  }

  /** Takes the keyword out everywhere, so that Calcite validates a plain query; the rules of streams are ours. */
  public static SqlNode strip(SqlNode query) {
    return AstRewriter.rewrite(query, node -> {
      if (node instanceof SqlSelect select && select.isKeywordPresent(SqlSelectKeyword.STREAM)) {
        List<SqlNode> keywords = new ArrayList<>();
        for (SqlNode keyword : (SqlNodeList) select.getOperandList().get(0)) {
          if (((SqlLiteral) keyword).getValueAs(SqlSelectKeyword.class) != SqlSelectKeyword.STREAM) {
            keywords.add(keyword);
          }
        }
        select.setOperand(0, new SqlNodeList(keywords, select.getParserPosition()));
      }
      return node;
    });
  }
}
