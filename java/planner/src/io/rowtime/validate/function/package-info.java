/** The functions and table functions that the language adds to Calcite's. */
package io.rowtime.validate.function;
