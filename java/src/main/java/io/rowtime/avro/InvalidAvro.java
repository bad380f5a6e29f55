package io.rowtime.avro;

import org.apache.avro.AvroRuntimeException;

/** Bytes that are not a record of their schema, or more than a record may hold; the message is what a user reads. */
public final class InvalidAvro extends AvroRuntimeException {
  private static final long serialVersionUID = 1L;

  InvalidAvro(String reason) {
    super(reason);
  }
}
