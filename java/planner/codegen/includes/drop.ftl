<#-- DROP of any kind of object. -->
SqlDrop DropObject(Span s, boolean replace) :
{
    final ObjectKind kind;
    final boolean ifExists;
    final SqlIdentifier name;
    boolean cascade = false;
}
{
    kind = ObjectKind()
    ifExists = IfExistsOpt()
    name = CompoundIdentifier()
    [ <CASCADE> { cascade = true; } | <RESTRICT> ]
    { return new SqlDropObject(s.end(this), kind, ifExists, name, cascade); }
}
