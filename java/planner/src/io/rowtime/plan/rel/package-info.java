/** rowtime's own relational operators, and queries about any plan. Nodes only: rewrites and checks are elsewhere. */
package io.rowtime.plan.rel;
