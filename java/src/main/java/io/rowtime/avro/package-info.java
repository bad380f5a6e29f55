/** Avro's binary form: from it to the text of fields, and to it from rows of Spark. */
package io.rowtime.avro;
