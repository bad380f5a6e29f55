<#-- CREATE VIEW, CREATE MATERIALIZED VIEW. -->
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

SqlCreate CreateMaterializedView(Span s, boolean replace) :
{
    final boolean ifNotExists;
    final SqlIdentifier name;
    SqlNodeList columns = null;
    final SqlNodeList optionList;
    final SqlNode query;
}
{
    <MATERIALIZED> <VIEW>
    ifNotExists = IfNotExistsOpt()
    name = CompoundIdentifier()
    [ columns = ParenthesizedSimpleIdentifierList() ]
    optionList = OptionsOpt()
    <AS>
    query = OrderedQueryOrExpr(ExprContext.ACCEPT_QUERY)
    { return new SqlCreateMaterializedView(s.end(this), replace, ifNotExists, name, columns, optionList, query); }
}
