package io.rowtime.statement;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCollectionTypeNameSpec;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlMapTypeNameSpec;
import org.apache.calcite.sql.SqlRowTypeNameSpec;
import org.apache.calcite.sql.SqlTypeNameSpec;
import org.apache.calcite.sql.SqlUserDefinedTypeNameSpec;

/** Finds the names of types that do not exist, in arrays, maps and rows as well. */
final class UnknownTypes {
  private UnknownTypes() {}

  /** Returns the first name that is none of a type of SQL; the name of the whole type if there is none. */
  static SqlIdentifier first(SqlDataTypeSpec type) {
    List<SqlIdentifier> found = new ArrayList<>();
    collect(type.getTypeNameSpec(), found);
    return found.isEmpty() ? type.getTypeName() : found.get(0);
  }

  private static void collect(SqlTypeNameSpec spec, List<SqlIdentifier> found) {
    if (spec instanceof SqlUserDefinedTypeNameSpec named) {
      found.add(named.getTypeName());
    } else if (spec instanceof SqlCollectionTypeNameSpec collection) {
      collect(collection.getElementTypeName(), found);
    } else if (spec instanceof SqlMapTypeNameSpec map) {
      collect(map.getKeyType().getTypeNameSpec(), found);
      collect(map.getValType().getTypeNameSpec(), found);
    } else if (spec instanceof SqlRowTypeNameSpec row) {
      row.getFieldTypes().forEach(field -> collect(field.getTypeNameSpec(), found));
    }
  }
}
