package io.rowtime.plan.meaning;

import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What the rows of a plan node are: rows of {@code base} for which all {@code conditions} are true, with these columns.
 *
 * @param columns what each column is, over the sources and operators below
 * @param rowtime what the column with ROWTIME is; null if there is none
 * @param parts the node's own fields that matter, with the words for them
 * @param sources all sources below
 * @param conditionsBelow all conditions below, also of inputs of joins
 * @param functions the code of all user-defined functions below
 */
record NodeMeaning(String base, SortedSet<String> conditions, List<NormalForm> columns, NormalForm rowtime,
    Map<String, String> parts, SortedSet<String> sources, SortedSet<String> conditionsBelow, SortedSet<String> functions) {
  private static final int LIMIT = 160;

  /** Returns the text of the rows without their columns. */
  String rows() {
    String rows = conditions.isEmpty() ? base : base + " WHERE " + String.join(" AND ", conditions);
    return Digest.shorten(rowtime == null ? rows : rows + " BY " + rowtime.text(), LIMIT);
  }

  /** Returns the text by which inputs are sorted whose order has no meaning. */
  String sortKey() {
    return rows() + " " + String.join(", ", new TreeSet<>(columns.stream().map(NormalForm::typed).toList()));
  }
}
