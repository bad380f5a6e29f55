<#-- COMMIT, ROLLBACK, SAVEPOINT: parsed so that the error message can give the reason. -->
SqlNode TransactionStatement() :
{
    SqlIdentifier savepoint = null;
    final Span s;
}
{
    <COMMIT> { s = span(); } [ <WORK> ]
    { return new SqlTransaction(s.end(this), SqlTransaction.Action.COMMIT, null); }
|
    <ROLLBACK> { s = span(); } [ <WORK> ] [ <TO> [ LOOKAHEAD(2) <SAVEPOINT> ] savepoint = SimpleIdentifier() ]
    { return new SqlTransaction(s.end(this), SqlTransaction.Action.ROLLBACK, savepoint); }
|
    <SAVEPOINT> { s = span(); } savepoint = SimpleIdentifier()
    { return new SqlTransaction(s.end(this), SqlTransaction.Action.SAVEPOINT, savepoint); }
}
