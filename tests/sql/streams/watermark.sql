-- WATERMARK on ROWTIME sorts on entry: a row is held until one has come that is ten minutes ahead, or a bound has reached it;
-- and then it has just arrived, in order.
-- steps matter
-- date 2006-09-11
CREATE STREAM s (rowtime TIMESTAMP(3) NOT NULL WATERMARK INTERVAL '10' MINUTE, n INTEGER);
SELECT STREAM * FROM s;

INSERT INTO s VALUES (TIMESTAMP '2006-09-11 10:05:00', 1);
INSERT INTO s VALUES (TIMESTAMP '2006-09-11 10:02:00', 2);
--> bound s none
INSERT INTO s VALUES (TIMESTAMP '2006-09-11 10:13:00', 3);
--> 1 | 10:02:00 | 2
--> bound s 10:02:00
INSERT INTO s VALUES (TIMESTAMP '2006-09-11 10:03:00', 4);
--> 1 | 10:03:00 | 4
INSERT INTO s VALUES (TIMESTAMP '2006-09-11 10:01:00', 5);
--> rejected S late | 10:01:00 | 5
INSERT INTO s VALUES (TIMESTAMP '2006-09-11 10:15:00', 6);
--> 1 | 10:05:00 | 1
--> bound s 10:05:00
!bound s '2006-09-11 10:14:00'
--> 1 | 10:13:00 | 3
