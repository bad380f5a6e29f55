/** Where in the text each node of a plan comes from, through every rewrite. */
package io.rowtime.plan.origin;
