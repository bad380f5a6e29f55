package io.rowtime.log;

import io.rowtime.spark.ScalaSeq;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.datasources.FileIndex;
import org.apache.spark.sql.execution.datasources.FileStatusWithMetadata;
import org.apache.spark.sql.execution.datasources.PartitionDirectory;
import org.apache.spark.sql.types.StructType;
import scala.collection.immutable.Map$;
import scala.collection.immutable.Seq;

/** Lists data files from a log, with their sizes, so that Spark lists no folder and checks no file before reading. */
final class ListedFiles implements FileIndex {
  private final Path folder;
  private final List<DataFile> files;

  ListedFiles(Path folder, List<DataFile> files) {
    this.folder = folder;
    this.files = files;
  }

  @Override public Seq<Path> rootPaths() {
    return ScalaSeq.of(List.of(folder));
  }

  @Override public Seq<PartitionDirectory> listFiles(Seq<Expression> partitions, Seq<Expression> data) {
    List<FileStatusWithMetadata> found = new ArrayList<>(files.size());
    for (DataFile file : files) {
      FileStatus status = new FileStatus(file.size(), false, 1, 0, 0, file.in(folder));
      found.add(new FileStatusWithMetadata(status, Map$.MODULE$.empty()));
    }
    return ScalaSeq.of(List.of(new PartitionDirectory(InternalRow.empty(), ScalaSeq.of(found))));
  }

  @Override public String[] inputFiles() {
    return files.stream().map(file -> file.in(folder).toString()).toArray(String[]::new);
  }

  @Override public void refresh() {}

  @Override public long sizeInBytes() {
    return files.stream().mapToLong(DataFile::size).sum();
  }

  @Override public StructType partitionSchema() {
    return new StructType();
  }
}
