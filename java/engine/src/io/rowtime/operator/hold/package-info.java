/** The Hold operator: rows wait until the query's watermark reaches them, for UNION ALL and ORDER BY of streams. */
package io.rowtime.operator.hold;
