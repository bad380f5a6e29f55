-- Seed 003, "Merging inputs" revisited: a bound on Q frees the row of 1:06 before Q's next row. A bound of 1:05 does not; one
-- of 1:06 does, as rows of one rowtime may come in any order.
-- date 2006-09-11
CREATE STREAM P (v VARCHAR(10));
CREATE STREAM Q (v VARCHAR(10));
SELECT STREAM * FROM P UNION ALL SELECT STREAM * FROM Q;

INSERT INTO P VALUES (TIMESTAMP '2006-09-11 01:00:00', 'P'), (TIMESTAMP '2006-09-11 01:06:00', 'P');
INSERT INTO Q VALUES (TIMESTAMP '2006-09-11 01:02:00', 'Q'), (TIMESTAMP '2006-09-11 01:04:00', 'Q');
--> 1 | 01:00:00 | P
--> 1 | 01:02:00 | Q
--> 1 | 01:04:00 | Q
!bound Q '2006-09-11 01:05:00'
--> bound 1 01:05:00
!bound Q '2006-09-11 01:06:00'
--> 1 | 01:06:00 | P
!bound Q '2006-09-11 01:10:00'
--> bound 1 01:06:00
INSERT INTO P VALUES (TIMESTAMP '2006-09-11 01:10:00', 'P');
--> 1 | 01:10:00 | P
INSERT INTO Q VALUES (TIMESTAMP '2006-09-11 01:09:00', 'Q');
--> rejected Q late | 01:09:00 | Q
