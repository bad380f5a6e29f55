package io.rowtime.avro;

import org.apache.avro.AvroRuntimeException;

/** Thrown for bytes that are not a record of their schema, or exceed the limits of a record; users see the message. */
public final class InvalidAvro extends AvroRuntimeException {
  private static final long serialVersionUID = 1L;

  InvalidAvro(String reason) {
    super(reason);
  }
}
