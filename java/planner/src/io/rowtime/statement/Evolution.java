package io.rowtime.statement;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogSnapshot;
import io.rowtime.catalog.StoredSql;
import io.rowtime.catalog.TypeText;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.plan.QueryPlanner;
import io.rowtime.sql.SqlCreateMaterializedView;
import io.rowtime.validate.Environment;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * What becomes of the views and pumps that use a stream or table whose definition changes while its rows stay. Each is planned
 * again: a view may get wider types, and a pump continues with its new plan. Those that cannot are its misfits.
 */
final class Evolution {
  /** A view or pump that cannot go on, and why; null if it is not valid any more. */
  private record Misfit(CatalogObject user, String reason) {
    String label() {
      return user.kind() + " '" + user.name() + "'";
    }
  }

  private static final String OVERFLOW = "values may not fit where it writes them";

  private final CatalogSnapshot before;
  private final CatalogObject following;
  private final Environment earlier;
  private Environment later;
  private final List<CatalogObject> views = new ArrayList<>();
  private final List<String> pumps = new ArrayList<>();
  private final List<Misfit> misfits = new ArrayList<>();

  /** @param following the stream or table as it will be defined */
  Evolution(CatalogSnapshot before, CatalogObject following) {
    this.before = before;
    this.following = following;
    this.earlier = new Environment(before);
    this.later = with(earlier, following);
    List<CatalogObject> users = before.dependents(following.name());
    // Each after those that it uses.
    for (int i = users.size() - 1; i >= 0; i--) {
      CatalogObject user = users.get(i);
      if (user.isView()) {
        view(user);
      } else if (user.isPump()) {
        pumps.add(user.name());
        pump(user);
      }
    }
  }

  /** Returns whether all views and pumps go on. */
  boolean fits() {
    return misfits.isEmpty();
  }

  /** Returns the error that names the views and pumps that cannot go on, with the reasons of those that would stay valid. */
  DiagnosticException refused(SqlParserPos place) {
    String users = String.join(", ", misfits.stream().map(m -> m.label() + (m.reason == null ? "" : " (" + m.reason + ")")).toList());
    List<String> names = following.columns().stream().map(CatalogColumn::name).toList();
    String dropped = before.find(following.name()).columns().stream().map(CatalogColumn::name).filter(name -> !names.contains(name))
        .findFirst().orElse(null);
    boolean countsColumns = dropped == null && misfits.stream().allMatch(m -> m.reason == null && m.user.isPump() && !m.user.isMaterializedView());
    return new DiagnosticException("RT0303", place, dropped == null
        ? "'" + following.name() + "' is used by " + users + ": its columns cannot be changed"
        : "Column " + dropped + " of '" + following.name() + "' is used by " + users + ": it cannot be dropped", countsColumns
            ? "name the columns that " + misfits.get(0).label() + " reads and fills, in place of *: CREATE OR REPLACE PUMP keeps its position and its state"
            : wayOut());
  }

  /** Returns what has to be done before. */
  private String wayOut() {
    if (misfits.stream().anyMatch(m -> m.reason == null || m.reason.equals(OVERFLOW) || m.user.isMaterializedView())) {
      return misfits.stream().allMatch(m -> OVERFLOW.equals(m.reason)) ? "widen the columns that they write to first" : "drop what depends on it first";
    }
    String name = misfits.get(0).user.name();
    return "ALTER PUMP " + name + " STOP first; afterwards, ALTER PUMP " + name + " START RESET … says where it starts with new state";
  }

  /** Adds the changes of views, and the pumps that have to be planned again. */
  void tell(PlanResult outcome) {
    views.forEach(view -> outcome.change(Definition.create(view, true)));
    if (!pumps.isEmpty()) {
      outcome.change(Definition.replan(pumps));
    }
  }

  private static Environment with(Environment environment, CatalogObject object) {
    ObjectNode change = JsonNodeFactory.instance.objectNode();
    change.putArray("objects").add(Definition.create(object, true).get("object"));
    return new Environment(environment.catalog().with(change));
  }

  private void view(CatalogObject view) {
    List<CatalogColumn> columns = new ArrayList<>();
    try {
      List<RelDataTypeField> fields = new QueryPlanner(later).planView(StoredSql.query(view)).rel().getRowType().getFieldList();
      if (fields.size() != view.columns().size()) {
        misfits.add(new Misfit(view, null));
        return;
      }
      for (int i = 0; i < fields.size(); i++) {
        CatalogColumn column = view.columns().get(i);
        String type = TypeText.of(fields.get(i).getType());
        if (!type.equals(column.type()) && !WiderTypes.isWider(column.type(), type)) {
          misfits.add(new Misfit(view, null));
          return;
        }
        columns.add(new CatalogColumn(column.name(), type, fields.get(i).getType().isNullable(), column.lateness(), column.watermark(),
            column.monotonic(), column.defaultValue()));
      }
    } catch (RuntimeException e) {
      // The validator's own errors are of many classes; what is wrong with the view now says little to who changes the object.
      misfits.add(new Misfit(view, null));
      return;
    }
    if (!columns.equals(view.columns())) {
      CatalogObject wider = new CatalogObject(view.name(), view.kind(), columns, view.primaryKey(), view.options(), view.query(), view.started(),
          view.uses(), view.sql());
      views.add(wider);
      later = with(later, wider);
    }
  }

  private void pump(CatalogObject pump) {
    JsonNode now;
    try {
      now = plan(pump, later);
    } catch (RuntimeException e) {
      misfits.add(new Misfit(pump, null));
      return;
    }
    JsonNode was = plan(pump, earlier);
    if (fallible(now) > fallible(was)) {
      misfits.add(new Misfit(pump, OVERFLOW));
    } else if (pump.started() && !was.findValues("signature").equals(now.findValues("signature"))
        || (pump.started() || pump.isMaterializedView()) && !was.path("target").path("meaning").equals(now.path("target").path("meaning"))) {
      misfits.add(new Misfit(pump, "its saved state would not fit"));
    } else if (pump.started() && !was.findValues("identity").equals(now.findValues("identity"))) {
      misfits.add(new Misfit(pump, "it continues in this source, and would be in another one"));
    }
  }

  private static JsonNode plan(CatalogObject pump, Environment environment) {
    return pump.isMaterializedView()
        ? new MaterializedViews(environment).create((SqlCreateMaterializedView) StoredSql.query(pump)).json()
        : new Pumps(environment).body(StoredSql.query(pump)).json();
  }

  /** Returns how many expressions of a plan can fail for a row. */
  private static int fallible(JsonNode plan) {
    return plan.findValues("fallible").stream().mapToInt(found -> found.path("exprs").size()).sum();
  }
}
