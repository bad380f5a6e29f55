package io.rowtime.plan.node;

import java.util.List;
import java.util.Map;

/**
 * What the saved state of a node means: a node with another signature cannot continue from it. Each part is a short text with
 * a word for it, so that a message can say what differs.
 *
 * @param layout the version of the layout in which rowtime's own operators store state; null for Spark's
 * @param form the version of the normal form: signatures of two versions cannot be compared
 * @param functions the code of the user-defined functions that it depends on
 */
public record StateSignature(String op, Integer layout, int form, Map<String, String> parts, List<String> functions) {}
