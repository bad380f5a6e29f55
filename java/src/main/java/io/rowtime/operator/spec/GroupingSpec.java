package io.rowtime.operator.spec;

import java.util.List;

/** What the operators of a GROUP BY have in common. */
public sealed interface GroupingSpec extends OperatorSpec permits GroupSpec, HopSpec, SessionSpec {
  /** The columns that rows are shuffled by. */
  List<String> partition();

  /** The columns that rows are grouped by. */
  List<String> keys();

  boolean early();

  List<Call> calls();

  /** The calls by which rows are combined before they are shuffled; empty if they are not. */
  List<Call> combine();
}
