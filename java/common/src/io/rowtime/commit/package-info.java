/**
 * What a commit of a log contains besides Delta's actions: its checksum and the state of the log after it; and the file
 * that names the newest commit. It needs neither Calcite nor Spark; both readers of logs use it.
 */
package io.rowtime.commit;
