/** Calcite's validator for this language: its types, its names, and the catalog in Calcite's form. */
package io.rowtime.validate;
