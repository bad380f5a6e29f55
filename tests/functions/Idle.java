package examples;

import io.rowtime.api.InputRow;
import io.rowtime.api.ListState;
import io.rowtime.api.ProcessContext;
import io.rowtime.api.ProcessTableFunction;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Collectors;

/**
 * Emits the values of a partition up to a pause, as a row with the time of the first of them; it declares how far back
 * that can be.
 */
public final class Idle implements ProcessTableFunction {
  @Override public void process(InputRow row, ProcessContext context) {
    if (context.list("values", Integer.class).get().isEmpty()) {
      context.value("start", Instant.class).set(context.rowtime());
    }
    context.list("values", Integer.class).add(row.get("v", Integer.class));
    context.setTimer("pause", context.rowtime().plus(context.argument("pause", Duration.class)));
  }

  @Override public void onTimer(String timer, ProcessContext context) {
    ListState<Integer> values = context.list("values", Integer.class);
    String all = values.get().stream().map(String::valueOf).collect(Collectors.joining("+"));
    context.emitAt(context.value("start", Instant.class).get(), all, values.get().size());
    context.clear();
  }
}
