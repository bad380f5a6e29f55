-- Rows are judged one by one: one that is earlier than the stream's bound is rejected, one that is equal to it is not. A
-- bound makes later rows late just as a row does; a strict one those that are equal to it too.
-- date 2006-09-11
CREATE STREAM S (n INTEGER);

-- A stream has no bound before its first row, so this one binds nobody.
!bound S '2006-09-11 23:00:00'
SELECT STREAM * FROM S;

INSERT INTO S (rowtime, n) VALUES
  (TIMESTAMP '2006-09-11 12:00:00', 1),
  (TIMESTAMP '2006-09-11 12:00:00', 2),
  (TIMESTAMP '2006-09-11 11:59:59.999', 3),
  (TIMESTAMP '2006-09-11 12:05:00', 4),
  (TIMESTAMP '2006-09-11 12:04:00', 5);
--> 1 | 12:00:00 | 1
--> 1 | 12:00:00 | 2
--> 1 | 12:05:00 | 4
--> rejected S late | 11:59:59.999 | 3
--> rejected S late | 12:04:00 | 5
!bound S '2006-09-11 12:10:00'
INSERT INTO S (rowtime, n) VALUES (TIMESTAMP '2006-09-11 12:09:00', 6), (TIMESTAMP '2006-09-11 12:10:00', 7);
--> 1 | 12:10:00 | 7
--> rejected S late | 12:09:00 | 6
!bound S '2006-09-11 12:10:00' strict
INSERT INTO S (rowtime, n) VALUES
  (TIMESTAMP '2006-09-11 12:10:00', 8),
  (TIMESTAMP '2006-09-11 12:10:00.001', 9);
--> 1 | 12:10:00.001 | 9
--> rejected S late | 12:10:00 | 8
