<#-- LATERAL f(…), without TABLE(…) around the call. -->
SqlNode ExtendedTableRef() :
{
    final SqlIdentifier name;
    SqlNode call;
}
{
    <LATERAL> name = CompoundTableIdentifier()
    call = ImplicitTableFunctionCallArgs(name)
    { return addLateral(call, true); }
}
