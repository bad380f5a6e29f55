/** Parses text to the syntax tree, and turns syntax errors into messages about what was expected and what to write. */
package io.rowtime.parse;
