package io.rowtime.operator.spec;

import java.util.List;

/** The common parameters of the operators for GROUP BY. */
public sealed interface GroupingSpec extends OperatorSpec permits GroupSpec, HopSpec, RenewedGroupSpec, SessionSpec {
  /** Returns the columns that rows are shuffled by. */
  List<String> partition();

  /** Returns the columns that rows are grouped by. */
  List<String> keys();

  Arrivals arrivals();

  List<Call> calls();

  /** Returns the calls that combine rows before the shuffle; empty if rows are not combined. */
  List<Call> combine();
}
