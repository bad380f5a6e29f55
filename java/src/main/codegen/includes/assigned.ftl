<#-- What UPDATE and MERGE give a column. -->
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
