-- Streams of changes as results that change.
-- date 2015-02-15
-- steps matter
-- unordered 1 2 3

CREATE STREAM c (rowtime TIMESTAMP NOT NULL, op TINYINT, payload ROW(k VARCHAR(10), v INTEGER)) OPTIONS (history 'all');

-- Changes with the whole row: those of a key net out within a step, equal rows count, other numbers are no changes, and a row that is
-- deleted before it is inserted (c) is not there after both.
CREATE VIEW applied AS SELECT * FROM FROM_CHANGELOG(c);
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT * FROM applied));
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT COUNT(*) AS n, SUM(v) AS s FROM applied WHERE k IS NOT NULL));

-- The latest change of each key: rows that are replaced need not be there.
CREATE TABLE latest (k VARCHAR(10) PRIMARY KEY, v INTEGER);
CREATE PUMP p STARTED AS INSERT INTO latest SELECT STREAM k, v FROM FROM_CHANGELOG(c, on_key => DESCRIPTOR(k));
CREATE MATERIALIZED VIEW names AS SELECT k, v FROM FROM_CHANGELOG((SELECT op, payload FROM c WHERE op <> 1), on_key => DESCRIPTOR(k)) WHERE v > 1;

-- Joined with another stream, whose rows then change as well.
CREATE STREAM r (rowtime TIMESTAMP NOT NULL, k VARCHAR(10));
SELECT STREAM 0, op, payload.* FROM TO_CHANGELOG((SELECT r.k, u.v FROM r LEFT JOIN FROM_CHANGELOG(c, on_key => DESCRIPTOR(k)) AS u ON r.k = u.k));

INSERT INTO r VALUES (TIMESTAMP '2015-02-15 09:59:00', 'a');
--> 3 | 0 | 0 | a |
INSERT INTO c VALUES (TIMESTAMP '2015-02-15 10:00:00', 0, ROW('a', 1)), (TIMESTAMP '2015-02-15 10:00:00', 0, ROW('b', 2)),
  (TIMESTAMP '2015-02-15 10:00:00', 0, ROW('b', 2)), (TIMESTAMP '2015-02-15 10:00:00', 3, ROW('c', 3)), (TIMESTAMP '2015-02-15 10:00:00', 7, ROW('d', 4)),
  (TIMESTAMP '2015-02-15 10:00:00', NULL, ROW('e', 5)), (TIMESTAMP '2015-02-15 10:00:00', 0, ROW('f', 6)), (TIMESTAMP '2015-02-15 10:00:00', 3, ROW('f', 6));
--> 1 | 0 | 0 | a | 1
--> 1 | 0 | 0 | b | 2
--> 1 | 0 | 0 | b | 2
--> 2 | 0 | 0 | 3 | 5
--> 3 | 0 | 3 | a |
--> 3 | 0 | 0 | a | 1
SELECT * FROM latest ORDER BY k;
--> 4 | a | 1
--> 4 | b | 2
SELECT * FROM names ORDER BY k;
--> 5 | b | 2

INSERT INTO c VALUES (TIMESTAMP '2015-02-15 10:01:00', 1, ROW('a', 1)), (TIMESTAMP '2015-02-15 10:01:00', 2, ROW('a', 9)),
  (TIMESTAMP '2015-02-15 10:01:00', 3, ROW('b', 2)), (TIMESTAMP '2015-02-15 10:01:00', 0, ROW('c', 3));
--> 1 | 0 | 3 | a | 1
--> 1 | 0 | 0 | a | 9
--> 1 | 0 | 3 | b | 2
--> 2 | 0 | 1 | 3 | 5
--> 2 | 0 | 2 | 2 | 11
--> 3 | 0 | 3 | a | 1
--> 3 | 0 | 0 | a | 9
SELECT * FROM latest ORDER BY k;
--> 6 | a | 9
--> 6 | c | 3
SELECT * FROM names ORDER BY k;
--> 7 | a | 9
--> 7 | c | 3
-- As a relation, the same rows.
SELECT k, v FROM applied ORDER BY k;
--> 8 | a | 9
--> 8 | b | 2
