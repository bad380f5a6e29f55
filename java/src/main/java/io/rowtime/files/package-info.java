/** Small files beside the checkpoints of queries. */
package io.rowtime.files;
