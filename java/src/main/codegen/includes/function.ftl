<#-- CREATE FUNCTION. -->
SqlCreate CreateFunction(Span s, boolean replace) :
{
    final boolean ifNotExists;
    final SqlIdentifier name;
    final List<SqlNode> parameters = new ArrayList<SqlNode>();
    final Span list;
    final SqlDataTypeSpec returns;
    final SqlIdentifier language;
    boolean deterministic = true;
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
    returns = DataType()
    <LANGUAGE>
    language = SimpleIdentifier()
    [ <DETERMINISTIC> | <NOT> <DETERMINISTIC> { deterministic = false; } ]
    <AS>
    body = SimpleStringLiteral() { target = SqlLiteral.createCharString(body, getPos()); }
    {
        return new SqlCreateFunction(s.end(this), replace, ifNotExists, name, new SqlNodeList(parameters, list.pos()),
            returns, language, deterministic, target);
    }
}

void AddParameter(List<SqlNode> parameters) :
{
    final SqlIdentifier name;
    final SqlDataTypeSpec type;
    final Span s;
}
{
    name = SimpleIdentifier() { s = span(); }
    type = DataType()
    {
        parameters.add(new SqlColumnDeclaration(s.end(this), name, type.withNullable(true), false, null, null, null, null));
    }
}
