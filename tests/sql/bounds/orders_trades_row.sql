-- Seed 003, "UNION ALL and rowtime bounds", the other way: the bound on Trades is implied by its row of 10:05:30, which the
-- bound of Orders lets through as well.
-- date 2006-10-10
CREATE STREAM Orders (ticker VARCHAR(10));
CREATE STREAM Trades (ticker VARCHAR(10));
SELECT STREAM * FROM Orders UNION ALL SELECT STREAM * FROM Trades ORDER BY rowtime;

INSERT INTO Orders VALUES (TIMESTAMP '2006-10-10 10:01:00', 'ORCL'), (TIMESTAMP '2006-10-10 10:04:00', 'MSFT');
INSERT INTO Trades VALUES (TIMESTAMP '2006-10-10 10:02:00', 'YHOO'), (TIMESTAMP '2006-10-10 10:03:00', 'IBM');
--> 1 | 10:01:00 | ORCL
--> 1 | 10:02:00 | YHOO
--> 1 | 10:03:00 | IBM
!bound Orders '2006-10-10 10:06:00'
INSERT INTO Trades VALUES (TIMESTAMP '2006-10-10 10:05:30', 'IBM');
--> 1 | 10:04:00 | MSFT
--> 1 | 10:05:30 | IBM
