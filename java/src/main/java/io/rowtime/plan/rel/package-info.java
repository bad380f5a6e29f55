/** The relational operators that Calcite does not have, and what is asked of any plan. Nodes only: no rewrite, no check. */
package io.rowtime.plan.rel;
