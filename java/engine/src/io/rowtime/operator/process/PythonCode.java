package io.rowtime.operator.process;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.operator.spec.ProcessSpec;
import java.io.Serializable;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A function in Python, and how the workers that run it are started.
 *
 * @param command the program of a worker and its arguments
 * @param path the search path for modules
 * @param code the function, which only workers read
 */
record PythonCode(List<String> command, String path, String code) implements Serializable {
  /** Returns the first message to a worker: what it runs. */
  String setup(ProcessSpec spec) {
    ObjectNode setup = JsonNodeFactory.instance.objectNode().put("function", spec.function()).put("code", code)
        .put("delay", spec.delay()).put("stateTtl", spec.stateTtl());
    setup.put("row", spec.results().stream().map(result -> '"' + result.name().replace("\"", "\"\"") + "\" " + result.type())
        .collect(Collectors.joining(", ", "ROW(", ")")));
    List<String> columns = spec.columns().stream().map(ProcessSpec.Column::name).toList();
    List<String> named = spec.columns().stream().map(ProcessSpec.Column::column).toList();
    add(setup.putArray("columns"), columns);
    add(setup.putArray("keys"), spec.partition().stream().map(key -> columns.get(named.indexOf(key))).toList());
    add(setup.putArray("parameters"), spec.parameters());
    return setup.toString();
  }

  private static void add(ArrayNode to, List<String> texts) {
    texts.forEach(to::add);
  }
}
