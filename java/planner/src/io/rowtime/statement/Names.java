package io.rowtime.statement;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogSnapshot;
import io.rowtime.catalog.Spelling;
import io.rowtime.diagnostic.DiagnosticException;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;

/** Resolves names in statements against the catalog. */
final class Names {
  private Names() {}

  /** Returns the name of an object to be created. */
  static String fresh(SqlIdentifier id) {
    if (!id.isSimple()) {
      throw new DiagnosticException("RT0301", id.getParserPosition(), "Objects cannot be created in a schema: '" + id + "'",
          "leave out the part before the last dot");
    }
    return id.getSimple();
  }

  /** Returns the object that a statement names. */
  static CatalogObject existing(CatalogSnapshot catalog, SqlIdentifier id, String what) {
    String name = String.join(".", id.names);
    CatalogObject object = catalog.find(name);
    if (object == null) {
      throw new DiagnosticException("RT0111", id.getParserPosition(), what + " '" + name + "' not found",
          suggestion(catalog, name));
    }
    return object;
  }

  /** Returns the most similar existing name, as a hint. */
  static String suggestion(CatalogSnapshot catalog, String name) {
    return Spelling.nearest(name, catalog.objects().stream().map(CatalogObject::name).toList())
        .map(n -> "did you mean '" + n + "'?")
        .orElse("check the name, or create it first; SHOW lists the existing objects");
  }

  static List<String> simple(Iterable<? extends SqlNode> ids) {
    List<String> names = new ArrayList<>();
    ids.forEach(id -> names.add(((SqlIdentifier) id).getSimple()));
    return names;
  }
}
