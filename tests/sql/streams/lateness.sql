-- LATENESS on ROWTIME: rows may be out of order by ten minutes, and come in order of arrival. The bound that a row implies is
-- ten minutes behind it, from the next step on; a group by the hour is complete when that has reached its end.
-- steps matter
-- date 2006-09-11
CREATE STREAM s (rowtime TIMESTAMP(3) NOT NULL LATENESS INTERVAL '10' MINUTE, n INTEGER);
SELECT STREAM * FROM s;
SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, COUNT(*) AS c FROM s GROUP BY FLOOR(rowtime TO HOUR);
SELECT STREAM * FROM s ORDER BY rowtime;

INSERT INTO s VALUES
  (TIMESTAMP '2006-09-11 10:58:00', 1),
  (TIMESTAMP '2006-09-11 11:03:00', 2),
  (TIMESTAMP '2006-09-11 10:40:00', 3);
--> 1 | 10:58:00 | 1
--> 1 | 11:03:00 | 2
--> 1 | 10:40:00 | 3
--> 3 | 10:40:00 | 3
--> bound s 10:53:00
INSERT INTO s VALUES
  (TIMESTAMP '2006-09-11 10:53:00', 4),
  (TIMESTAMP '2006-09-11 10:52:59.999', 5);
--> 1 | 10:53:00 | 4
--> rejected S late | 10:52:59.999 | 5
--> 3 | 10:53:00 | 4
INSERT INTO s VALUES (TIMESTAMP '2006-09-11 11:10:00', 6);
--> 1 | 11:10:00 | 6
--> 2 | 10:00:00 | 3
--> 3 | 10:58:00 | 1
--> bound s 11:00:00
-- A bound says more than a row does: nothing before it will come, whatever the lateness.
!bound s '2006-09-11 11:10:00'
--> 3 | 11:03:00 | 2
--> 3 | 11:10:00 | 6
--> bound s 11:10:00
INSERT INTO s VALUES (TIMESTAMP '2006-09-11 11:09:00', 7);
--> rejected S late | 11:09:00 | 7
