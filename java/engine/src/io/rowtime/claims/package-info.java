/**
 * Checks while a query runs what the planner has concluded of the rows of each node: their order, their bounds, which
 * of them are unique, which columns are never NULL. Tests and {@code --check-claims} use it.
 *
 * <p>A predicate that is true for each row follows a node. It compares the row with what the rows of earlier
 * micro-batches were, which each JVM remembers by query and node, also when the query restarts. Compiled against Spark,
 * which is on the class path at run time, and not bundled with it.
 */
package io.rowtime.claims;
