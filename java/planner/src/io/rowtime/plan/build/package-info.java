/**
 * Makes the nodes of the physical plan from relational operators: one rule for each, which decides how it is computed or
 * refuses what cannot run yet.
 */
package io.rowtime.plan.build;
