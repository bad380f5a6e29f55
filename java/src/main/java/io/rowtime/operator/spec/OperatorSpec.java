package io.rowtime.operator.spec;

import java.io.Serializable;
import java.util.Locale;

/**
 * What one of rowtime's operators is told; all of it, or it is refused. Times and distances are in microseconds; columns go by
 * their names in the DataFrame that the operator is given.
 *
 * <p>In JSON it has the {@link #name} of its operator as the field {@code operator}, and beside it the fields of the record.
 */
public sealed interface OperatorSpec extends Serializable
    permits GroupingSpec, HoldSpec, IntervalJoinSpec, OverSpec, ProcessSpec, RecursionSpec, SearchFilesSpec, SearchKeySpec, SessionWindowsSpec,
    TemporalJoinSpec, TopNSpec {

  /**
   * Reads the record of an operator.
   *
   * @throws InvalidSpecException where a field is missing, unknown or of another type, or the JSON is of another operator
   */
  static <T extends OperatorSpec> T read(Class<T> type, String json) {
    return SpecReader.read(type, json);
  }

  /** The operator's name in JSON: that of the record without {@code Spec}, in lower case with underscores. */
  static String name(Class<? extends OperatorSpec> type) {
    return type.getSimpleName().replace("Spec", "").replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
  }
}
