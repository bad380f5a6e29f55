package io.rowtime.plan.monotone;

import io.rowtime.catalog.CatalogTable;
import io.rowtime.plan.rel.ChangeScan;
import io.rowtime.plan.rel.SearchKeyJoin;
import io.rowtime.plan.rel.SnapshotScan;
import io.rowtime.validate.function.RowtimeOperators;
import io.rowtime.validate.function.TableFunction;
import io.rowtime.validate.rules.StreamedInputs;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rex.RexCall;

/**
 * The streaming nodes of a plan: those with a stream below them. A relational query has none. The rows of a recursion
 * are not a stream, as they come from no table of the catalog.
 */
public final class StreamingNodes {
  private final Set<RelNode> streaming = Collections.newSetFromMap(new IdentityHashMap<>());

  private StreamingNodes() {}

  /** Returns the streaming nodes of a plan; {@code streaming} is true if the query asks for a stream. */
  public static StreamingNodes of(RelNode root, boolean streaming) {
    StreamingNodes streams = new StreamingNodes();
    if (streaming) {
      streams.mark(root);
    }
    return streams;
  }

  public boolean contains(RelNode rel) {
    return streaming.contains(rel);
  }

  private boolean mark(RelNode rel) {
    boolean any = false;
    if (rel instanceof SnapshotScan) {
      any = false;
    } else if (rel instanceof ChangeScan) {
      any = true;
    } else if (rel instanceof TableScan scan) {
      CatalogTable table = scan.getTable().unwrap(CatalogTable.class);
      any = table != null && table.object().streamable();
    } else if (rel instanceof SearchKeyJoin) {
      any = mark(rel.getInput(0));
    } else if (rel instanceof Join || rel instanceof Correlate) {
      any = markSides(rel.getInput(0), rel.getInput(1));
    } else if (rel instanceof TableFunctionScan call && readsAtOnce(call)) {
      any = false;
    } else {
      for (RelNode input : rel.getInputs()) {
        any |= mark(input);
      }
    }
    if (any) {
      streaming.add(rel);
    }
    return any;
  }

  private boolean markSides(RelNode left, RelNode right) {
    boolean any = readsStream(left) || readsStream(right);
    boolean markedLeft = StreamedInputs.isStreamed(readsStream(left), any) && mark(left);
    boolean markedRight = StreamedInputs.isStreamed(readsStream(right), any) && mark(right);
    return markedLeft || markedRight;
  }

  /** Returns whether there is a stream below a node. A table is not a stream, even if its columns have an order; its changes are. */
  public static boolean readsStream(RelNode rel) {
    if (rel instanceof SnapshotScan) {
      return false;
    }
    if (rel instanceof ChangeScan) {
      return true;
    }
    if (rel instanceof TableScan scan) {
      CatalogTable table = scan.getTable().unwrap(CatalogTable.class);
      return table != null && table.object().isStream();
    }
    if (rel instanceof SearchKeyJoin) {
      return readsStream(rel.getInput(0));
    }
    return !(rel instanceof TableFunctionScan call && readsAtOnce(call))
        && rel.getInputs().stream().anyMatch(StreamingNodes::readsStream);
  }

  private static boolean readsAtOnce(TableFunctionScan scan) {
    return RowtimeOperators.inputMode(((RexCall) scan.getCall()).getOperator()) == TableFunction.InputMode.AT_ONCE;
  }
}
