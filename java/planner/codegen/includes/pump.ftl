<#-- CREATE PUMP, and ALTER PUMP from PUMP on. -->
SqlCreate CreatePump(Span s, boolean replace) :
{
    final boolean ifNotExists;
    final SqlIdentifier name;
    boolean started = false;
    SqlPumpReset reset = null;
    final SqlNodeList optionList;
    final SqlNode body;
}
{
    <PUMP>
    ifNotExists = IfNotExistsOpt()
    name = CompoundIdentifier()
    [
        ( <STOPPED> | ( <STARTED> | <START> ) { started = true; } )
        [ reset = PumpReset() ]
    ]
    optionList = OptionsOpt()
    <AS>
    (
        body = SqlInsert()
    |
        body = MergeInto()
    |
        body = SqlUpdate()
    |
        body = SqlDelete()
    )
    { return new SqlCreatePump(s.end(this), replace, ifNotExists, name, started, reset, optionList, (SqlCall) body); }
}

SqlNode AlterPump(Span s) :
{
    final SqlIdentifier name;
    final SqlAlterPump.Verb verb;
    SqlPumpReset reset = null;
    SqlLiteral save = null;
    boolean skip = false;
    SqlIdentifier successor = null;
}
{
    <PUMP>
    name = CompoundIdentifier()
    (
        ( <START> { verb = SqlAlterPump.Verb.START; } | <RESUME> { verb = SqlAlterPump.Verb.RESUME; } )
        [ reset = PumpReset() | <SKIP_> { skip = true; } ]
    |
        <STOP> { verb = SqlAlterPump.Verb.STOP; }
    |
        <PAUSE> { verb = SqlAlterPump.Verb.PAUSE; }
    |
        <SAVE> save = TextLiteral() { verb = SqlAlterPump.Verb.SAVE; }
    |
        <DROP> <SAVE> save = TextLiteral() { verb = SqlAlterPump.Verb.DROP_SAVE; }
    |
        <REPLACE> <WITH> successor = CompoundIdentifier() { verb = SqlAlterPump.Verb.REPLACE; }
    )
    { return new SqlAlterPump(s.end(this), name, verb, reset, save, skip, successor); }
}

SqlLiteral TextLiteral() :
{
    final String text;
}
{
    text = SimpleStringLiteral() { return SqlLiteral.createCharString(text, getPos()); }
}

SqlPumpReset PumpReset() :
{
    SqlPumpReset.From from = SqlPumpReset.From.NOW;
    SqlNode place = null;
    boolean dropState = false;
    boolean allowDuplicates = false;
    final Span s;
}
{
    (
        <RESET> { s = span(); }
        [
            <FROM>
            (
                <EARLIEST> { from = SqlPumpReset.From.EARLIEST; }
            |
                <TIMESTAMP> <QUOTED_STRING> {
                    from = SqlPumpReset.From.TIMESTAMP;
                    place = SqlParserUtil.parseTimestampLiteral(SqlParserUtil.parseString(token.image), getPos());
                }
            )
        |
            <KEEP> <POSITION> { from = SqlPumpReset.From.POSITION; }
        ]
    |
        <FROM> { s = span(); }
        (
            <SAVE> place = TextLiteral() { from = SqlPumpReset.From.SAVE; }
        |
            <OFFSETS> place = PumpOffsets() { from = SqlPumpReset.From.OFFSETS; }
        )
    )
    [ <DROP> <STATE> { dropState = true; } ]
    [ <ALLOW> <DUPLICATES> { allowDuplicates = true; } ]
    { return new SqlPumpReset(s.end(this), from, place, dropState, allowDuplicates); }
}

SqlNodeList PumpOffsets() :
{
    final List<SqlNode> offsets = new ArrayList<SqlNode>();
    final Span s;
}
{
    <LPAREN> { s = span(); }
    AddPumpOffset(offsets)
    ( <COMMA> AddPumpOffset(offsets) )*
    <RPAREN> { return new SqlNodeList(offsets, s.end(this)); }
}

void AddPumpOffset(List<SqlNode> offsets) :
{
    final SqlIdentifier source;
    final SqlLiteral offset;
    final Span s;
}
{
    source = CompoundIdentifier() { s = span(); }
    <NAMED_ARGUMENT_ASSIGNMENT>
    (
        offset = UnsignedNumericLiteral()
    |
        offset = TextLiteral()
    )
    { offsets.add(SqlStdOperatorTable.ARGUMENT_ASSIGNMENT.createCall(s.end(this), offset, source)); }
}
