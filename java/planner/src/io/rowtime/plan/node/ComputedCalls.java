package io.rowtime.plan.node;

import io.rowtime.plan.node.Meaning.Role;
import java.util.List;

/** The calls that one of rowtime's operators computes, and how the values of the node follow from their results. */
public record ComputedCalls(@Meaning(role = Role.PART) List<ComputedCall> calls, @Meaning(role = Role.PART) List<Result> results) {
  /**
   * A call of the operator.
   *
   * @param sparkType the type in which Spark has its result, as DDL
   * @param number the constant number of LAG, LEAD, NTH_VALUE and NTILE; null for others, as are the next two
   * @param fraction the fraction of a percentile
   * @param separator the separator of LISTAGG
   * @param filter true for rows that count; null if all do
   * @param combinedBy the function that combines rows before the shuffle; null if they are not combined
   */
  public record ComputedCall(@Meaning String function, @Meaning(role = Role.PART) List<Argument> args, @Meaning String type,
      @NoMeaning("follows from the type") String sparkType, @Meaning Long number, @Meaning Double fraction, @Meaning String separator, @Meaning boolean distinct, @Meaning boolean ignoreNulls,
      @Meaning(role = Role.EXPRESSION) Expression filter, @Meaning String combinedBy) {}

  /** @param type the type that the value is cast to; null for no cast */
  public record Argument(@Meaning(role = Role.EXPRESSION) Expression value, @Meaning String type) {}

  /** How a value of the node is computed: from a call, from a call with 0 for NULL, from a sum and a count, or from the GROUPING SET. */
  public enum Kind { VALUE, VALUE_OR_ZERO, AVERAGE, GROUPING }

  /** @param calls the numbers of the calls that it is computed from */
  public record Result(@Meaning Kind kind, @Meaning(role = Role.VALUES) List<Integer> calls) {}
}
