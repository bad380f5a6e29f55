/** Small files next to the checkpoints of queries. */
package io.rowtime.files;
