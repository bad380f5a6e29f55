package examples;

import io.rowtime.api.InputRow;
import io.rowtime.api.ListState;
import io.rowtime.api.MapState;
import io.rowtime.api.ProcessContext;
import io.rowtime.api.ProcessTableFunction;
import io.rowtime.api.ValueState;
import java.time.Duration;
import java.util.stream.Collectors;

/** Emits, after each row, the contents of a value, a list and a map whose entries expire one by one. */
public final class Recent implements ProcessTableFunction {
  @Override public void process(InputRow row, ProcessContext context) {
    Duration live = context.argument("live", Duration.class);
    ValueState<Integer> count = context.value("count", Integer.class, live);
    ListState<Integer> values = context.list("values", Integer.class, live);
    MapState<Integer, Integer> latest = context.map("latest", Integer.class, Integer.class, live);
    int v = row.get("v", Integer.class);
    if (v < 10) {
      count.set(count.orElse(0) + 1);
    }
    if (v < 20) {
      values.add(v);
    }
    latest.put(v / 10, v);
    context.setTimer("after", context.rowtime().plus(live));
    seen(context);
  }

  @Override public void onTimer(String timer, ProcessContext context) {
    seen(context);
  }

  private static void seen(ProcessContext context) {
    String values = context.list("values", Integer.class).get().stream().map(String::valueOf).collect(Collectors.joining(" "));
    String latest = context.map("latest", Integer.class, Integer.class).entries().entrySet().stream()
        .map(entry -> entry.getKey() + ":" + entry.getValue()).collect(Collectors.joining(" "));
    context.emit(context.value("count", Integer.class).orElse(0), values.isEmpty() ? "-" : values, latest.isEmpty() ? "-" : latest);
  }
}
