/** Converts the validated syntax tree to relational algebra, and calls that need an operator to that operator. */
package io.rowtime.plan.convert;
