/** What users see: errors, warnings and hints, each with a code, a place in the text and a way out. */
package io.rowtime.diagnostic;
