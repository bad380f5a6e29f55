<#-- EXPLAIN [PLAN FOR] a query, a change of data or a change of the catalog. -->
SqlNode ExplainStatement() :
{
    final SqlNode statement;
    boolean replace = false;
    final Span s;
    final Span created;
}
{
    <EXPLAIN> { s = span(); }
    [ LOOKAHEAD(2) <PLAN> <FOR> ]
    (
        <CREATE> { created = span(); }
        [ <OR> <REPLACE> { replace = true; } ]
        (
            statement = CreatePump(created, replace)
        |
            statement = CreateMaterializedView(created, replace)
        |
            statement = CreateRelation(created, replace)
        |
            statement = CreateView(created, replace)
        )
    |
        statement = AlterStatement()
    |
        <DROP> { created = span(); }
        statement = DropObject(created, false)
    |
        statement = SqlQueryOrDml()
    )
    { return new SqlExplainStatement(s.end(this), statement); }
}
