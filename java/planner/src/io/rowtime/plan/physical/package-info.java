/**
 * Physical planning: from a checked logical plan to the operators that execute it. This package decides which operator
 * computes a GROUP BY, in how many steps, and what each node needs, and writes the decisions on the node; Python infers
 * nothing.
 */
package io.rowtime.plan.physical;
