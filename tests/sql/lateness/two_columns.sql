-- Seed 000: a row is too late if any of its annotated columns is. A row that is rejected moves no clock.
-- steps matter
-- date 2020-01-01
CREATE TABLE t (
  a TIMESTAMP(3) LATENESS INTERVAL '1' HOUR,
  n INTEGER LATENESS 10
);
SELECT STREAM * FROM t;

INSERT INTO t VALUES ('2020-01-01 10:00:00', 100);
--> 1 | 10:00:00 | 100
-- As late as a row may be, in both columns.
INSERT INTO t VALUES ('2020-01-01 09:00:00', 90);
--> 1 | 09:00:00 | 90
-- Too late by its time, though its number is far ahead …
INSERT INTO t VALUES ('2020-01-01 08:59:59.999', 200);
--> rejected T late | 08:59:59.999 | 200
-- … so that the clock of the numbers is 100 still.
INSERT INTO t VALUES ('2020-01-01 10:00:00', 90);
--> 1 | 10:00:00 | 90
-- And the other way round.
INSERT INTO t VALUES ('2020-01-01 12:00:00', 89);
--> rejected T late | 12:00:00 | 89
INSERT INTO t VALUES ('2020-01-01 09:00:00', 100);
--> 1 | 09:00:00 | 100
