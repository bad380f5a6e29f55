-- Seed 002: a row that has entered a stream stays; each INSERT is durable when it returns, so there are no transactions.
CREATE STREAM s (a INTEGER);
UPDATE s SET a = 2 WHERE a = 1;
--! 3:1 RT0331 UPDATE is not supported on streams
DELETE FROM s WHERE a = 1;
--! 5:1 RT0331 DELETE is not supported on streams
MERGE INTO s USING s AS t ON s.a = t.a WHEN MATCHED THEN UPDATE SET a = 2;
--! 7:1 RT0331 MERGE is not supported on streams
COMMIT;
--! 9:1 RT0330 COMMIT is not supported on streams
ROLLBACK;
--! 11:1 RT0330 ROLLBACK is not supported on streams
SAVEPOINT a;
--! 13:1 RT0330 SAVEPOINT is not supported on streams
ROLLBACK TO SAVEPOINT a;
--! 15:1 RT0330 ROLLBACK is not supported on streams
