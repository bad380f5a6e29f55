-- A branch whose ROWTIME is shifted merges with one whose is not: by the ROWTIME that comes out, so that a row waits until
-- no earlier one can come from either branch.
-- date 2015-02-15
CREATE STREAM P (v INTEGER);
CREATE STREAM Q (v INTEGER);

SELECT STREAM rowtime + INTERVAL '1' HOUR AS rowtime, v FROM P
UNION ALL
SELECT STREAM rowtime, v FROM Q;

-- It will be 11:00 in the result.
INSERT INTO P VALUES (TIMESTAMP '2015-02-15 10:00:00', 1);
INSERT INTO Q VALUES (TIMESTAMP '2015-02-15 10:30:00', 2);
!bound P '2015-02-15 10:45:00'
--> 1 | 10:30:00 | 2
!bound Q '2015-02-15 11:00:00'
!bound P '2015-02-15 11:00:00'
--> 1 | 11:00:00 | 1
