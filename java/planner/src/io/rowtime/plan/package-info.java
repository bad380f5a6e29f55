/**
 * Plans a syntax tree: {@link io.rowtime.plan.QueryPlanner} validates, converts, rewrites, plans physically and checks
 * it; each of these phases has a package.
 *
 * <p>The logical plan: {@code clock} (derives times from a clock), {@code rel} (rowtime's own relational operators),
 * {@code constant}, {@code origin} (where in the text a node comes from), {@code convert} (from syntax to operators),
 * {@code monotone} (how columns follow from clocks), {@code rewrite}, and {@code progress} (whether a query makes progress,
 * and the state that it keeps). The physical plan: {@code node} (its types), {@code build} (makes the nodes), {@code meaning}
 * (what outlives a plan), {@code execution} (how rowtime's operators compute a node), {@code physical} (what follows from the
 * nodes around a node), and {@code json}. {@code exchange} has the plan in Calcite's forms and Substrait's.
 */
package io.rowtime.plan;
