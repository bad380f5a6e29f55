/** Rules on the syntax tree that Calcite has no part in: what may be read as a stream, and what as a relation. */
package io.rowtime.validate.rules;
