package io.rowtime.kafka;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class RealTimeBatchesTest {
  private static final String FOLDER = "/warehouse/pumps/1/0/spark/sources/0";

  @Test public void aBatchEndsBeforeItsTime() {
    RealTimeBatches batches = RealTimeBatches.open("file:" + FOLDER);
    assertEquals(FOLDER, batches.folder());
    batches.begin();
    int first = batches.current();
    assertFalse(RealTimeBatches.isOver(FOLDER, first));
    RealTimeBatches.next(FOLDER);
    assertTrue(RealTimeBatches.isOver(FOLDER, first));
    batches.begin();
    assertFalse(RealTimeBatches.isOver(FOLDER, batches.current()));
    batches.close();
    assertFalse(RealTimeBatches.isOver(FOLDER, batches.current()));
  }

  @Test public void noBatchBeginsOnceTheQueryIsToEnd() throws InterruptedException {
    RealTimeBatches batches = RealTimeBatches.open(FOLDER);
    batches.begin();
    assertFalse("the batch still runs", RealTimeBatches.finish(FOLDER, 10));
    assertTrue(RealTimeBatches.isOver(FOLDER, batches.current()));
    Thread query = new Thread(batches::begin);
    query.start();
    assertTrue(RealTimeBatches.finish(FOLDER, 60_000));
    assertTrue(query.isAlive());
    query.interrupt();
    query.join();
    batches.close();
    assertTrue("it has ended", RealTimeBatches.finish(FOLDER, 0));
  }
}
