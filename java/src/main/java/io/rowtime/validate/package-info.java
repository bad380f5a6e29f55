/** Calcite's validator for this language: its types, its names, and the catalog as Calcite sees it. */
package io.rowtime.validate;
