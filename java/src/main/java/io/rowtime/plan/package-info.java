/**
 * From a syntax tree to a plan: {@link io.rowtime.plan.QueryPlanner} goes through validation, conversion, rewrites, physical
 * planning and the checks, each of which has a package.
 *
 * <p>From the bottom: {@code clock} (how times follow from a clock), {@code rel} (the relational operators of our own),
 * {@code constant}, {@code origin} (where a node comes from), {@code convert} (from syntax to operators), {@code monotone}
 * (how columns follow from clocks), {@code rewrite}, {@code progress} (whether a query gets on, and what it keeps),
 * {@code physical} and {@code json}. None uses one that comes later.
 */
package io.rowtime.plan;
