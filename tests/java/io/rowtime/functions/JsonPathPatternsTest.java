package io.rowtime.functions;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;

import org.apache.spark.unsafe.types.UTF8String;
import org.junit.Test;

/** Regular expressions in paths, whose steps are counted in advance. */
public final class JsonPathPatternsTest {
  private static final String LONG = "[{\"b\": \"" + "a".repeat(60) + "\"}]";

  @Test public void returnsThePath() {
    for (String path : new String[] {"$.a", "lax $[?(@.b =~ /a*b/)]", "$[?(@.b =~ /(/)]", "$[?(@.b == '=~')]", "$[?(@.b =~ ", "",
        "$[?(@.b =~ /.*a.*a.*/i)]", "$[?(@.b =~ /it's (x/)].c[?(@ =~ /a\\/+/)]", "$[?(@.b =~ /\\Qa(/)]", "$[?(@.b =~ /a # (/x)]"}) {
      assertEquals(path, checked(path, LONG));
      assertEquals(path, checked(path, "no JSON"));
    }
    assertNull(JsonPathPatterns.checked(null, text(LONG), text("JSON_VALUE")));
    assertEquals(text("$[?(@ =~ /x/)]"), JsonPathPatterns.checked(text("$[?(@ =~ /x/)]"), null, text("JSON_VALUE")));
  }

  @Test(timeout = 120_000) public void endsAPathThatTakesTooLong() {
    for (String path : new String[] {"$[?(@.b =~ /(a+)+b\\1/)]", "$[?(@.b=~/(a|a){40}b/ && @.c =~ /x/)]", "$[?(@.c =~ /x/ || @.b =~ /(A+)+B\\1/i)]",
        "$[?(@.b =~ /(a+)+\\1\\Qb/)]", "$[?(@.b =~ /(a+)+b\\1 # x/x)]", "$[?(@.b =~ /(?x)(a+)+b\\1 # x/)]", "$[?(@.b =~ /(a+)+\\/\\1b/)]",
        "$['it\\'s'][?(@.b =~ /(a+)+b\\1/)]"}) {
      assertThrows(path, IllegalStateException.class, () -> checked(path, LONG));
    }
    assertThrows(IllegalStateException.class, () -> checked("$[?(@ =~ /(1+)+2\\1/)]", "[" + "1".repeat(60) + "]"));
    // Nothing is read at the end of a value.
    assertThrows(IllegalStateException.class, () -> checked("$[?(@ =~ /" + "(a?|b?)".repeat(40) + "(?=x)/)]", "[\"\"]"));
  }

  @Test public void refusesWhatItCannotCount() {
    assertEquals("JSON_VALUE cannot be computed: a pattern must be on the right of =~ in a path",
        assertThrows(IllegalStateException.class, () -> checked("$[?(/(a+)+b/i =~ @.b)]", LONG)).getMessage());
    assertEquals("JSON_VALUE cannot be computed: a path with =~ must not call concat()",
        assertThrows(IllegalStateException.class, () -> checked("$[?($.concat(@.b, @.b) =~ /(a+)+b/)]", LONG)).getMessage());
  }

  private static String checked(String path, String document) {
    return JsonPathPatterns.checked(text(path), text(document), text("JSON_VALUE"), 1_000_000).toString();
  }

  private static UTF8String text(String value) {
    return UTF8String.fromString(value);
  }
}
