-- The calls of seed 004, "Correlated SEARCH functions": most common, with named arguments, with options, and with a composite key;
-- over a stream and over its history. Values by hand.
-- date 2024-05-01
-- unordered 1 2 3 4 5 6
CREATE STREAM t_other (name VARCHAR(8), k1 INTEGER, k2 VARCHAR(4)) OPTIONS (history 'all');
CREATE TABLE t (k VARCHAR(8), k1 INTEGER, k2 VARCHAR(4), v INTEGER);
INSERT INTO t VALUES ('a', 1, 'x', 10), ('a', 2, 'x', 20), ('b', 1, 'y', 30), (NULL, 1, 'x', 40);

SELECT STREAM * FROM t_other, LATERAL SEARCH_KEY(t, DESCRIPTOR(k), t_other.name);
SELECT STREAM *
FROM
  t_other,
  LATERAL SEARCH_KEY(
    input => t,
    on_key => DESCRIPTOR(k),
    lookup => t_other.name
  );
SELECT STREAM *
FROM
  t_other,
  LATERAL SEARCH_KEY(
    input => t,
    on_key => DESCRIPTOR(k1, k2),
    lookup => (t_other.k1, t_other.k2)
  );
SELECT STREAM *
FROM
  t_other,
  LATERAL SEARCH_KEY(
    input => t,
    on_key => DESCRIPTOR(k),
    lookup => t_other.name,
    options => MAP[
      'async', 'true',
      'retry-predicate', 'lookup_miss',
      'retry-strategy', 'fixed_delay',
      'fixed-delay'='10s'
    ]
  );
--! 29:11 RT0128 'T' is a table of the warehouse, of which a query reads one version: there is nothing to time out, to try again or to cache

INSERT INTO t_other VALUES (TIMESTAMP '2024-05-01 10:00:00', 'a', 1, 'y'), (TIMESTAMP '2024-05-01 10:01:00', 'b', 1, 'x'),
  (TIMESTAMP '2024-05-01 10:02:00', 'c', NULL, 'x'), (TIMESTAMP '2024-05-01 10:03:00', NULL, 2, 'x');
--> 1 | 10:00:00 | a | 1 | y | a | 1 | x | 10
--> 1 | 10:00:00 | a | 1 | y | a | 2 | x | 20
--> 1 | 10:01:00 | b | 1 | x | b | 1 | y | 30
--> 2 | 10:00:00 | a | 1 | y | a | 1 | x | 10
--> 2 | 10:00:00 | a | 1 | y | a | 2 | x | 20
--> 2 | 10:01:00 | b | 1 | x | b | 1 | y | 30
--> 3 | 10:00:00 | a | 1 | y | b | 1 | y | 30
--> 3 | 10:01:00 | b | 1 | x | a | 1 | x | 10
--> 3 | 10:01:00 | b | 1 | x |  | 1 | x | 40
--> 3 | 10:03:00 |  | 2 | x | a | 2 | x | 20
SELECT * FROM t_other, LATERAL SEARCH_KEY(t, DESCRIPTOR(k), t_other.name);
--> 4 | 10:00:00 | a | 1 | y | a | 1 | x | 10
--> 4 | 10:00:00 | a | 1 | y | a | 2 | x | 20
--> 4 | 10:01:00 | b | 1 | x | b | 1 | y | 30
SELECT * FROM t_other, LATERAL SEARCH_KEY(input => t, on_key => DESCRIPTOR(k1, k2), lookup => (t_other.k1, t_other.k2)) WHERE v > 30;
--> 5 | 10:01:00 | b | 1 | x |  | 1 | x | 40
SELECT STREAM * FROM t_other, LATERAL SEARCH_KEY(t, DESCRIPTOR(k), 5);
--! 60:39 RT0127 The column K is VARCHAR(8), but the lookup value is INTEGER
