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
 * The STREAM keyword: it requests incoming rows, and is effective only in the top-most SELECT, not in sub-queries and
 * views.
 */
public final class StreamKeyword {
  private StreamKeyword() {}

  /**
   * Returns whether the query as a whole is a streaming query.
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
      // Check each once: a chain of n set operations nests its first branches n levels deep.
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

  /** Adds the keyword to the top-most SELECTs that lack it. */
  public static void add(SqlNode query) {
    if (query instanceof SqlSelect select) {
      if (!select.isKeywordPresent(SqlSelectKeyword.STREAM)) {
        List<SqlNode> keywords = new ArrayList<>((SqlNodeList) select.getOperandList().get(0));
        keywords.add(0, SqlSelectKeyword.STREAM.symbol(select.getParserPosition()));
        select.setOperand(0, new SqlNodeList(keywords, select.getParserPosition()));
      }
    } else if (query instanceof SqlOrderBy orderBy) {
      add(orderBy.query);
    } else if (query instanceof SqlWith with) {
      add(with.body);
    } else if (query instanceof SqlCall call && query.isA(SqlKind.SET_QUERY)) {
      call.getOperandList().forEach(StreamKeyword::add);
    }
  }

  /** Removes the keyword everywhere, so that Calcite validates a plain query; our own rules check streams. */
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
