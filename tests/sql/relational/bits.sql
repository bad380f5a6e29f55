-- Bits of integers, by hand: 12 is 1100, 10 is 1010, and -1 has all bits set.

CREATE TABLE pairs (a INTEGER, b INTEGER, c BIGINT);
INSERT INTO pairs VALUES (12, 10, 1099511627776), (-1, 5, -1), (2147483647, -2147483648, 0), (0, 0, 0), (7, NULL, 7);

SELECT a, BITXOR(a, b) AS x, a ^ b AS y, BITAND(a, b) AS "and", BITOR(a, b) AS "or", BITXOR(c, 1) AS z FROM pairs ORDER BY a;
--> 1 | -1 | -6 | -6 | 5 | -1 | -2
--> 1 | 0 | 0 | 0 | 0 | 0 | 1
--> 1 | 7 |  |  |  |  | 6
--> 1 | 12 | 6 | 6 | 8 | 14 | 1099511627777
--> 1 | 2147483647 | -1 | -1 | 0 | -1 | 1

SELECT BITXOR(5, 3) AS x, 5 ^ 3 AS y, BITXOR(CAST(5 AS SMALLINT), CAST(3 AS SMALLINT)) AS z FROM pairs WHERE a = 0;
--> 2 | 6 | 6 | 6
