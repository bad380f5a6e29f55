<#-- CREATE FUNCTION. -->
SqlCreate CreateFunction(Span s, boolean replace) :
{
    final boolean ifNotExists;
    final SqlIdentifier name;
    final List<SqlNode> parameters = new ArrayList<SqlNode>();
    final Span list;
    SqlDataTypeSpec returns = null;
    SqlNodeList columns = null;
    final SqlIdentifier language;
    boolean deterministic = true;
    final SqlNodeList optionList;
    final String body;
    final SqlLiteral target;
}
{
    <FUNCTION>
    ifNotExists = IfNotExistsOpt()
    name = CompoundIdentifier()
    <LPAREN> { list = span(); }
    [
        AddParameter(parameters)
        ( <COMMA> AddParameter(parameters) )*
    ]
    <RPAREN> { list.add(this); }
    <RETURNS>
    (
        <TABLE> columns = ResultColumns()
    |
        returns = DataType()
    )
    <LANGUAGE>
    language = SimpleIdentifier()
    [ <DETERMINISTIC> | <NOT> <DETERMINISTIC> { deterministic = false; } ]
    optionList = OptionsOpt()
    <AS>
    body = SimpleStringLiteral() { target = SqlLiteral.createCharString(body, getPos()); }
    {
        return new SqlCreateFunction(s.end(this), replace, ifNotExists, name, new SqlNodeList(parameters, list.pos()),
            returns, columns, language, deterministic, optionList, target);
    }
}

SqlNodeList ResultColumns() :
{
    final List<SqlNode> columns = new ArrayList<SqlNode>();
    final Span s;
}
{
    <LPAREN> { s = span(); }
    AddResultColumn(columns)
    ( <COMMA> AddResultColumn(columns) )*
    <RPAREN> { return new SqlNodeList(columns, s.end(this)); }
}

void AddResultColumn(List<SqlNode> columns) :
{
    final SqlIdentifier name;
    final SqlDataTypeSpec type;
    final Span s;
}
{
    name = SimpleIdentifier() { s = span(); }
    type = DataType()
    {
        columns.add(new SqlColumnDeclaration(s.end(this), name, type.withNullable(true), false, null, null, null, null));
    }
}

void AddParameter(List<SqlNode> parameters) :
{
    final SqlIdentifier name;
    final SqlDataTypeSpec type;
    SqlNode defaultValue = null;
    final Span s;
}
{
    name = SimpleIdentifier() { s = span(); }
    (
        <TABLE> {
            parameters.add(new SqlColumnDeclaration(s.end(this), name, SqlTableTypeNameSpec.spec(getPos()), false, null, null, null, null));
        }
    |
        type = ParameterType()
        [ <DEFAULT_> defaultValue = Expression(ExprContext.ACCEPT_NON_QUERY) ]
        {
            parameters.add(new SqlColumnDeclaration(s.end(this), name, type.withNullable(true), false, null, defaultValue, null, null));
        }
    )
}

SqlDataTypeSpec ParameterType() :
{
    final SqlIntervalQualifier qualifier;
    final SqlDataTypeSpec type;
    final Span s;
}
{
    <INTERVAL> { s = span(); }
    qualifier = IntervalQualifier() { return SqlIntervalTypeNameSpec.spec(qualifier, s.end(this)); }
|
    type = DataType() { return type; }
}
