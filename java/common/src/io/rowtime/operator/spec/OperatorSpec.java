package io.rowtime.operator.spec;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.Serializable;
import java.util.Locale;

/**
 * The parameters of one of rowtime's operators; all must be given. Times and distances are in microseconds; columns are
 * given by their names in the operator's input. Those that the planner makes are named by their places: c0, c1, ….
 *
 * <p>The JSON contains the {@link #name} of the operator in the field {@code operator}, followed by the fields of the
 * record. The record is found by that name, in this package.
 */
public interface OperatorSpec extends Serializable {

  /**
   * Reads the record of an operator from JSON.
   *
   * @throws InvalidSpecException if a field is missing, unknown or of another type, or the JSON is of another operator
   */
  static <T extends OperatorSpec> T read(Class<T> type, String json) {
    return SpecReader.read(type, json);
  }

  /**
   * Reads the record of the operator that the JSON names.
   *
   * @throws InvalidSpecException as {@link #read(Class, String)}
   */
  static OperatorSpec read(String json) {
    return SpecReader.read(json);
  }

  /** Returns the JSON that {@link #read(String)} reads. */
  default ObjectNode toJson() {
    return SpecWriter.write(this);
  }

  /** Returns the operator's name in JSON: that of the record without {@code Spec}, in lower case with underscores. */
  static String name(Class<? extends OperatorSpec> type) {
    return type.getSimpleName().replace("Spec", "").replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
  }
}
