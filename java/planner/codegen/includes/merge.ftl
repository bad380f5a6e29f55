<#-- MERGE, and the parts of UPDATE and DELETE with a source that stand for it. -->
SqlMergeInto MergeInto() :
{
    final SqlIdentifier target;
    SqlIdentifier alias = null;
    final SqlNode source;
    final SqlNode condition;
    final List<SqlNode> clauses = new ArrayList<SqlNode>();
    final Span s;
}
{
    <MERGE> { s = span(); }
    <INTO> target = CompoundTableIdentifier()
    [ [ <AS> ] alias = SimpleIdentifier() ]
    <USING> source = TableRef()
    <ON> condition = Expression(ExprContext.ACCEPT_SUB_QUERY)
    ( AddMergeClause(clauses) )+
    {
        return new SqlMergeInto(s.end(this), SqlMergeInto.Form.MERGE, target, alias, source, condition,
            new SqlNodeList(clauses, s.pos()));
    }
}

void AddMergeClause(List<SqlNode> clauses) :
{
    SqlMergeClause.Action action = SqlMergeClause.Action.UPDATE;
    SqlNode condition = null;
    SqlNodeList columns = null;
    final List<SqlNode> values = new ArrayList<SqlNode>();
    SqlNode row;
    SqlParserPos place = null;
    Span s;
}
{
    <WHEN> { s = span(); }
    (
        <MATCHED>
        [ <AND> condition = Expression(ExprContext.ACCEPT_SUB_QUERY) ]
        <THEN>
        (
            <UPDATE> columns = AssignedColumns(values)
        |
            <DELETE> { action = SqlMergeClause.Action.DELETE; }
        )
    |
        <NOT> <MATCHED> { action = SqlMergeClause.Action.INSERT; }
        [ <AND> condition = Expression(ExprContext.ACCEPT_SUB_QUERY) ]
        <THEN> <INSERT> { s = span(); }
        [ columns = ParenthesizedSimpleIdentifierList() ]
        <VALUES> { place = getPos(); } row = RowConstructor() { values.addAll(((SqlCall) row).getOperandList()); }
    )
    {
        clauses.add(new SqlMergeClause(s.end(this), action, condition, columns, new SqlNodeList(values, place == null ? s.pos() : place)));
    }
}

SqlNodeList AssignedColumns(List<SqlNode> values) :
{
    final List<SqlNode> columns = new ArrayList<SqlNode>();
    SqlIdentifier id;
    final Span s;
}
{
    <SET> { s = span(); }
    id = CompoundIdentifier() { columns.add(id); } <EQ> AddAssigned(values)
    ( <COMMA> id = CompoundIdentifier() { columns.add(id); } <EQ> AddAssigned(values) )*
    { return new SqlNodeList(columns, s.end(this)); }
}
