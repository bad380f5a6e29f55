<#-- x::INTEGER, PostgreSQL's CAST. Types of one word only: the words that may follow in others are operators too. -->
void InfixCast(List<Object> parts, ExprContext context, Span s) :
{
    final SqlTypeNameSpec type;
    final Span place = Span.of();
}
{
    <INFIX_CAST> {
        checkNonQueryExpression(context);
        parts.add(new SqlParserUtil.ToTreeListItem(SqlLibraryOperators.INFIX_CAST, s.pos()));
        place.add(this);
    }
    type = SqlTypeName(place) { parts.add(new SqlDataTypeSpec(type, place.end(this))); }
}

<#-- a <=> b, the equality of Spark and MySQL in which NULL equals NULL. -->
void NullSafeEqual(List<Object> parts, ExprContext context, Span s) :
{
}
{
    <NULL_SAFE_EQUAL> {
        checkNonQueryExpression(context);
        parts.add(new SqlParserUtil.ToTreeListItem(SqlLibraryOperators.NULL_SAFE_EQUAL, getPos()));
    }
    AddExpression2b(parts, ExprContext.ACCEPT_SUB_QUERY)
}
