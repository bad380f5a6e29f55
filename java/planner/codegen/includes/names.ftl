<#-- Kinds of objects, and the keywords around their names. -->
ObjectKind RelationKind() :
{
    boolean foreign = false;
}
{
    [ <FOREIGN> { foreign = true; } ]
    (
        <STREAM> { return foreign ? ObjectKind.FOREIGN_STREAM : ObjectKind.STREAM; }
    |
        <TABLE> { return foreign ? ObjectKind.FOREIGN_TABLE : ObjectKind.TABLE; }
    )
}

ObjectKind ObjectKind() :
{
    final ObjectKind kind;
}
{
    kind = RelationKind() { return kind; }
|
    <VIEW> { return ObjectKind.VIEW; }
|
    <MATERIALIZED> <VIEW> { return ObjectKind.MATERIALIZED_VIEW; }
|
    <PUMP> { return ObjectKind.PUMP; }
|
    <FUNCTION> { return ObjectKind.FUNCTION; }
}

ObjectKind ObjectKinds() :
{
    boolean foreign = false;
}
{
    <VIEWS> { return ObjectKind.VIEW; }
|
    <MATERIALIZED> <VIEWS> { return ObjectKind.MATERIALIZED_VIEW; }
|
    <PUMPS> { return ObjectKind.PUMP; }
|
    <FUNCTIONS> { return ObjectKind.FUNCTION; }
|
    [ <FOREIGN> { foreign = true; } ]
    (
        <STREAMS> { return foreign ? ObjectKind.FOREIGN_STREAM : ObjectKind.STREAM; }
    |
        <TABLES> { return foreign ? ObjectKind.FOREIGN_TABLE : ObjectKind.TABLE; }
    )
}

boolean IfNotExistsOpt() :
{
}
{
    LOOKAHEAD(3) <IF> <NOT> <EXISTS> { return true; }
|
    { return false; }
}

boolean IfExistsOpt() :
{
}
{
    LOOKAHEAD(2) <IF> <EXISTS> { return true; }
|
    { return false; }
}
