<#-- A value that UPDATE and MERGE assign to a column. -->
void AddAssigned(List<SqlNode> values) :
{
    final SqlNode value;
}
{
    (
        value = Default()
    |
        value = Expression(ExprContext.ACCEPT_SUB_QUERY)
    )
    { values.add(value); }
}
