-- Seed 003, "Producers entering and leaving a stream", line by line.
-- restart between any two lines
-- date 2006-09-11
CREATE STREAM S (v VARCHAR(10));
SELECT STREAM * FROM S;
--> bound S none

-- P1 asserts its bound; no row has been inserted, so the stream has none.
!producer P1
!bound S '2006-09-11 10:00:00'
--> bound S none
INSERT INTO S VALUES (TIMESTAMP '2006-09-11 10:00:00', 'P1');
--> 1 | 10:00:00 | P1
--> bound S 10:00:00

-- P2 may have a bound further on, but its row has to wait for P1.
!producer P2
!bound S '2006-09-11 10:05:00'
--> bound S 10:00:00
INSERT INTO S VALUES (TIMESTAMP '2006-09-11 10:05:00', 'P2');
--> bound S 10:00:00
INSERT INTO S VALUES (TIMESTAMP '2006-09-11 09:59:00', 'P2');
--> rejected S late | 09:59:00 | P2

-- P1 leaves, and the stream advances.
!detach P1
--> 1 | 10:05:00 | P2
--> bound S 10:05:00

-- All have left; the stream remembers its bound.
!detach P2
--> bound S 10:05:00
!producer P3
INSERT INTO S VALUES (TIMESTAMP '2006-09-11 10:04:00', 'P3');
--> rejected S late | 10:04:00 | P3
INSERT INTO S VALUES (TIMESTAMP '2006-09-11 10:05:00', 'P3');
--> 1 | 10:05:00 | P3
--> bound S 10:05:00
