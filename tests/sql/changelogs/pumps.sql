-- Tables that have results which change: pumps insert them by the PRIMARY KEY. After each step, a table is the query over
-- all rows so far.
-- date 2015-02-15
-- restart between any two lines in the long form

CREATE STREAM s (rowtime TIMESTAMP NOT NULL, k VARCHAR(10), g INTEGER, v DOUBLE) OPTIONS (history 'all');

-- NULL is a key like others; the columns have another order, a longer type, and one has a default.
CREATE TABLE totals (note VARCHAR(5) DEFAULT 'new', total DOUBLE, n BIGINT, k VARCHAR(20), PRIMARY KEY (k));
CREATE PUMP p1 STARTED AS INSERT INTO totals (k, n, total) SELECT STREAM k, COUNT(*), SUM(v) FROM s GROUP BY k;
-- A row that does not fulfil HAVING any more is deleted; two columns identify a row.
CREATE TABLE big (k VARCHAR(10), g INTEGER, n BIGINT, PRIMARY KEY (g, k));
CREATE PUMP p2 STARTED AS INSERT INTO big SELECT STREAM k, g, COUNT(*) FROM s GROUP BY k, g HAVING SUM(v) > 2;
-- Groups of the results of groups: their keys come and go.
CREATE TABLE sizes (n BIGINT PRIMARY KEY, keys BIGINT);
CREATE PUMP p3 STARTED AS INSERT INTO sizes
  SELECT STREAM n, COUNT(*) FROM (SELECT k, COUNT(*) AS n FROM s GROUP BY k) GROUP BY n;
-- One row for all; the key is a constant.
CREATE TABLE whole (id INTEGER PRIMARY KEY, n BIGINT, keys BIGINT);
CREATE PUMP p4 STARTED AS INSERT INTO whole SELECT STREAM 1, COUNT(*), COUNT(DISTINCT k) FROM s;
-- Doubles are equal as in GROUP BY: -0.0 is 0.0.
CREATE TABLE doubles (v DOUBLE PRIMARY KEY, n BIGINT);
CREATE PUMP p5 STARTED AS INSERT INTO doubles SELECT STREAM v, COUNT(*) FROM s GROUP BY v;
-- More columns than the unique key in the PRIMARY KEY: a row moves from one key to the next.
CREATE TABLE moves (k VARCHAR(10), n BIGINT, PRIMARY KEY (k, n));
CREATE PUMP p6 STARTED AS INSERT INTO moves SELECT STREAM k, COUNT(*) FROM s GROUP BY k;

INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:00:00', 'a', 1, 1.5), (TIMESTAMP '2015-02-15 10:00:00', 'b', 1, 0.0),
  (TIMESTAMP '2015-02-15 10:00:00', NULL, 2, 4.0);
SELECT * FROM totals ORDER BY k NULLS FIRST;
--> 1 | new | 4.0 | 1 |
--> 1 | new | 1.5 | 1 | a
--> 1 | new | 0.0 | 1 | b
SELECT * FROM big ORDER BY k NULLS FIRST, g;
--> 2 |  | 2 | 1
SELECT * FROM sizes ORDER BY n;
--> 3 | 1 | 3
SELECT * FROM whole;
--> 4 | 1 | 3 | 2

INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:01:00', 'a', 1, 1.5), (TIMESTAMP '2015-02-15 10:01:00', NULL, 2, -3.0),
  (TIMESTAMP '2015-02-15 10:01:00', 'c', 1, -0.0);
SELECT * FROM totals ORDER BY k NULLS FIRST;
--> 5 | new | 1.0 | 2 |
--> 5 | new | 3.0 | 2 | a
--> 5 | new | 0.0 | 1 | b
--> 5 | new | 0.0 | 1 | c
SELECT * FROM big ORDER BY k NULLS FIRST, g;
--> 6 | a | 1 | 2
SELECT * FROM sizes ORDER BY n;
--> 7 | 1 | 2
--> 7 | 2 | 2
SELECT * FROM whole;
--> 8 | 1 | 6 | 3
SELECT n FROM doubles WHERE v = 0;
--> 9 | 2

!restart

INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:02:00', 'b', 1, 5.0), (TIMESTAMP '2015-02-15 10:02:00', 'c', 1, 0.0),
  (TIMESTAMP '2015-02-15 10:02:00', 'a', 1, NULL);
SELECT * FROM totals ORDER BY k NULLS FIRST;
--> 10 | new | 1.0 | 2 |
--> 10 | new | 3.0 | 3 | a
--> 10 | new | 5.0 | 2 | b
--> 10 | new | 0.0 | 2 | c
SELECT * FROM big ORDER BY k NULLS FIRST, g;
--> 11 | a | 1 | 3
--> 11 | b | 1 | 2
SELECT * FROM sizes ORDER BY n;
--> 12 | 2 | 3
--> 12 | 3 | 1
SELECT * FROM whole;
--> 13 | 1 | 9 | 3
SELECT * FROM doubles ORDER BY v NULLS FIRST;
--> 14 |  | 1
--> 14 | -3.0 | 1
--> 14 | 0.0 | 3
--> 14 | 1.5 | 2
--> 14 | 4.0 | 1
--> 14 | 5.0 | 1
SELECT * FROM moves ORDER BY k NULLS FIRST;
--> 15 |  | 2
--> 15 | a | 3
--> 15 | b | 2
--> 15 | c | 2

-- Others change the table too: the pump replaces the row of a key, whoever wrote it.
UPDATE totals SET note = 'mine' WHERE k IN ('a', 'b');
DELETE FROM totals WHERE k = 'c';
INSERT INTO totals VALUES ('own', 7.0, 7, 'x'), ('twice', 8.0, 8, 'a');
INSERT INTO s VALUES (TIMESTAMP '2015-02-15 10:03:00', 'a', 1, 1.0), (TIMESTAMP '2015-02-15 10:03:00', 'c', 1, 1.0);
SELECT * FROM totals ORDER BY k NULLS FIRST;
--> 16 | new | 1.0 | 2 |
--> 16 | new | 4.0 | 4 | a
--> 16 | mine | 5.0 | 2 | b
--> 16 | new | 1.0 | 3 | c
--> 16 | own | 7.0 | 7 | x

SELECT * FROM whole;
--> 17 | 1 | 11 | 3

!restart

SELECT * FROM sizes ORDER BY n;
--> 18 | 2 | 2
--> 18 | 3 | 1
--> 18 | 4 | 1
