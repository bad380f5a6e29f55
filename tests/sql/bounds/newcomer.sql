-- A newcomer starts at the stream's bound, and may go ahead of producers that are further on. Rows of one rowtime leave in the
-- order in which they arrived. When all have left, what is held enters.
-- date 2006-09-11
CREATE STREAM S (v VARCHAR(10));
SELECT STREAM * FROM S;

!producer P1
INSERT INTO S VALUES (TIMESTAMP '2006-09-11 11:00:00', 'a');
--> 1 | 11:00:00 | a
!bound S '2006-09-11 11:10:00'
--> bound S 11:10:00

-- The stream is at 11:10, so a producer that joins with a row of 11:00 has to discard it.
!producer P2
INSERT INTO S VALUES (TIMESTAMP '2006-09-11 11:00:00', 'b');
--> rejected S late | 11:00:00 | b

!producer P1
INSERT INTO S VALUES (TIMESTAMP '2006-09-11 11:30:00', 'c');
--> bound S 11:10:00

-- P2 goes ahead of P1's row. P3 holds both back until it leaves.
!producer P2
INSERT INTO S VALUES (TIMESTAMP '2006-09-11 11:20:00', 'd');
--> 1 | 11:20:00 | d
--> bound S 11:20:00
!producer P3
!bound S '2006-09-11 11:20:00'
!producer P2
INSERT INTO S VALUES (TIMESTAMP '2006-09-11 11:30:00', 'e'), (TIMESTAMP '2006-09-11 11:40:00', 'f');
--> bound S 11:20:00

!detach P3
--> 1 | 11:30:00 | c
--> 1 | 11:30:00 | e
--> bound S 11:30:00
!detach P1
--> 1 | 11:40:00 | f
!detach P2
--> bound S 11:40:00
