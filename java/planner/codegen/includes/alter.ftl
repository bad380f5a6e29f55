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
        statement = AlterRelation(s)
    )
    { return statement; }
}

SqlNode AlterRelation(Span s) :
{
    final ObjectKind kind;
    final SqlIdentifier name;
    final SqlNode column;
    final SqlIdentifier columnName;
    final SqlDataTypeSpec type;
    final SqlNodeList optionList;
}
{
    kind = RelationKind()
    name = CompoundIdentifier()
    (
        <ADD>
        [ LOOKAHEAD(2) <COLUMN> ]
        column = ColumnDeclaration()
        { return new SqlAddColumn(s.end(this), kind, name, (SqlColumnDeclaration) column); }
    |
        <DROP>
        [ LOOKAHEAD(2) <COLUMN> ]
        columnName = SimpleIdentifier()
        { return new SqlDropColumn(s.end(this), kind, name, columnName); }
    |
        <ALTER>
        [ LOOKAHEAD(2) <COLUMN> ]
        columnName = SimpleIdentifier()
        ( <TYPE> | <SET> <DATA> <TYPE> )
        type = DataType()
        { return new SqlAlterColumnType(s.end(this), kind, name, columnName, type); }
    |
        <SET>
        optionList = OptionsOpt() {
            if (optionList.isEmpty()) {
                throw SyntaxErrors.at(getPos(), "Expected OPTIONS (name 'value', ...) after SET");
            }
            return new SqlSetOptions(s.end(this), kind, name, optionList);
        }
    )
}
