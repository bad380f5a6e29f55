-- Seed 003, "UNION ALL and rowtime bounds": MSFT's order of 10:04 cannot flow through while Trades may have an earlier row. Its
-- bound of 10:05 lets it; so would a later row.
-- date 2006-10-10
CREATE STREAM Orders (ticker VARCHAR(10));
CREATE STREAM Trades (ticker VARCHAR(10));
SELECT STREAM * FROM Orders UNION ALL SELECT STREAM * FROM Trades;

INSERT INTO Orders VALUES (TIMESTAMP '2006-10-10 10:01:00', 'ORCL');
INSERT INTO Trades VALUES (TIMESTAMP '2006-10-10 10:02:00', 'YHOO');
--> 1 | 10:01:00 | ORCL
INSERT INTO Orders VALUES (TIMESTAMP '2006-10-10 10:04:00', 'MSFT');
--> 1 | 10:02:00 | YHOO
INSERT INTO Trades VALUES (TIMESTAMP '2006-10-10 10:03:00', 'IBM');
--> 1 | 10:03:00 | IBM
!bound Orders '2006-10-10 10:06:00'
--> bound 1 10:03:00
INSERT INTO Trades VALUES (TIMESTAMP '2006-10-10 10:03:30', 'GOOG');
--> 1 | 10:03:30 | GOOG
!bound Trades '2006-10-10 10:05:00'
--> 1 | 10:04:00 | MSFT
--> bound 1 10:05:00
