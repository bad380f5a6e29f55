<#-- CREATE PUMP, and ALTER PUMP from PUMP on. -->
SqlCreate CreatePump(Span s, boolean replace) :
{
    final boolean ifNotExists;
    final SqlIdentifier name;
    boolean started = false;
    SqlPumpReset reset = null;
    final SqlNodeList optionList;
    final SqlNode insert;
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
    insert = SqlInsert()
    { return new SqlCreatePump(s.end(this), replace, ifNotExists, name, started, reset, optionList, (SqlInsert) insert); }
}

SqlNode AlterPump(Span s) :
{
    final SqlIdentifier name;
    final SqlAlterPump.Verb verb;
    SqlPumpReset reset = null;
}
{
    <PUMP>
    name = CompoundIdentifier()
    (
        ( <START> { verb = SqlAlterPump.Verb.START; } | <RESUME> { verb = SqlAlterPump.Verb.RESUME; } )
        [ reset = PumpReset() ]
    |
        <STOP> { verb = SqlAlterPump.Verb.STOP; }
    |
        <PAUSE> { verb = SqlAlterPump.Verb.PAUSE; }
    )
    { return new SqlAlterPump(s.end(this), name, verb, reset); }
}

SqlPumpReset PumpReset() :
{
    SqlPumpReset.From from = SqlPumpReset.From.NOW;
    SqlTimestampLiteral time = null;
    boolean dropState = false;
    boolean allowDuplicates = false;
    final Span s;
}
{
    <RESET> { s = span(); }
    [
        <FROM>
        (
            <EARLIEST> { from = SqlPumpReset.From.EARLIEST; }
        |
            <TIMESTAMP> <QUOTED_STRING> {
                from = SqlPumpReset.From.TIMESTAMP;
                time = SqlParserUtil.parseTimestampLiteral(SqlParserUtil.parseString(token.image), getPos());
            }
        )
    |
        <KEEP> <POSITION> { from = SqlPumpReset.From.POSITION; }
    ]
    [ <DROP> <STATE> { dropState = true; } ]
    [ <ALLOW> <DUPLICATES> { allowDuplicates = true; } ]
    { return new SqlPumpReset(s.end(this), from, time, dropState, allowDuplicates); }
}
