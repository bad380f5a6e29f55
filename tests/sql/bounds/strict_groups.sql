-- What a strict bound is for. To FLOOR the row of 12:00 is the first of the next hour, so a bound of 12:00 closes the hour; to
-- CEIL it is the last of this one, and rows of 12:00 itself have no end before somebody says so.
-- date 2006-09-11
CREATE STREAM S (v INTEGER);
SELECT STREAM FLOOR(rowtime TO HOUR) AS rowtime, COUNT(*) AS c FROM S GROUP BY FLOOR(rowtime TO HOUR);
SELECT STREAM CEIL(rowtime TO HOUR) AS rowtime, COUNT(*) AS c FROM S GROUP BY CEIL(rowtime TO HOUR);
SELECT STREAM rowtime, COUNT(*) AS c FROM S GROUP BY rowtime;

INSERT INTO S VALUES (TIMESTAMP '2006-09-11 11:30:00', 1), (TIMESTAMP '2006-09-11 12:00:00', 2);
--> 1 | 11:00:00 | 1
--> 3 | 11:30:00 | 1
!bound S '2006-09-11 12:00:00'
INSERT INTO S VALUES (TIMESTAMP '2006-09-11 12:00:00', 3);
!bound S '2006-09-11 12:00:00' strict
--> 2 | 12:00:00 | 3
--> 3 | 12:00:00 | 2
INSERT INTO S VALUES (TIMESTAMP '2006-09-11 12:00:00', 4);
--> rejected S late | 12:00:00 | 4
!bound S '2006-09-11 13:00:00'
--> 1 | 12:00:00 | 2
