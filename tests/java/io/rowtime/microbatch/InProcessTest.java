package io.rowtime.microbatch;

import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import org.junit.Test;

/** Tasks get the objects of their process themselves, and run the code of Spark's nodes. */
public class InProcessTest {
  @Test public void theObjectItselfIsRead() throws Exception {
    Object object = new Object();
    InProcess<Object> one = new InProcess<>(object);
    InProcess<Object> other = new InProcess<>(new Object());
    assertSame(object, read(written(one)).get());
    assertSame(other, read(written(other)));
  }

  @Test public void anObjectOfAnotherProcessIsAnError() throws Exception {
    InProcess<Object> of = new InProcess<>(new Object());
    byte[] bytes = written(of);
    // The number is at the end.
    ByteBuffer.wrap(bytes).putLong(bytes.length - Long.BYTES, Long.MAX_VALUE);
    assertThrows(InvalidObjectException.class, () -> read(bytes));
    assertSame(of, read(written(of)));
  }

  @Test public void thisSparkHasTheCodeOfItsNodes() {
    assertTrue(StateNode.isComplete());
  }

  private static byte[] written(Object object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    return bytes.toByteArray();
  }

  private static InProcess<?> read(byte[] bytes) throws IOException, ClassNotFoundException {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return (InProcess<?>) in.readObject();
    }
  }
}
