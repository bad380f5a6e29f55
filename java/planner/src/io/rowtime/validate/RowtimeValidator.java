package io.rowtime.validate;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.parse.ParserConformance;
import io.rowtime.validate.function.RowtimeOperators;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUnknownLiteral;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlOperatorTables;
import org.apache.calcite.sql.validate.SelectNamespace;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorImpl;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.util.Static;

/** Extends Calcite's validator: windows default to ROWTIME order, and can occur in the FROM clause. */
public final class RowtimeValidator extends SqlValidatorImpl {
  private final Set<SqlParserPos> orderedByRowtime = new HashSet<>();
  private boolean rewriting;

  private static final Pattern LONG_YEAR = Pattern.compile("\\s*[-+]?\\d{5,}");

  /** Creates a validator with {@code functions} in addition to those of the language. */
  public RowtimeValidator(SqlOperatorTable functions, CalciteCatalogReader catalogReader, RelDataTypeFactory typeFactory) {
    super(SqlOperatorTables.chain(RowtimeOperators.ALL, functions), catalogReader, typeFactory, SqlValidator.Config.DEFAULT
        .withConformance(ParserConformance.INSTANCE)
        .withIdentifierExpansion(true)
        .withTypeCoercionEnabled(true)
        // StreamRules checks the STREAM keyword; Calcite's own rules for it are narrower.
        .withEmbeddedQuery(true));
  }

  /** Returns the positions of the windows without ORDER BY that are ordered by ROWTIME. */
  public Set<SqlParserPos> orderedByRowtime() {
    return Collections.unmodifiableSet(orderedByRowtime);
  }

  /** Of a longer year, Calcite would use the last four digits only. */
  @Override public SqlLiteral resolveLiteral(SqlLiteral literal) {
    if (literal instanceof SqlUnknownLiteral && literal.getValue() instanceof String text && LONG_YEAR.matcher(text).lookingAt()) {
      String type = literal.toString();
      throw SqlUtil.newContextException(literal.getParserPosition(),
          Static.RESOURCE.illegalLiteral(type.substring(0, type.indexOf('\'') - 1), text, "years are 0001 to 9999"));
    }
    return literal instanceof SqlUnknownLiteral unknown ? DateLiterals.resolve(unknown, super::resolveLiteral) : super.resolveLiteral(literal);
  }

  /** A list in parentheses, or after WHEN, is not a value. The type of an IN list comes from its operator. */
  @Override public RelDataType deriveType(SqlValidatorScope scope, SqlNode expression) {
    if (expression instanceof SqlNodeList && getValidatedNodeTypeIfKnown(expression) == null) {
      throw new DiagnosticException("RT0113", expression.getParserPosition(), "A list is not allowed where a single value is expected",
          "compare rows as ROW(a, b), and pass a call one value per argument");
    }
    return super.deriveType(scope, expression);
  }

  @Override protected SqlNode performUnconditionalRewrites(SqlNode node, boolean underFrom) {
    if (rewriting) {
      return super.performUnconditionalRewrites(node, underFrom);
    }
    rewriting = true;
    try {
      SqlNode rewritten = super.performUnconditionalRewrites(node, underFrom);
      TreeSize.check(rewritten);
      return rewritten;
    } finally {
      rewriting = false;
    }
  }

  @Override protected SelectNamespace createSelectNamespace(SqlSelect select, SqlNode enclosing) {
    return select instanceof RecursionAnchor anchor ? anchor.namespace(this, enclosing) : super.createSelectNamespace(select, enclosing);
  }

  @Override protected boolean shouldAllowOverRelation() {
    return true;
  }

  @Override protected void validateOver(SqlCall call, SqlValidatorScope scope) {
    validateFrom(call.operand(0), unknownType, scope);
    if (call.operand(1) instanceof SqlWindow window) {
      // The columns of the item itself, whatever the other items have; a window of the WINDOW clause may name one of these.
      Stream.of(window.getPartitionList(), window.getOrderList()).flatMap(SqlNodeList::stream).forEach(expression ->
          deriveType(expression instanceof SqlIdentifier id && !id.isSimple() ? scope : getOverScope(call), expression));
    }
  }

  /** Orders a window without ORDER BY by ROWTIME, if its rows have one. */
  @Override public SqlWindow resolveWindow(SqlNode windowOrRef, SqlValidatorScope scope) {
    SqlWindow window = super.resolveWindow(windowOrRef, scope);
    orderByRowtime(window, scope);
    return window;
  }

  @Override public void validateWindow(SqlNode windowOrId, SqlValidatorScope scope, SqlCall call) {
    // Calcite checks a frame before it resolves the window, and finds ROWTIME only if the query reads a scan directly.
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
      orderedByRowtime.add(window.getParserPosition());
      window.setOperand(3, SqlNodeList.of(scope.fullyQualify(rowtime).identifier));
    }
  }

  private boolean resolvesRowtime(SqlValidatorScope scope) {
    return scope.findQualifyingTableNames(CatalogObject.ROWTIME, new SqlIdentifier(CatalogObject.ROWTIME, SqlParserPos.ZERO),
        getCatalogReader().nameMatcher()).size() == 1;
  }
}
