<#-- CREATE PUMP, and ALTER PUMP from PUMP on. -->
SqlCreate CreatePump(Span s, boolean replace) :
{
    final boolean ifNotExists;
    final SqlIdentifier name;
    boolean started = false;
    final SqlNodeList optionList;
    final SqlNode insert;
}
{
    <PUMP>
    ifNotExists = IfNotExistsOpt()
    name = CompoundIdentifier()
    [ <STOPPED> | <STARTED> { started = true; } ]
    optionList = OptionsOpt()
    <AS>
    insert = SqlInsert()
    { return new SqlCreatePump(s.end(this), replace, ifNotExists, name, started, optionList, (SqlInsert) insert); }
}

SqlNode AlterPump(Span s) :
{
    final SqlIdentifier name;
    final SqlAlterPump.Verb verb;
    boolean reset = false;
}
{
    <PUMP>
    name = CompoundIdentifier()
    (
        ( <START> { verb = SqlAlterPump.Verb.START; } | <RESUME> { verb = SqlAlterPump.Verb.RESUME; } )
        [ <RESET> { reset = true; } ]
    |
        <STOP> { verb = SqlAlterPump.Verb.STOP; }
    |
        <PAUSE> { verb = SqlAlterPump.Verb.PAUSE; }
    )
    { return new SqlAlterPump(s.end(this), name, verb, reset); }
}
