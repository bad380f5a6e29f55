-- Sub-queries over a stream that are values: EXISTS in SELECT and below OR, COUNT, NOT IN. Duplicates on both sides, NULL keys.
-- date 2024-05-01
-- unordered 1
-- unordered 2
-- unordered 3
-- unordered 4
-- unordered 5
CREATE STREAM a (n INTEGER, v INTEGER);
CREATE STREAM b (n INTEGER);

SELECT STREAM x.rowtime, x.n, x.v, EXISTS (SELECT * FROM b AS y WHERE y.n = x.n AND y.rowtime = x.rowtime) AS e FROM a AS x;

SELECT STREAM x.rowtime, x.n, x.v FROM a AS x WHERE x.v > 4
OR EXISTS (SELECT * FROM b AS y WHERE y.n = x.n AND y.rowtime BETWEEN x.rowtime AND x.rowtime + INTERVAL '1' MINUTE);

SELECT STREAM x.rowtime, x.n, x.v, (SELECT COUNT(*) FROM b AS y WHERE y.n = x.n AND y.rowtime = x.rowtime) AS c FROM a AS x;

SELECT STREAM x.rowtime, x.n, x.v FROM a AS x WHERE x.v < (SELECT COUNT(*) FROM b AS y WHERE y.n >= x.n AND y.rowtime = x.rowtime);

SELECT STREAM x.rowtime, x.n, x.v FROM a AS x WHERE x.v > 4 OR x.n NOT IN (SELECT y.n FROM b AS y WHERE y.rowtime = x.rowtime);

!producer A
INSERT INTO a VALUES (TIMESTAMP '2024-05-01 10:00:00', 1, 5), (TIMESTAMP '2024-05-01 10:00:00', 1, 1), (TIMESTAMP '2024-05-01 10:00:00', 1, 1),
  (TIMESTAMP '2024-05-01 10:01:00', 2, 1), (TIMESTAMP '2024-05-01 10:02:00', NULL, 9), (TIMESTAMP '2024-05-01 10:02:00', 4, 1),
  (TIMESTAMP '2024-05-01 10:03:00', 3, 1);
!bound a '2024-05-01 11:00:00'
!producer B
INSERT INTO b VALUES (TIMESTAMP '2024-05-01 10:00:00', 1), (TIMESTAMP '2024-05-01 10:00:00', 1), (TIMESTAMP '2024-05-01 10:01:30', 2),
  (TIMESTAMP '2024-05-01 10:02:00', NULL), (TIMESTAMP '2024-05-01 10:30:00', 99);
--> 1 | 10:00:00 | 1 | 5 | TRUE
--> 1 | 10:00:00 | 1 | 1 | TRUE
--> 1 | 10:00:00 | 1 | 1 | TRUE
--> 1 | 10:01:00 | 2 | 1 | FALSE
--> 1 | 10:02:00 | | 9 | FALSE
--> 1 | 10:02:00 | 4 | 1 | FALSE
--> 1 | 10:03:00 | 3 | 1 | FALSE
--> 2 | 10:00:00 | 1 | 5
--> 2 | 10:00:00 | 1 | 1
--> 2 | 10:00:00 | 1 | 1
--> 2 | 10:01:00 | 2 | 1
--> 2 | 10:02:00 | | 9
--> 3 | 10:00:00 | 1 | 5 | 2
--> 3 | 10:00:00 | 1 | 1 | 2
--> 3 | 10:00:00 | 1 | 1 | 2
--> 3 | 10:01:00 | 2 | 1 | 0
--> 3 | 10:02:00 | | 9 | 0
--> 3 | 10:02:00 | 4 | 1 | 0
--> 3 | 10:03:00 | 3 | 1 | 0
--> 4 | 10:00:00 | 1 | 1
--> 4 | 10:00:00 | 1 | 1
--> 5 | 10:00:00 | 1 | 5
--> 5 | 10:01:00 | 2 | 1
--> 5 | 10:02:00 | | 9
--> 5 | 10:03:00 | 3 | 1
