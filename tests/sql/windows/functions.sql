-- Functions of a frame that are not those of every day: medians and percentiles, FILTER, lists, and COUNT of several columns.
-- date 2015-02-15
CREATE STREAM S (v INTEGER, d DECIMAL(6, 2), w VARCHAR(3), b BOOLEAN) OPTIONS (history 'all');
SELECT STREAM rowtime,
  MEDIAN(v) OVER w AS median,
  PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY v) OVER w AS quarter,
  PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY v DESC) OVER w AS upper_quarter,
  PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY d) OVER w AS disc
FROM S WINDOW w AS (RANGE INTERVAL '1' HOUR PRECEDING);
SELECT STREAM rowtime,
  COUNT(*) FILTER (WHERE b) OVER w AS trues,
  SUM(v) FILTER (WHERE v > 3) OVER w AS above,
  COUNT(v, w) OVER w AS pairs,
  LISTAGG(w) OVER w AS list,
  LISTAGG(w, '/') OVER w AS slashed,
  EVERY(b) OVER w AS every_b,
  SOME(b) OVER w AS some_b
FROM S WINDOW w AS (ROWS 2 PRECEDING);

INSERT INTO S VALUES (TIMESTAMP '2015-02-15 10:00:00', 4, 1.50, 'a', TRUE);
--> 1 | 10:00:00 | 4.0 | 4.0 | 4.0 | 1.50
--> 2 | 10:00:00 | 1 | 4 | 1 | a | a | TRUE | TRUE
INSERT INTO S VALUES (TIMESTAMP '2015-02-15 10:10:00', 2, NULL, NULL, FALSE);
-- Between 2 and 4: half of the way, and a quarter from either end.
--> 1 | 10:10:00 | 3.0 | 2.5 | 3.5 | 1.50
--> 2 | 10:10:00 | 1 | 4 | 1 | a | a | FALSE | TRUE
INSERT INTO S VALUES (TIMESTAMP '2015-02-15 10:20:00', NULL, 0.50, 'c', NULL);
-- The least value that half of them, here one of two, do not go beyond.
--> 1 | 10:20:00 | 3.0 | 2.5 | 3.5 | 0.50
--> 2 | 10:20:00 | 1 | 4 | 1 | a,c | a/c | FALSE | TRUE
INSERT INTO S VALUES (TIMESTAMP '2015-02-15 11:05:00', 10, 7.00, 'd', TRUE);
-- 2 and 10; 10:00 is more than an hour ago.
--> 1 | 11:05:00 | 6.0 | 4.0 | 8.0 | 0.50
--> 2 | 11:05:00 | 1 | 10 | 1 | c,d | c/d | FALSE | TRUE

-- The same of what is there.
SELECT rowtime, MEDIAN(v) OVER w, PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY d) OVER w, COUNT(v, w) OVER w, LISTAGG(w) OVER w
FROM S WINDOW w AS (RANGE INTERVAL '1' HOUR PRECEDING);
--> 3 | 10:00:00 | 4.0 | 1.50 | 1 | a
--> 3 | 10:10:00 | 3.0 | 1.50 | 1 | a
--> 3 | 10:20:00 | 3.0 | 0.50 | 1 | a,c
--> 3 | 11:05:00 | 6.0 | 0.50 | 1 | c,d
