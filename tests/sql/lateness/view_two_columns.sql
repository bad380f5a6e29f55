-- A view with LATENESS on two columns, a number and a date: a row goes if either is too late, and moves neither clock.
-- steps matter
-- date 2020-01-01
CREATE STREAM t (n INTEGER, d DATE);
CREATE VIEW v AS SELECT STREAM n, d FROM t;
LATENESS v.n 5;
LATENESS v.d INTERVAL '1' DAY;
SELECT STREAM * FROM v;

INSERT INTO t (n, d) VALUES (10, DATE '2020-01-05');
--> 1 | 10 | 2020-01-05
INSERT INTO t (n, d) VALUES (5, DATE '2020-01-04');
--> 1 | 5 | 2020-01-04
INSERT INTO t (n, d) VALUES (100, DATE '2020-01-03'), (4, DATE '2020-02-01');
INSERT INTO t (n, d) VALUES (5, DATE '2020-01-04'), (NULL, DATE '2020-01-05'), (12, NULL);
--> 1 | 5 | 2020-01-04
--> 1 |  | 2020-01-05
--> 1 | 12 |
INSERT INTO t (n, d) VALUES (6, NULL), (7, NULL);
--> 1 | 7 |
