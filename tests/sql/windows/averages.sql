-- Seed 001: orders of a product whose average size over the last ten minutes is greater than over the last week, in the
-- seed's own syntax: a named window that each OVER refines.
-- date 2015-02-15
CREATE STREAM Orders (productId INTEGER, units INTEGER);
SELECT STREAM *
FROM (
  SELECT STREAM rowtime,
    productId,
    units,
    AVG(units) OVER product (RANGE INTERVAL '10' MINUTE PRECEDING) AS m10,
    AVG(units) OVER product (RANGE INTERVAL '7' DAY PRECEDING) AS d7
  FROM Orders
  WINDOW product AS (
    ORDER BY rowtime
    PARTITION BY productId))
WHERE m10 > d7;

INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 10:00:00', 10, 2);
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 10:05:00', 20, 9);
-- Of the last ten minutes 4 and 2; the same of the week.
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 10:10:00', 10, 4);
-- Now 4 and 5, but 2, 4 and 5 of the week.
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 10:11:00', 10, 5);
--> 1 | 10:11:00 | 10 | 5 | 4.500000 | 3.666667
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 10:30:00', 10, 3);
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-15 10:31:00', 20, 10);
--> 1 | 10:31:00 | 20 | 10 | 10.000000 | 9.500000
-- A week later: what is left of the week is 3 (10:30), and 4 and 5 have gone a minute ago and ten seconds ago.
INSERT INTO Orders VALUES (TIMESTAMP '2015-02-22 10:11:10', 10, 4);
--> 1 | 2015-02-22 10:11:10 | 10 | 4 | 4.000000 | 3.500000
