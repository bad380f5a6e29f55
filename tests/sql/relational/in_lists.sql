-- Long lists of constants: IN and NOT IN of numbers, texts, times and rows, with NULLs on either side; chains of OR
-- and AND that are such lists; in a stream and in a relation, in WHERE and as a value.
-- date 2015-02-15
CREATE STREAM s (i INTEGER, v VARCHAR, d DECIMAL(10, 2), x DOUBLE, t TIMESTAMP, e DATE) OPTIONS (history 'all');

SELECT STREAM i, v FROM s WHERE i IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
SELECT STREAM i, i IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30) AS found, i NOT IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, NULL) AS missing FROM s;
SELECT STREAM i, v FROM s WHERE (i, v) IN ((1, 'n1'), (2, 'n2'), (3, 'n3'), (4, 'n4'), (5, 'n5'), (6, 'n6'), (7, 'n7'), (8, 'n8'), (9, 'n9'), (10, 'n10'), (11, 'n11'), (12, 'n12'), (13, 'n13'), (14, 'n14'), (15, 'n15'), (16, 'n16'), (17, 'n17'), (18, 'n18'), (19, 'n19'), (20, 'n20'), (21, 'n21'), (22, 'n22'), (23, 'n23'), (24, 'n24'), (25, 'n25'), (26, 'n26'), (27, 'n27'), (28, 'n28'), (29, 'n29'), (30, 'n30'));
SELECT STREAM i, v, (i, v) NOT IN ((1, 'n1'), (2, 'n2'), (3, 'n3'), (4, 'n4'), (5, 'n5'), (6, 'n6'), (7, 'n7'), (8, 'n8'), (9, 'n9'), (10, 'n10'), (11, 'n11'), (12, 'n12'), (13, 'n13'), (14, 'n14'), (15, 'n15'), (16, 'n16'), (17, 'n17'), (18, 'n18'), (19, 'n19'), (20, 'n20'), (21, 'n21'), (22, 'n22'), (23, 'n23'), (24, 'n24'), (25, 'n25'), (26, 'n26'), (27, 'n27'), (28, 'n28'), (29, 'n29'), (30, 'n30')) AS missing FROM s;

INSERT INTO s (rowtime, i, v, d, x, t, e) VALUES
  (TIMESTAMP '2015-02-15 10:00:01', 1, 'n1', 1.25, 1, TIMESTAMP '2015-02-15 10:00:01.500', DATE '2015-02-01'),
  (TIMESTAMP '2015-02-15 10:00:02', 30, '31', 1.26, 30, TIMESTAMP '2015-02-15 10:00:01.501', DATE '2015-03-01'),
  (TIMESTAMP '2015-02-15 10:00:03', 31, 'n30', 30.25, 31, TIMESTAMP '2015-02-15 10:00:26.500', DATE '2015-02-26'),
  (TIMESTAMP '2015-02-15 10:00:04', NULL, 'n2', NULL, NULL, NULL, NULL),
  (TIMESTAMP '2015-02-15 10:00:05', NULL, 'x', 0.25, -0.0, NULL, NULL);
--> 1 | 1 | n1
--> 1 | 30 | 31
--> 3 | 1 | n1
--> 4 | 1 | n1 | FALSE
--> 4 | 30 | 31 | TRUE
--> 4 | 31 | n30 | TRUE
--> 4 |  | n2 |
--> 4 |  | x | TRUE
--> 2 | 1 | TRUE | FALSE
--> 2 | 30 | TRUE | FALSE
--> 2 | 31 | FALSE |
--> 2 |  |  |
--> 2 |  |  |

SELECT i FROM s WHERE v IN ('n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7', 'n8', 'n9', 'n10', 'n11', 'n12', 'n13', 'n14', 'n15', 'n16', 'n17', 'n18', 'n19', 'n20', 'n21', 'n22', 'n23', 'n24', 'n25', 'n26', 'n27', 'n28', 'n29', 'n30') ORDER BY i;
--> 5 | 1
--> 5 | 31
--> 5 |
SELECT d FROM s WHERE d IN (1.25, 2.25, 3.25, 4.25, 5.25, 6.25, 7.25, 8.25, 9.25, 10.25, 11.25, 12.25, 13.25, 14.25, 15.25, 16.25, 17.25, 18.25, 19.25, 20.25, 21.25, 22.25, 23.25, 24.25, 25.25, 26.25, 27.25, 28.25, 29.25, 30.25) ORDER BY d;
--> 6 | 1.25
--> 6 | 30.25
SELECT d FROM s WHERE d IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 0.250) ORDER BY d;
--> 7 | 0.25
SELECT t FROM s WHERE t IN (TIMESTAMP '2015-02-15 10:00:01.500', TIMESTAMP '2015-02-15 10:00:02.500', TIMESTAMP '2015-02-15 10:00:03.500', TIMESTAMP '2015-02-15 10:00:04.500', TIMESTAMP '2015-02-15 10:00:05.500', TIMESTAMP '2015-02-15 10:00:06.500', TIMESTAMP '2015-02-15 10:00:07.500', TIMESTAMP '2015-02-15 10:00:08.500', TIMESTAMP '2015-02-15 10:00:09.500', TIMESTAMP '2015-02-15 10:00:10.500', TIMESTAMP '2015-02-15 10:00:11.500', TIMESTAMP '2015-02-15 10:00:12.500', TIMESTAMP '2015-02-15 10:00:13.500', TIMESTAMP '2015-02-15 10:00:14.500', TIMESTAMP '2015-02-15 10:00:15.500', TIMESTAMP '2015-02-15 10:00:16.500', TIMESTAMP '2015-02-15 10:00:17.500', TIMESTAMP '2015-02-15 10:00:18.500', TIMESTAMP '2015-02-15 10:00:19.500', TIMESTAMP '2015-02-15 10:00:20.500', TIMESTAMP '2015-02-15 10:00:21.500', TIMESTAMP '2015-02-15 10:00:22.500', TIMESTAMP '2015-02-15 10:00:23.500', TIMESTAMP '2015-02-15 10:00:24.500', TIMESTAMP '2015-02-15 10:00:25.500', TIMESTAMP '2015-02-15 10:00:26.500') ORDER BY t;
--> 8 | 10:00:01.500
--> 8 | 10:00:26.500
SELECT e FROM s WHERE e NOT IN (DATE '2015-02-01', DATE '2015-02-02', DATE '2015-02-03', DATE '2015-02-04', DATE '2015-02-05', DATE '2015-02-06', DATE '2015-02-07', DATE '2015-02-08', DATE '2015-02-09', DATE '2015-02-10', DATE '2015-02-11', DATE '2015-02-12', DATE '2015-02-13', DATE '2015-02-14', DATE '2015-02-15', DATE '2015-02-16', DATE '2015-02-17', DATE '2015-02-18', DATE '2015-02-19', DATE '2015-02-20', DATE '2015-02-21', DATE '2015-02-22', DATE '2015-02-23', DATE '2015-02-24', DATE '2015-02-25', DATE '2015-02-26') ORDER BY e;
--> 9 | 2015-03-01
SELECT x FROM s WHERE x IN (0e0, 1e0, 2e0, 3e0, 4e0, 5e0, 6e0, 7e0, 8e0, 9e0, 10e0, 11e0, 12e0, 13e0, 14e0, 15e0, 16e0, 17e0, 18e0, 19e0, 20e0, 21e0, 22e0, 23e0, 24e0, 25e0, 26e0, 27e0, 28e0, 29e0, 30e0) ORDER BY x;
--> 10 | 0.0
--> 10 | 1.0
--> 10 | 30.0
SELECT i FROM s WHERE i = 1 OR i = 2 OR i = 3 OR i = 4 OR i = 5 OR i = 6 OR i = 7 OR i = 8 OR i = 9 OR i = 10 OR i = 11 OR i = 12 OR i = 13 OR i = 14 OR i = 15 OR i = 16 OR i = 17 OR i = 18 OR i = 19 OR i = 20 OR i = 21 OR i = 22 OR i = 23 OR i = 24 OR i = 25 OR i = 26 OR i = 27 OR i = 28 OR i = 29 OR i = 30 ORDER BY i;
--> 11 | 1
--> 11 | 30
SELECT i FROM s WHERE i <> 1 AND i <> 2 AND i <> 3 AND i <> 4 AND i <> 5 AND i <> 6 AND i <> 7 AND i <> 8 AND i <> 9 AND i <> 10 AND i <> 11 AND i <> 12 AND i <> 13 AND i <> 14 AND i <> 15 AND i <> 16 AND i <> 17 AND i <> 18 AND i <> 19 AND i <> 20 AND i <> 21 AND i <> 22 AND i <> 23 AND i <> 24 AND i <> 25 AND i <> 26 AND i <> 27 AND i <> 28 AND i <> 29 AND i <> 30 ORDER BY i;
--> 12 | 31
SELECT i FROM s WHERE v = 'n30' OR i = 1 OR i = 2 OR i = 3 OR i = 4 OR i = 5 OR i = 6 OR i = 7 OR i = 8 OR i = 9 OR i = 10 OR i = 11 OR i = 12 OR i = 13 OR i = 14 OR i = 15 OR i = 16 OR i = 17 OR i = 18 OR i = 19 OR i = 20 OR i = 21 OR i = 22 OR i = 23 OR i = 24 OR i = 25 OR i = 26 OR i = 27 OR i = 28 OR i = 29 OR i = 30 OR d = 0.25 ORDER BY i;
--> 13 | 1
--> 13 | 30
--> 13 | 31
--> 13 |
-- Few rows of the list, or values of different types, are compared one by one.
SELECT i FROM s WHERE i IN (1, 31) OR i IN (1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5, 11.5, 12.5, 13.5, 14.5, 15.5, 16.5, 17.5, 18.5, 19.5, 20.5, 21.5, 22.5, 23.5, 24.5, 25.5, 26.5, 27.5, 28.5, 29.5, 30.5) ORDER BY i;
--> 14 | 1
--> 14 | 31
SELECT i, CASE WHEN i = 1 THEN 'c1' WHEN i = 2 THEN 'c2' WHEN i = 3 THEN 'c3' WHEN i = 4 THEN 'c4' WHEN i = 5 THEN 'c5' WHEN i = 6 THEN 'c6' WHEN i = 7 THEN 'c7' WHEN i = 8 THEN 'c8' WHEN i = 9 THEN 'c9' WHEN i = 10 THEN 'c10' WHEN i = 11 THEN 'c11' WHEN i = 12 THEN 'c12' WHEN i = 13 THEN 'c13' WHEN i = 14 THEN 'c14' WHEN i = 15 THEN 'c15' WHEN i = 16 THEN 'c16' WHEN i = 17 THEN 'c17' WHEN i = 18 THEN 'c18' WHEN i = 19 THEN 'c19' WHEN i = 20 THEN 'c20' WHEN i = 21 THEN 'c21' WHEN i = 22 THEN 'c22' WHEN i = 23 THEN 'c23' WHEN i = 24 THEN 'c24' WHEN i = 25 THEN 'c25' WHEN i = 26 THEN 'c26' WHEN i = 27 THEN 'c27' WHEN i = 28 THEN 'c28' WHEN i = 29 THEN 'c29' WHEN i = 30 THEN 'c30' END AS c FROM s WHERE i IS NOT NULL ORDER BY i;
--> 15 | 1 | c1
--> 15 | 30 | c30
--> 15 | 31 |
