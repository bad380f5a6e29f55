/** From text to the syntax tree, and from a syntax error to what was expected and what to write. */
package io.rowtime.parse;
