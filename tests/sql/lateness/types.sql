-- LATENESS on a whole number, a DECIMAL, a DOUBLE, a DATE and a TIMESTAMP: as late as it may be, and a little later.
-- steps matter
-- date 2020-01-10
CREATE TABLE t (
  i INTEGER LATENESS 10,
  m DECIMAL(8, 2) LATENESS 1.5,
  x DOUBLE LATENESS 1e3,
  d DATE LATENESS INTERVAL '1' DAY,
  ts TIMESTAMP(3) LATENESS INTERVAL '0.500' SECOND
);
SELECT STREAM * FROM t;

INSERT INTO t VALUES (100, 5.00, 2000, DATE '2020-01-10', TIMESTAMP '2020-01-10 12:00:00');
--> 1 | 100 | 5.00 | 2000.0 | 2020-01-10 | 12:00:00

INSERT INTO t (i) VALUES (90);
--> 1 | 90 |  |  |  |
INSERT INTO t (m) VALUES (3.50);
--> 1 |  | 3.50 |  |  |
INSERT INTO t (x) VALUES (1000);
--> 1 |  |  | 1000.0 |  |
INSERT INTO t (d) VALUES (DATE '2020-01-09');
--> 1 |  |  |  | 2020-01-09 |
INSERT INTO t (ts) VALUES (TIMESTAMP '2020-01-10 11:59:59.500');
--> 1 |  |  |  |  | 11:59:59.500

INSERT INTO t (i) VALUES (89);
--> rejected T late | 89 |  |  |  |
INSERT INTO t (m) VALUES (3.49);
--> rejected T late |  | 3.49 |  |  |
INSERT INTO t (x) VALUES (999);
--> rejected T late |  |  | 999.0 |  |
INSERT INTO t (d) VALUES (DATE '2020-01-08');
--> rejected T late |  |  |  | 2020-01-08 |
INSERT INTO t (ts) VALUES (TIMESTAMP '2020-01-10 11:59:59.499');
--> rejected T late |  |  |  |  | 11:59:59.499
