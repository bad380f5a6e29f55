package io.rowtime.spark;

import java.util.List;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Lists as Scala has them. */
public final class ScalaSeq {
  private ScalaSeq() {}

  public static <T> Seq<T> of(List<T> list) {
    return CollectionConverters.asScala(list).toSeq();
  }
}
