/** From the validated syntax tree to relational algebra, and calls that are operators of their own. */
package io.rowtime.plan.convert;
