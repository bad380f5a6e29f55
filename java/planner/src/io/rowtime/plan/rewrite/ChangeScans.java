package io.rowtime.plan.rewrite;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogTable;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.plan.monotone.StreamingNodes;
import io.rowtime.plan.origin.Origins;
import io.rowtime.plan.rel.ChangeScan;
import io.rowtime.plan.rel.Changelogs;
import io.rowtime.plan.rel.Plans;
import io.rowtime.validate.function.RowtimeOperators;
import io.rowtime.validate.rules.Conversions;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Decides which tables of a streaming query are read as streams of their changes: all below a result that may change (the input of
 * TO_CHANGELOG, or rows that a table gets by their key) if there is no stream below it. Beside a stream, a table is looked up.
 */
final class ChangeScans {
  private final Origins origins;

  private ChangeScans(Origins origins) {
    this.origins = origins;
  }

  /** @param mayChange whether the result of the query may change */
  static RelNode replace(RelNode plan, Origins origins, boolean mayChange) {
    ChangeScans scans = new ChangeScans(origins);
    if (mayChange && !readsStream(plan)) {
      return scans.changes(plan, false);
    }
    return Plans.nodes(plan).anyMatch(Changelogs::isChangelog) ? scans.below(plan, mayChange) : plan;
  }

  /** Returns whether there is a stream below a node, also in a sub-query. */
  static boolean readsStream(RelNode rel) {
    return Plans.nodes(rel).anyMatch(node -> node instanceof TableScan && StreamingNodes.readsStream(node));
  }

  /**
   * Replaces the tables below each TO_CHANGELOG.
   *
   * @param mayChange whether the rows of the node may change: elsewhere, FROM_CHANGELOG of a table's changes is the table as it is
   */
  private RelNode below(RelNode rel, boolean mayChange) {
    if (Changelogs.isChangelog(rel)) {
      return readsStream(rel) ? withInputs(rel, input -> below(input, true)) : changes(rel, true);
    }
    SqlOperator function = function(rel);
    boolean once = function == RowtimeOperators.SNAPSHOT || function == RowtimeOperators.FROM_CHANGELOG && !mayChange;
    return once ? rel : withInputs(rel, input -> below(input, mayChange));
  }

  /**
   * Replaces all tables, except those that are read as of a time, or only searched.
   *
   * @param named whether the query asks for the changes, by TO_CHANGELOG
   */
  private RelNode changes(RelNode rel, boolean named) {
    if (rel instanceof TableScan scan) {
      return scan instanceof ChangeScan ? scan : origins.recordReplacement(scan, changes(scan, named));
    }
    boolean below = named || Changelogs.isChangelog(rel);
    SqlOperator function = function(rel);
    return function == RowtimeOperators.SNAPSHOT || function == RowtimeOperators.SEARCH_KEY ? rel : withInputs(rel, input -> changes(input, below));
  }

  private TableScan changes(TableScan scan, boolean named) {
    CatalogTable table = scan.getTable().unwrap(CatalogTable.class);
    if (table == null) {
      return scan;
    }
    CatalogObject object = table.object();
    if (!object.hasChanges()) {
      throw new DiagnosticException(List.of(Conversions.noChanges(object, origins.place(scan, SqlParserPos.ZERO), named)));
    }
    return new ChangeScan(scan);
  }

  private RelNode withInputs(RelNode rel, UnaryOperator<RelNode> replacement) {
    RelNode over = origins.withInputs(rel, rel.getInputs().stream().map(replacement).toList());
    RelNode made = Plans.subQueries(over).isEmpty() ? over : Plans.replaceSubQueries(over, replacement);
    return origins.recordReplacement(rel, made);
  }

  private static SqlOperator function(RelNode rel) {
    return rel instanceof TableFunctionScan call && call.getCall() instanceof RexCall made ? made.getOperator() : null;
  }
}
