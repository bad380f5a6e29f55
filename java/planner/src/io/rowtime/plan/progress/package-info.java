/**
 * Checks that a query can make progress, and determines its clock, when its groups are complete, and how much state it
 * keeps.
 */
package io.rowtime.plan.progress;
