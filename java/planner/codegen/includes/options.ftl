<#-- OPTIONS (key 'value', …) and WITH ('key' = 'value', …): two spellings of one list. -->
SqlNodeList OptionsOpt() :
{
    final List<SqlNode> optionList = new ArrayList<SqlNode>();
    final Span s;
}
{
    ( <OPTIONS> | <WITH> ) { s = span(); }
    <LPAREN>
    [
        LOOKAHEAD({ getToken(1).kind != RPAREN })
        AddOption(optionList)
        ( <COMMA> AddOption(optionList) )*
    ]
    <RPAREN> { return new SqlNodeList(optionList, s.end(this)); }
|
    { return SqlNodeList.EMPTY; }
}

void AddOption(List<SqlNode> optionList) :
{
    final SqlLiteral key;
    final SqlLiteral value;
}
{
    key = OptionKey()
    [ <EQ> ]
    value = OptionValue()
    { optionList.add(new SqlOption(Span.of(key, value).pos(), key, value)); }
}

SqlLiteral OptionKey() :
{
    String name;
    final Span s;
}
{
    // Any word may name an option, even a reserved one (user, start, timestamp).
    LOOKAHEAD({ Literals.isWord(getToken(1).image) })
    name = OptionWord() { s = span(); }
    (
        <DOT> name = OptionWordAfter(name)
    )*
    { return SqlLiteral.createCharString(name, s.end(this)); }
|
    name = SimpleStringLiteral() { return SqlLiteral.createCharString(name, getPos()); }
|
    <QUOTED_IDENTIFIER> {
        return SqlLiteral.createCharString(
            SqlParserUtil.stripQuotes(getToken(0).image, DQ, DQ, DQDQ, quotedCasing), getPos());
    }
}

String OptionWord() :
{
}
{
    // The grammar cannot express "any word", so this accepts the next token whatever it is.
    {
        final String word = getNextToken().image;
        if (!Literals.isWord(word)) {
            throw SyntaxErrors.at(getPos(), "Expected the name of an option");
        }
        return Literals.optionName(word);
    }
}

String OptionWordAfter(String prefix) :
{
    final String name;
}
{
    name = OptionWord() { return prefix + "." + name; }
}

SqlLiteral OptionValue() :
{
    final String text;
    final SqlLiteral number;
}
{
    text = SimpleStringLiteral() { return SqlLiteral.createCharString(text, getPos()); }
|
    number = NumericLiteral() { return number; }
|
    <TRUE> { return SqlLiteral.createBoolean(true, getPos()); }
|
    <FALSE> { return SqlLiteral.createBoolean(false, getPos()); }
}
