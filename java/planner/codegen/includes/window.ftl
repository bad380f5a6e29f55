<#-- Windows: OVER after a FROM item, OVER w (…), and clauses in any order. -->
SqlNode TableOverOpt() :
{
    final SqlNode window;
}
{
    <OVER> window = WindowReference() { return window; }
|
    { return null; }
}

<#-- A name, a specification, or a name that a specification refines. -->
SqlNode WindowReference() :
{
    final SqlIdentifier name;
    SqlNode window;
}
{
    name = SimpleIdentifier() { window = name; }
    [ window = WindowBody(name) ]
    { return window; }
|
    window = WindowSpecification() { return window; }
}

SqlWindow WindowSpecification() :
{
    final SqlWindow window;
}
{
    window = WindowBody(null) { return window; }
}

<#-- The window specification in parentheses. base: the window that it refines, if the name is before them. -->
SqlWindow WindowBody(SqlIdentifier base) :
{
    SqlNodeList partitionList = null;
    SqlNodeList orderList = null;
    SqlNodeList orderBy;
    SqlLiteral isRows = null;
    SqlNode lowerBound = null;
    SqlNode upperBound = null;
    SqlLiteral exclude = null;
    SqlLiteral allowPartial = null;
    SqlIdentifier inner = null;
    final Span s;
    Span clause;
}
{
    <LPAREN> { s = base == null ? span() : Span.of(base); }
    [
        inner = SimpleIdentifier() {
            if (base != null) {
                throw SyntaxErrors.at(inner.getParserPosition(),
                    "The window is named already, before the parenthesis: '" + base.getSimple() + "'");
            }
        }
    ]
    (
        <PARTITION> {
            clause = span();
            if (partitionList != null) { throw SyntaxErrors.twice(getPos(), "PARTITION BY"); }
        }
        <BY> partitionList = ExpressionCommaList(clause, ExprContext.ACCEPT_NON_QUERY)
    |
        orderBy = OrderBy(true) {
            if (orderList != null) { throw SyntaxErrors.twice(orderBy.getParserPosition(), "ORDER BY"); }
            orderList = orderBy;
        }
    |
        (
            <ROWS> {
                if (isRows != null) { throw SyntaxErrors.twice(getPos(), "ROWS or RANGE"); }
                isRows = SqlLiteral.createBoolean(true, getPos());
            }
        |
            <RANGE> {
                if (isRows != null) { throw SyntaxErrors.twice(getPos(), "ROWS or RANGE"); }
                isRows = SqlLiteral.createBoolean(false, getPos());
            }
        )
        (
            <BETWEEN> lowerBound = WindowRange() <AND> upperBound = WindowRange()
        |
            lowerBound = WindowRange() {
                // Calcite would keep the upper bound only, and lose it when it unparses the window.
                if (lowerBound.getKind() == SqlKind.FOLLOWING || SqlWindow.isUnboundedFollowing(lowerBound)) {
                    upperBound = lowerBound;
                    lowerBound = SqlWindow.createCurrentRow(lowerBound.getParserPosition());
                }
            }
        )
        exclude = WindowExclusion()
    |
        // ALLOW PARTIAL is the default.
        <ALLOW> <PARTIAL>
    |
        <DISALLOW> { clause = span(); }
        <PARTIAL> { allowPartial = SqlLiteral.createBoolean(false, clause.end(this)); }
    )*
    <RPAREN>
    {
        return SqlWindow.create(null, base == null ? inner : base,
            partitionList == null ? SqlNodeList.EMPTY : partitionList,
            orderList == null ? SqlNodeList.EMPTY : orderList,
            isRows == null ? SqlLiteral.createBoolean(false, SqlParserPos.ZERO) : isRows,
            lowerBound, upperBound, allowPartial,
            exclude == null ? SqlWindow.createExcludeNoOthers(SqlParserPos.ZERO) : exclude, s.end(this));
    }
}
