package io.rowtime.operator.calls;

import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Sorted values, with many trees in shared arrays. Each tree is a treap whose nodes know the sizes of their subtrees,
 * so inserting, removing and finding a value by rank take logarithmic time. Node 0 means no node; a tree is identified
 * by the number of its root.
 */
final class OrderedTree {
  private final SplittableRandom random = new SplittableRandom(1);
  private final Values values;
  private int[] left = new int[64];
  private int[] right = new int[64];
  private int[] sizes = new int[64];
  private int[] priorities = new int[64];
  /** The list of free nodes, linked through {@code left}. */
  private int free;
  private int used = 1;
  private int lower;
  private int upper;

  OrderedTree(ValueType type) {
    values = new Values(type, 64);
  }

  int size(int tree) {
    return sizes[tree];
  }

  Values values() {
    return values;
  }

  /** Adds a value; returns the tree's new root. */
  int add(int tree, Values from, int row) {
    int node = node(from, row);
    split(tree, node);
    return merge(merge(lower, node), upper);
  }

  /** Removes one occurrence of a value that the tree contains; returns the new root. */
  int remove(int tree, Values from, int row) {
    int order = from.compare(row, values, tree);
    if (order == 0) {
      int rest = merge(left[tree], right[tree]);
      release(tree);
      return rest;
    }
    if (order < 0) {
      left[tree] = remove(left[tree], from, row);
    } else {
      right[tree] = remove(right[tree], from, row);
    }
    sizes[tree]--;
    return tree;
  }

  /** Returns the node with this many values before it. */
  int at(int tree, int rank) {
    int node = tree;
    int before = rank;
    while (before != sizes[left[node]]) {
      if (before < sizes[left[node]]) {
        node = left[node];
      } else {
        before -= sizes[left[node]] + 1;
        node = right[node];
      }
    }
    return node;
  }

  void clear(int tree) {
    if (tree != 0) {
      clear(left[tree]);
      clear(right[tree]);
      release(tree);
    }
  }

  private int node(Values from, int row) {
    int node = free;
    if (node != 0) {
      free = left[node];
    } else {
      node = used++;
      if (node == left.length) {
        left = Arrays.copyOf(left, node * 2);
        right = Arrays.copyOf(right, node * 2);
        sizes = Arrays.copyOf(sizes, node * 2);
        priorities = Arrays.copyOf(priorities, node * 2);
      }
    }
    left[node] = 0;
    right[node] = 0;
    sizes[node] = 1;
    priorities[node] = random.nextInt();
    values.set(node, from, row);
    return node;
  }

  private void release(int node) {
    values.setNull(node);
    left[node] = free;
    free = node;
  }

  /** Splits a tree into {@code lower}, the values up to the node's value, and {@code upper}. */
  private void split(int tree, int at) {
    if (tree == 0) {
      lower = 0;
      upper = 0;
    } else if (values.compare(tree, values, at) <= 0) {
      split(right[tree], at);
      right[tree] = lower;
      lower = updateSize(tree);
    } else {
      split(left[tree], at);
      left[tree] = upper;
      upper = updateSize(tree);
    }
  }

  private int merge(int first, int second) {
    if (first == 0 || second == 0) {
      return first + second;
    }
    if (priorities[first] > priorities[second]) {
      right[first] = merge(right[first], second);
      return updateSize(first);
    }
    left[second] = merge(first, left[second]);
    return updateSize(second);
  }

  private int updateSize(int tree) {
    sizes[tree] = sizes[left[tree]] + sizes[right[tree]] + 1;
    return tree;
  }
}
