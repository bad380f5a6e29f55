/**
 * The diagnostics that users see: errors, warnings and hints, each with a code, a position in the text and a way out.
 */
package io.rowtime.diagnostic;
