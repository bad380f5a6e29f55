<#-- SHOW and DESCRIBE. -->
SqlNode ShowStatement() :
{
    final ObjectKind what;
    String like;
    SqlLiteral pattern = null;
    final Span s;
}
{
    <SHOW> { s = span(); }
    (
        <SAVES> { what = null; }
    |
        what = ObjectKinds()
    )
    [ <LIKE> like = SimpleStringLiteral() { pattern = SqlLiteral.createCharString(like, getPos()); } ]
    { return what == null ? new SqlShowSaves(s.end(this), pattern) : new SqlShow(s.end(this), what, pattern); }
}

SqlNode DescribeStatement() :
{
    ObjectKind kind = null;
    final SqlIdentifier name;
    final Span s;
}
{
    <DESCRIBE> { s = span(); }
    [ LOOKAHEAD(ObjectKind() Identifier()) kind = ObjectKind() ]
    name = CompoundIdentifier()
    { return new SqlDescribeObject(s.end(this), kind, name); }
}
