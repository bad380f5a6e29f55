/** Avro's binary format: decodes it to the text of fields, and encodes Spark's rows. */
package io.rowtime.avro;
