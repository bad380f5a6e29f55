package io.rowtime.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.zip.CRC32;
import org.roaringbitmap.RoaringBitmap;

/** Reads deletion vectors of Delta: the positions of the rows of a data file that are deleted. */
final class DeletionVector {
  /** The place of a vector without rows. */
  static final String NONE = "-";

  private static final String INLINE = "inline,";
  private static final int MAGIC = 1681511377;

  private DeletionVector() {}

  /**
   * Reads a vector.
   *
   * @param place {@code inline,} and its bytes in Base64, or {@code file,}, the offset in its file, its size in bytes, and
   *        the URI of the file, with commas between them; or {@link #NONE}
   */
  static RoaringBitmap read(String place) {
    if (place.equals(NONE)) {
      return new RoaringBitmap();
    }
    try {
      return parse(place.startsWith(INLINE) ? ByteBuffer.wrap(Base64.getDecoder().decode(place.substring(INLINE.length())))
          : content(place.split(",", 4)));
    } catch (IOException e) {
      throw new UncheckedIOException("A deletion vector cannot be read (" + place + ")", e);
    }
  }

  private static ByteBuffer content(String[] place) throws IOException {
    int size = Integer.parseInt(place[2]);
    // In front of it is its size, behind it a checksum.
    ByteBuffer content = ByteBuffer.allocate(Integer.BYTES + size + Integer.BYTES);
    try (SeekableByteChannel channel = Files.newByteChannel(Path.of(URI.create(place[3])))) {
      channel.position(Long.parseLong(place[1]));
      while (content.hasRemaining() && channel.read(content) >= 0) {
        // Until it is full.
      }
    }
    CRC32 check = new CRC32();
    check.update(content.array(), Integer.BYTES, size);
    if (content.hasRemaining() || content.getInt(0) != size || (int) check.getValue() != content.getInt(Integer.BYTES + size)) {
      throw new IOException("it does not match its checksum");
    }
    return content.slice(Integer.BYTES, size);
  }

  /** Reads the bitmap of the lower halves of positions; files have fewer rows than would need the upper half. */
  private static RoaringBitmap parse(ByteBuffer content) throws IOException {
    content.order(ByteOrder.LITTLE_ENDIAN);
    RoaringBitmap found = new RoaringBitmap();
    if (content.getInt() != MAGIC) {
      throw new IOException("it has another format");
    }
    long count = content.getLong();
    if (count > 0) {
      if (count > 1 || content.getInt() != 0) {
        throw new IOException("it has positions of more than 32 bits");
      }
      found.deserialize(content);
    }
    return found;
  }
}
