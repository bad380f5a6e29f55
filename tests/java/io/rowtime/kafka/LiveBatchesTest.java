package io.rowtime.kafka;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class LiveBatchesTest {
  private static final String FOLDER = "/warehouse/pumps/1/0/spark/sources/0";

  @Test public void aBatchEndsBeforeItsTime() {
    LiveBatches batches = LiveBatches.open("file:" + FOLDER);
    assertEquals(FOLDER, batches.folder());
    batches.begin();
    int first = batches.current();
    assertFalse(LiveBatches.isOver(FOLDER, first));
    LiveBatches.next(FOLDER);
    assertTrue(LiveBatches.isOver(FOLDER, first));
    batches.begin();
    assertFalse(LiveBatches.isOver(FOLDER, batches.current()));
    batches.close();
    assertFalse(LiveBatches.isOver(FOLDER, batches.current()));
  }

  @Test public void noBatchBeginsOnceTheQueryIsToEnd() throws InterruptedException {
    LiveBatches batches = LiveBatches.open(FOLDER);
    batches.begin();
    assertFalse("the batch still runs", LiveBatches.finish(FOLDER, 10));
    assertTrue(LiveBatches.isOver(FOLDER, batches.current()));
    Thread query = new Thread(batches::begin);
    query.start();
    assertTrue(LiveBatches.finish(FOLDER, 60_000));
    assertTrue(query.isAlive());
    query.interrupt();
    query.join();
    batches.close();
    assertTrue("it has ended", LiveBatches.finish(FOLDER, 0));
  }
}
