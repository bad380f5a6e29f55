package io.rowtime.validate;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.parse.ParserConformance;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlOperatorTables;
import org.apache.calcite.sql.validate.SelectNamespace;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorImpl;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/** Calcite's validator, with windows that know of ROWTIME and windows in the FROM clause. */
public final class RowtimeValidator extends SqlValidatorImpl {

  /** A validator that knows of {@code functions} beside those of the language. */
  public RowtimeValidator(SqlOperatorTable functions, CalciteCatalogReader catalogReader, RelDataTypeFactory typeFactory) {
    super(SqlOperatorTables.chain(RowtimeOperators.ALL, functions), catalogReader, typeFactory, SqlValidator.Config.DEFAULT
        .withConformance(ParserConformance.INSTANCE)
        .withIdentifierExpansion(true)
        .withTypeCoercionEnabled(true)
        // Calcite would judge the STREAM keyword by its own, narrower rules: StreamRules does it.
        .withEmbeddedQuery(true));
  }

  @Override protected SelectNamespace createSelectNamespace(SqlSelect select, SqlNode enclosing) {
    return select instanceof RecursionAnchor anchor ? anchor.namespace(this, enclosing) : super.createSelectNamespace(select, enclosing);
  }

  @Override protected boolean shouldAllowOverRelation() {
    return true;
  }

  @Override protected void validateOver(SqlCall call, SqlValidatorScope scope) {
    validateFrom(call.operand(0), unknownType, scope);
  }

  /** A window without ORDER BY over rows that have a ROWTIME is ordered by it (SEMANTICS: windows). */
  @Override public SqlWindow resolveWindow(SqlNode windowOrRef, SqlValidatorScope scope) {
    SqlWindow window = super.resolveWindow(windowOrRef, scope);
    orderByRowtime(window, scope);
    return window;
  }

  @Override public void validateWindow(SqlNode windowOrId, SqlValidatorScope scope, SqlCall call) {
    // Calcite checks a frame before it resolves the window, and knows of ROWTIME only where a scan is what is selected from.
    if (windowOrId instanceof SqlWindow window) {
      orderByRowtime(window, scope);
    }
    super.validateWindow(windowOrId, scope, call);
  }

  @Override protected void validateWhereClause(SqlSelect select) {
    CommonColumns.resolve(select, this::usingNames, from -> getNamespace(from).getRowType().getFieldNames(),
        getCatalogReader().nameMatcher());
    super.validateWhereClause(select);
  }

  @Override protected void validateQualifyClause(SqlSelect select) {
    QualifyColumns.resolve(select, getSelectScope(select), getCatalogReader().nameMatcher());
    super.validateQualifyClause(select);
  }

  @Override protected void validateWindowClause(SqlSelect select) {
    for (SqlNode window : select.getWindowList()) {
      orderByRowtime((SqlWindow) window, getSelectScope(select));
    }
    super.validateWindowClause(select);
  }

  private void orderByRowtime(SqlWindow window, SqlValidatorScope scope) {
    if (window.getRefName() == null && window.getOrderList().isEmpty() && resolvesRowtime(scope)) {
      SqlIdentifier rowtime = new SqlIdentifier(CatalogObject.ROWTIME, window.getParserPosition());
      window.setOperand(3, SqlNodeList.of(scope.fullyQualify(rowtime).identifier));
    }
  }

  private boolean resolvesRowtime(SqlValidatorScope scope) {
    return scope.findQualifyingTableNames(CatalogObject.ROWTIME, new SqlIdentifier(CatalogObject.ROWTIME, SqlParserPos.ZERO),
        getCatalogReader().nameMatcher()).size() == 1;
  }
}
