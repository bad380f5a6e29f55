package io.rowtime.plan.node;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A component of an operator that its saved state depends on: it is a part of what the node means, and of its signature.
 * Each component has this annotation or {@link NoMeaning}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Meaning {
  /** The word for it in messages; a component of a part of an operator has none. */
  String value() default "";

  /** What the component is. Of a list, what its elements are. */
  Role role() default Role.VALUE;

  /** Whether the order of the list's elements means nothing; of lists in a list, the order of theirs. */
  boolean unordered() default false;

  /** Whether a component that is null is left out, as in the signatures from before there was such a component. */
  boolean optional() default false;

  /** What a component is, and so how it becomes a text in which nothing is left of the numbers of columns. */
  enum Role {
    /** A value that is its own meaning, or a list that is one. */
    VALUE,
    /** A list of such values. */
    VALUES,
    /** The number of a column of the first input. */
    COLUMN,
    /** The number of a column of the second input. */
    RIGHT_COLUMN,
    /** The name of a column that the node passes through. */
    COLUMN_NAME,
    /** An expression over the columns of all inputs. */
    EXPRESSION,
    /** An expression over those of the first input. */
    LEFT_EXPRESSION,
    /** An expression over those of the second input. */
    RIGHT_EXPRESSION,
    /** A condition, as its parts in order of their texts. */
    CONDITION,
    /** A part that is a record itself. */
    PART
  }
}
