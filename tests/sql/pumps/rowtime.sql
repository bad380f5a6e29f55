-- Seed 002, "The ROWTIME column and alias": given, left out, replaced, renamed, and declared in another place.
-- steps matter
-- date 2006-09-11
CREATE STREAM s (n INTEGER);
SELECT STREAM *, rowtime > TIMESTAMP '2020-01-01 00:00:00' AS recent FROM s WHERE n = 1 OR n = 4;
SELECT STREAM n, rowtime > TIMESTAMP '2020-01-01 00:00:00' AS recent FROM s;
SELECT STREAM rowtime + INTERVAL '1' HOUR AS rowtime, n FROM s WHERE n <> 2;

INSERT INTO s VALUES (TIMESTAMP '2006-09-11 10:00:00', 1);
--> 1 | 10:00:00 | 1 | FALSE
--> 2 | 1 | FALSE
--> 3 | 11:00:00 | 1
-- Left out, it is the system clock …
INSERT INTO s (n) VALUES (2);
--> 2 | 2 | TRUE
-- … or the bound, where that is later.
!bound s '2106-09-11 12:00:00'
INSERT INTO s (n) VALUES (4);
--> 1 | 2106-09-11 12:00:00 | 4 | TRUE
--> 2 | 4 | TRUE
--> 3 | 2106-09-11 13:00:00 | 4

-- A stream may declare it where it likes, and SELECT * gives it there.
CREATE STREAM late_column (n INTEGER, rowtime TIMESTAMP(3));
SELECT STREAM * FROM late_column;
INSERT INTO late_column VALUES (1, TIMESTAMP '2006-09-11 10:00:00');
--> 4 | 1 | 10:00:00

-- Under another name it is as good a clock, and the stream's rowtime is still there to ask for.
CREATE VIEW renamed AS SELECT STREAM rowtime AS t, n FROM late_column;
SELECT STREAM FLOOR(t TO HOUR) AS h, COUNT(*) AS c FROM renamed GROUP BY FLOOR(t TO HOUR);
SELECT STREAM rowtime, n FROM (SELECT STREAM n FROM late_column);
INSERT INTO late_column VALUES (2, TIMESTAMP '2006-09-11 10:30:00'), (3, TIMESTAMP '2006-09-11 11:00:00');
--> 4 | 2 | 10:30:00
--> 4 | 3 | 11:00:00
--> 5 | 10:00:00 | 1
--> 6 | 10:30:00 | 2
--> 6 | 11:00:00 | 3
