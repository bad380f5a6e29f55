SqlNode TableOverOpt() :
{ }
{
    { return null; }
}

void SqlInsertKeywords(List<SqlLiteral> keywords) :
{ }
{
    [ <EXPEDITED> ]
}
