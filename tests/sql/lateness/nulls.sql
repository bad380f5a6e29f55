-- NULL in an annotated column is never late and never moves the clock; the other columns of the row still count.
-- steps matter
-- date 2020-01-01
CREATE TABLE t (
  a TIMESTAMP(3) LATENESS INTERVAL '1' HOUR,
  n INTEGER LATENESS 10,
  v VARCHAR(10)
);
SELECT STREAM * FROM t;

INSERT INTO t VALUES (NULL, NULL, 'first');
--> 1 |  |  | first
-- There is no clock yet, so nothing can be late.
INSERT INTO t VALUES ('2020-01-01 10:00:00', NULL, 'a');
--> 1 | 10:00:00 |  | a
INSERT INTO t VALUES (NULL, 100, 'n');
--> 1 |  | 100 | n
INSERT INTO t VALUES (NULL, NULL, 'none'), ('2020-01-01 09:00:00', NULL, 'b'), (NULL, 90, 'm');
--> 1 |  |  | none
--> 1 | 09:00:00 |  | b
--> 1 |  | 90 | m
INSERT INTO t VALUES ('2020-01-01 08:00:00', NULL, 'c'), (NULL, 89, 'l'), (NULL, NULL, 'last');
--> 1 |  |  | last
--> rejected T late | 08:00:00 |  | c
--> rejected T late |  | 89 | l
