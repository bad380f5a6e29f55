-- LATENESS and WATERMARK on one column: a row is held, and judged when it is released. The clock of the LATENESS is moved by
-- rows that have been released only.
-- steps matter
-- restart between any two lines
-- date 2020-01-01
CREATE TABLE t (
  a TIMESTAMP(3) LATENESS INTERVAL '1' HOUR WATERMARK INTERVAL '30' MINUTE,
  v VARCHAR(10)
);
SELECT STREAM * FROM t;

INSERT INTO t VALUES ('2020-01-01 10:00:00', 'first');
INSERT INTO t VALUES ('2020-01-01 12:00:00', 'noon');
--> 1 | 10:00:00 | first
-- 12:00 has been seen, but not released: the clock is 10:00.
INSERT INTO t VALUES ('2020-01-01 09:20:00', 'shop');
--> 1 | 09:20:00 | shop
INSERT INTO t VALUES ('2020-01-01 12:30:00', 'lunch');
--> 1 | 12:00:00 | noon
INSERT INTO t VALUES ('2020-01-01 10:59:59.999', 'late');
--> rejected T late | 10:59:59.999 | late
INSERT INTO t VALUES ('2020-01-01 11:00:00', 'just');
--> 1 | 11:00:00 | just
