<#-- EXPLAIN [PLAN FOR]. -->
SqlNode ExplainStatement() :
{
    final SqlNode statement;
    final Span s;
}
{
    <EXPLAIN> { s = span(); }
    [ LOOKAHEAD(2) <PLAN> <FOR> ]
    statement = SqlQueryOrDml()
    { return new SqlExplainStatement(s.end(this), statement); }
}
