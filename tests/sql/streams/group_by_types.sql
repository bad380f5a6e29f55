-- Columns with an order are clocks whatever their type: a group by a day or by a number is complete when the column has gone
-- on, and with LATENESS when no row of the group can be admitted any more.
-- steps matter
CREATE TABLE t ("day" DATE NOT NULL MONOTONIC, n INTEGER);
SELECT STREAM "day", SUM(n) AS n FROM t GROUP BY "day";
INSERT INTO t VALUES (DATE '2006-09-11', 1), (DATE '2006-09-11', 2), (DATE '2006-09-12', 3), (DATE '2006-09-10', 4);
--> 1 | 2006-09-11 | 3
--> rejected T not monotonic | 2006-09-10 | 4
INSERT INTO t VALUES (DATE '2006-09-12', 5), (DATE '2006-09-13', 6);
--> 1 | 2006-09-12 | 8

CREATE TABLE u (k INTEGER NOT NULL LATENESS 2, n INTEGER);
SELECT STREAM k, SUM(n) AS n FROM u GROUP BY k;
INSERT INTO u VALUES (1, 1), (2, 1), (1, 2), (3, 1);
INSERT INTO u VALUES (1, 4), (4, 1);
--> 2 | 1 | 7
INSERT INTO u VALUES (1, 8), (5, 1);
--> 2 | 2 | 1
--> rejected U late | 1 | 8
