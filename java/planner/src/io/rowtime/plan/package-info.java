/**
 * Plans a syntax tree: {@link io.rowtime.plan.QueryPlanner} validates, converts, rewrites, plans physically and checks
 * it; each of these phases has a package.
 *
 * <p>From the bottom: {@code clock} (derives times from a clock), {@code rel} (rowtime's own relational operators),
 * {@code constant}, {@code origin} (where in the text a node comes from), {@code convert} (from syntax to operators),
 * {@code monotone} (how columns follow from clocks), {@code rewrite}, {@code progress} (whether a query makes progress,
 * and the state that it keeps), {@code physical} and {@code json}. No package uses a later one.
 */
package io.rowtime.plan;
