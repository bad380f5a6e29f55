-- Seed 003, "Strict and non-strict bounds", at the same time: P1 promises nothing before 12:00, P2 nothing at 12:00 either.
-- date 2006-09-11
CREATE STREAM S (v VARCHAR(10));
SELECT STREAM * FROM S;

!producer P1
INSERT INTO S VALUES (TIMESTAMP '2006-09-11 11:00:00', 'P1');
--> 1 | 11:00:00 | P1
!bound S '2006-09-11 12:00:00'
!producer P2
!bound S '2006-09-11 12:00:00' strict
--> bound S 12:00:00
INSERT INTO S VALUES (TIMESTAMP '2006-09-11 12:00:00', 'P2'), (TIMESTAMP '2006-09-11 12:00:00.001', 'P2');
--> rejected S late | 12:00:00 | P2
!producer P1
INSERT INTO S VALUES (TIMESTAMP '2006-09-11 12:00:00', 'P1');
--> 1 | 12:00:00 | P1
!bound S '2006-09-11 12:00:00' strict
--> 1 | 12:00:00.001 | P2
--> bound S 12:00:00.001
INSERT INTO S VALUES (TIMESTAMP '2006-09-11 12:00:00', 'P1');
--> rejected S late | 12:00:00 | P1
