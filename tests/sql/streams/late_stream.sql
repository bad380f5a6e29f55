-- OPTIONS (late_stream 'NAME'): rejected rows go to a stream of the user's, with the reason. Columns are filled by name.
-- date 2006-09-11
CREATE STREAM refused (
  rejected_rowtime TIMESTAMP(3),
  n INTEGER,
  reason VARCHAR(20),
  "STREAM" VARCHAR(20),
  producer VARCHAR(20),
  other INTEGER
);
CREATE STREAM s (n INTEGER NOT NULL, k INTEGER MONOTONIC) OPTIONS (late_stream 'REFUSED');
SELECT STREAM rejected_rowtime, n, reason, "STREAM", producer, other,
  rowtime > TIMESTAMP '2020-01-01 00:00:00' AS clocked
FROM refused;

INSERT INTO s VALUES (TIMESTAMP '2006-09-11 10:00:00', 1, 7), (TIMESTAMP '2006-09-11 09:59:00', 2, 7);
--> rejected S late | 09:59:00 | 2 | 7
--> 1 | 09:59:00 | 2 | late | S |  |  | TRUE
!producer P
INSERT INTO s VALUES (TIMESTAMP '2006-09-11 10:01:00', 3, 6);
--> rejected S not monotonic | 10:01:00 | 3 | 6
--> 1 | 10:01:00 | 3 | not monotonic | S | P |  | TRUE
INSERT INTO s VALUES (TIMESTAMP '2006-09-11 09:00:00', 4, 8);
--> rejected S late | 09:00:00 | 4 | 8
--> 1 | 09:00:00 | 4 | late | S | P |  | TRUE
