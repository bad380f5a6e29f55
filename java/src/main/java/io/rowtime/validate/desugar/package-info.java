/**
 * Rewrites of the syntax tree before it is validated: what the language allows and standard SQL does not, as standard SQL.
 * {@link io.rowtime.validate.desugar.Desugaring} is the order in which they are applied.
 */
package io.rowtime.validate.desugar;
