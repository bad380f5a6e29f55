/** The functions and table functions that the language has beside those of Calcite. */
package io.rowtime.validate.function;
