/** Rules on the syntax tree in addition to Calcite's: what may be read as a stream, and what as a relation. */
package io.rowtime.validate.rules;
