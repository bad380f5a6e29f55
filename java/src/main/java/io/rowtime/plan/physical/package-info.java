/**
 * Physical planning: from a checked logical plan to the operators that carry it out. Which operator computes a GROUP BY,
 * in how many steps, and what each node of the plan needs is decided here, and written on the node; Python infers nothing.
 */
package io.rowtime.plan.physical;
