package io.rowtime.plan.rel;

import java.util.List;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.BiRel;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.validate.SqlValidatorUtil;

/**
 * A join of a stream with row versions that come from another stream, or from a table with ordered columns: each row of
 * the left input is joined with the versions that are the latest at a time derived from its ROWTIME.
 *
 * <p>It is not a {@link org.apache.calcite.rel.core.Join}, so that no rule moves a condition below the choice of the
 * version.
 */
public final class TemporalJoin extends BiRel {

  /**
   * Which version of a row is joined.
   *
   * @param shift the time of the version, in milliseconds after the ROWTIME of the left row
   * @param inclusive whether versions of exactly that time count
   * @param identity the columns of the right input that identify the entity of a version; empty if the join's keys do
   * @param oneTask whether versions of one entity can have different keys, so that one task must process all rows
   * @param within where not null, no version is met but the next row from that time on, if it is at most so many milliseconds
   *     after the ROWTIME of the left row
   * @param fromBeginning whether all versions that the right input still has are read, wherever the query starts
   */
  public record Version(long shift, boolean inclusive, Long within, List<Integer> identity, boolean oneTask,
      boolean fromBeginning) {

    /** How many milliseconds after the ROWTIME of a left row the right input has to be for the row to be certain. */
    public long ahead() {
      return within == null ? shift : within;
    }
  }

  private final JoinRelType type;
  private final JoinKeys keys;
  private final Version version;

  public TemporalJoin(RelNode left, RelNode right, JoinRelType type, JoinKeys keys, Version version) {
    this(left.getCluster().traitSet(), left, right, type, keys, version);
  }

  private TemporalJoin(RelTraitSet traits, RelNode left, RelNode right, JoinRelType type, JoinKeys keys, Version version) {
    super(left.getCluster(), traits, left, right);
    this.type = type;
    this.keys = keys;
    this.version = version;
  }

  @Override public TemporalJoin copy(RelTraitSet traits, List<RelNode> inputs) {
    return new TemporalJoin(traits, inputs.get(0), inputs.get(1), type, keys, version);
  }

  @Override protected RelDataType deriveRowType() {
    return SqlValidatorUtil.deriveJoinRowType(left.getRowType(), right.getRowType(), type, getCluster().getTypeFactory(), null,
        List.of());
  }

  @Override public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("type", type).item("keys", keys).item("version", version);
  }

  public JoinRelType type() {
    return type;
  }

  public JoinKeys keys() {
    return keys;
  }

  public Version version() {
    return version;
  }
}
