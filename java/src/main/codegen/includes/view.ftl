<#-- CREATE VIEW. -->
SqlCreate CreateView(Span s, boolean replace) :
{
    final boolean ifNotExists;
    final SqlIdentifier name;
    SqlNodeList columns = null;
    final SqlNode query;
}
{
    <VIEW>
    ifNotExists = IfNotExistsOpt()
    name = CompoundIdentifier()
    [ columns = ParenthesizedSimpleIdentifierList() ]
    <AS>
    query = OrderedQueryOrExpr(ExprContext.ACCEPT_QUERY)
    { return new SqlCreateView(s.end(this), replace, ifNotExists, name, columns, query); }
}
