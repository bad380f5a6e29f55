/**
 * How rowtime's operators compute the nodes of a physical plan: the columns that they get, the records of their parameters, and
 * the columns that follow from their results.
 */
package io.rowtime.plan.execution;
