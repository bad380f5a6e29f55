package io.rowtime.avro;

import org.apache.avro.AvroRuntimeException;

/** Bytes that are not a record of their schema, or more than a record may hold; the message is what a user reads. */
public final class BrokenAvro extends AvroRuntimeException {
  private static final long serialVersionUID = 1L;

  BrokenAvro(String reason) {
    super(reason);
  }
}
