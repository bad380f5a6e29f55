-- WATERMARK on two columns: a row is released when both delays are over. NULL is not waited for, and moves nothing. Rows of
-- one release come in order of the first of the two columns.
-- steps matter
-- date 2020-01-01
CREATE TABLE t (
  a TIMESTAMP(3) WATERMARK INTERVAL '1' HOUR,
  n INTEGER WATERMARK 10
);
SELECT STREAM * FROM t;

INSERT INTO t VALUES ('2020-01-01 10:00:00', 100);
-- Now the time is over, but the number is not.
INSERT INTO t VALUES ('2020-01-01 11:00:00', 105);
INSERT INTO t VALUES ('2020-01-01 10:30:00', 110);
--> 1 | 10:00:00 | 100
INSERT INTO t VALUES ('2020-01-01 12:00:00', 90);
INSERT INTO t VALUES ('2020-01-01 09:00:00', 120);
--> 1 | 10:30:00 | 110
--> 1 | 11:00:00 | 105
INSERT INTO t VALUES (NULL, 130);
--> 1 | 09:00:00 | 120
INSERT INTO t VALUES ('2020-01-01 13:00:00', NULL);
--> 1 | 12:00:00 | 90
INSERT INTO t VALUES (NULL, NULL);
--> 1 |  |
INSERT INTO t VALUES (NULL, 140);
--> 1 |  | 130
