<#-- LATENESS view.column expression. -->
SqlNode LatenessStatement() :
{
    final SqlIdentifier path;
    final SqlNode value;
    final Span s;
}
{
    <LATENESS> { s = span(); }
    path = CompoundIdentifier() {
        if (path.names.size() < 2 || path.isStar()) {
            throw SyntaxErrors.at(path.getParserPosition(), "LATENESS takes a view and its column: view.column");
        }
    }
    value = Expression(ExprContext.ACCEPT_NON_QUERY)
    {
        return new SqlLateness(s.end(this), path.skipLast(1), path.getComponent(path.names.size() - 1), value);
    }
}
