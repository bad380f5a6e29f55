<#-- CREATE STREAM | FOREIGN STREAM | TABLE | FOREIGN TABLE. -->
SqlCreate CreateRelation(Span s, boolean replace) :
{
    final ObjectKind kind;
    final boolean ifNotExists;
    final SqlIdentifier name;
    SqlNodeList elements = null;
    final SqlNodeList optionList;
    boolean dropRows = false;
    SqlNode query = null;
}
{
    kind = RelationKind()
    ifNotExists = IfNotExistsOpt()
    name = CompoundIdentifier()
    [ elements = RelationElements() ]
    optionList = OptionsOpt()
    [
        <DROP> {
            if (!replace || kind.isForeign()) {
                throw SyntaxErrors.at(getPos(), "Only CREATE OR REPLACE STREAM and TABLE take DROP ROWS");
            }
            dropRows = true;
        }
        <ROWS>
    ]
    [
        <AS> {
            if (kind != ObjectKind.TABLE) {
                throw SyntaxErrors.at(getPos(), "Only CREATE TABLE takes AS and a query");
            }
        }
        query = OrderedQueryOrExpr(ExprContext.ACCEPT_QUERY)
    ]
    {
        return new SqlCreateRelation(s.end(this), kind, replace, ifNotExists, name, elements, optionList, dropRows, query);
    }
}

SqlNodeList RelationElements() :
{
    final List<SqlNode> elements = new ArrayList<SqlNode>();
    final Span s;
}
{
    <LPAREN> { s = span(); }
    AddRelationElement(elements)
    ( <COMMA> AddRelationElement(elements) )*
    <RPAREN> { return new SqlNodeList(elements, s.end(this)); }
}

void AddRelationElement(List<SqlNode> elements) :
{
    final SqlNode element;
}
{
    (
        element = PrimaryKey()
    |
        element = ColumnDeclaration()
    )
    { elements.add(element); }
}

SqlNode PrimaryKey() :
{
    SqlIdentifier name = null;
    final SqlNodeList columns;
    final Span s = Span.of();
}
{
    [ <CONSTRAINT> { s.add(this); } name = SimpleIdentifier() ]
    <PRIMARY> { s.add(this); } <KEY>
    columns = ParenthesizedSimpleIdentifierList()
    { return new SqlPrimaryKeyConstraint(s.end(this), name, columns); }
}

<#-- The type first, then the rest in any order, each at most once. -->
SqlNode ColumnDeclaration() :
{
    final SqlIdentifier name;
    final SqlDataTypeSpec type;
    Boolean nullable = null;
    boolean primaryKey = false;
    SqlColumnDeclaration.Monotonic monotonic = null;
    SqlNode defaultValue = null;
    SqlNode lateness = null;
    SqlNode watermark = null;
    final Span s;
}
{
    name = SimpleIdentifier() { s = span(); }
    type = DataType()
    (
        <NULL> {
            if (nullable != null) { throw SyntaxErrors.twice(getPos(), "NULL"); }
            nullable = true;
        }
    |
        <NOT> <NULL> {
            if (nullable != null) { throw SyntaxErrors.twice(getPos(), "NULL"); }
            nullable = false;
        }
    |
        <PRIMARY> <KEY> {
            if (primaryKey) { throw SyntaxErrors.twice(getPos(), "PRIMARY KEY"); }
            primaryKey = true;
        }
    |
        <MONOTONIC> {
            if (monotonic != null) { throw SyntaxErrors.twice(getPos(), "MONOTONIC"); }
            monotonic = SqlColumnDeclaration.Monotonic.INCREASING;
        }
        [
            <INCREASING>
        |
            <DECREASING> { monotonic = SqlColumnDeclaration.Monotonic.DECREASING; }
        ]
    |
        <DEFAULT_> {
            if (defaultValue != null) { throw SyntaxErrors.twice(getPos(), "DEFAULT"); }
        }
        defaultValue = Expression(ExprContext.ACCEPT_NON_QUERY)
    |
        <LATENESS> {
            if (lateness != null) { throw SyntaxErrors.twice(getPos(), "LATENESS"); }
        }
        lateness = Expression(ExprContext.ACCEPT_NON_QUERY)
    |
        <WATERMARK> {
            if (watermark != null) { throw SyntaxErrors.twice(getPos(), "WATERMARK"); }
        }
        watermark = Expression(ExprContext.ACCEPT_NON_QUERY)
    )*
    {
        return new SqlColumnDeclaration(s.end(this), name, type.withNullable(nullable == null || nullable),
            primaryKey, monotonic, defaultValue, lateness, watermark);
    }
}
