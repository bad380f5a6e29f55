/**
 * The physical plan: a tree of nodes, each with the record of its operator ({@link io.rowtime.plan.node.Operator}) and what
 * has been decided about it ({@link io.rowtime.plan.node.NodeProperties}). Nothing in it changes once it is made, and
 * nobody derives a decision from it a second time.
 */
package io.rowtime.plan.node;
