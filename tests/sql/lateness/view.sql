-- Seed 000: LATENESS of a view's column, declared before the view and after it. Rows that are too late for the view stay in
-- the stream below it; they are missing in the view alone. Its clock belongs to the query that reads it.
-- steps matter
-- date 2020-01-01
CREATE STREAM t (col1 TIMESTAMP, col2 VARCHAR(10));

LATENESS v.col1 INTERVAL '1' HOUR;
CREATE VIEW v AS SELECT STREAM t.col1, t.col2 FROM t;

CREATE VIEW w AS SELECT STREAM t.col2, t.col1 FROM t;
LATENESS w.col1 INTERVAL 1 HOUR;

SELECT STREAM * FROM v;
SELECT STREAM * FROM w;

INSERT INTO t (col1, col2) VALUES ('2020-01-01 00:00:00', 'home');
--> 1 | 00:00:00 | home
--> 2 | home | 00:00:00
INSERT INTO t (col1, col2) VALUES ('2020-01-01 01:00:00', 'office');
--> 1 | 01:00:00 | office
--> 2 | office | 01:00:00
INSERT INTO t (col1, col2) VALUES ('2020-01-01 00:10:00', 'shop');
--> 1 | 00:10:00 | shop
--> 2 | shop | 00:10:00
INSERT INTO t (col1, col2) VALUES ('2020-01-01 02:00:00', 'home');
--> 1 | 02:00:00 | home
--> 2 | home | 02:00:00
INSERT INTO t (col1, col2) VALUES ('2020-01-01 00:20:00', 'friend');
-- NULL is never late; the clock is 2:00 still.
INSERT INTO t (col1, col2) VALUES (NULL, 'nowhere'), ('2020-01-01 01:00:00', 'park'), ('2020-01-01 00:59:59', 'pool');
--> 1 |  | nowhere
--> 1 | 01:00:00 | park
--> 2 | nowhere |
--> 2 | park | 01:00:00

-- A query that opens now has a clock of its own: to it this row is the first.
SELECT STREAM col2 FROM v;
INSERT INTO t (col1, col2) VALUES ('2020-01-01 00:20:00', 'friend');
--> 3 | friend
