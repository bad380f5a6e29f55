-- A pump into a table: the passive target of seed 002. Each row is there once, also after a restart.
-- restart between any two lines
-- date 2006-09-11
CREATE STREAM a (n INTEGER);
CREATE TABLE t (since TIMESTAMP(3), n INTEGER);
CREATE TABLE sums (h TIMESTAMP(3), n BIGINT);
CREATE PUMP p STARTED AS INSERT INTO t SELECT STREAM rowtime, n FROM a WHERE n > 1;
CREATE PUMP q STARTED AS INSERT INTO sums
  SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, SUM(n) AS n FROM a GROUP BY FLOOR(rowtime TO HOUR);

INSERT INTO a VALUES (TIMESTAMP '2006-09-11 10:00:00', 1), (TIMESTAMP '2006-09-11 10:30:00', 2);
INSERT INTO a VALUES (TIMESTAMP '2006-09-11 11:00:00', 3);
!bound a '2006-09-11 12:00:00'
SELECT * FROM t ORDER BY n;
--> 1 | 10:30:00 | 2
--> 1 | 11:00:00 | 3
SELECT * FROM sums ORDER BY h;
--> 2 | 10:00:00 | 3
--> 2 | 11:00:00 | 3
