/** Results that change as rows that say what has changed. */
package io.rowtime.operator.changelog;
