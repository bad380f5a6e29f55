<#-- ALTER PUMP, and ALTER STREAM | FOREIGN STREAM | TABLE | FOREIGN TABLE. -->
SqlNode AlterStatement() :
{
    final SqlNode statement;
    final Span s;
}
{
    <ALTER> { s = span(); }
    (
        statement = AlterPump(s)
    |
        statement = AddColumn(s)
    )
    { return statement; }
}

SqlNode AddColumn(Span s) :
{
    final ObjectKind kind;
    final SqlIdentifier name;
    final SqlNode column;
}
{
    kind = RelationKind()
    name = CompoundIdentifier()
    <ADD>
    [ LOOKAHEAD(2) <COLUMN> ]
    column = ColumnDeclaration()
    { return new SqlAddColumn(s.end(this), kind, name, (SqlColumnDeclaration) column); }
}
