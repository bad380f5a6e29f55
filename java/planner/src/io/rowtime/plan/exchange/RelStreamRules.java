package io.rowtime.plan.exchange;

import io.rowtime.catalog.CatalogTable;
import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.plan.monotone.StreamingNodes;
import io.rowtime.validate.rules.Conversions;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Checks which inputs another program's plan may read as streams and which as relations: SQL's rules, applied to
 * relational algebra.
 */
public final class RelStreamRules {
  private final List<Diagnostic> diagnostics = new ArrayList<>();

  private RelStreamRules() {}

  /** Returns an error for each input that cannot be read in the way the plan requires. */
  public static List<Diagnostic> check(RelNode rel, boolean streaming) {
    RelStreamRules rules = new RelStreamRules();
    rules.require(rel, streaming);
    return rules.diagnostics;
  }

  private void require(RelNode rel, boolean stream) {
    if (rel instanceof TableScan scan) {
      CatalogTable table = scan.getTable().unwrap(CatalogTable.class);
      if (table != null && !(stream ? table.object().streamable() : table.object().relational())) {
        diagnostics.add(Conversions.notReadable(table.object(), stream, SqlParserPos.ZERO));
      }
    } else if (rel instanceof Values && stream) {
      diagnostics.add(Conversions.values(SqlParserPos.ZERO));
    } else if (rel instanceof Join && stream) {
      sides(rel);
    } else {
      rel.getInputs().forEach(input -> require(input, stream));
    }
  }

  /** A join is streaming if one of its inputs is; the other input is then looked up as a relation. */
  private void sides(RelNode join) {
    StreamingNodes streams = StreamingNodes.of(join, true);
    join.getInputs().forEach(side -> require(side, !streams.contains(join) || streams.contains(side)));
  }
}
