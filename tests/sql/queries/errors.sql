-- Seed 001: what cannot be asked, with the seed's messages. A query on a table cannot stream, one on a stream without
-- history has nothing to look at, a group that never ends gives nothing, and a set that never changes neither.
CREATE STREAM Orders (productId INTEGER, orderId INTEGER, units INTEGER) OPTIONS (history 'all');
CREATE TABLE Products (rowtime TIMESTAMP(3), productId INTEGER, name VARCHAR(20));
CREATE STREAM Shipments (orderId INTEGER);

SELECT * FROM Shipments;
--! 7:15 RT0103 Cannot convert stream 'SHIPMENTS' to a table

SELECT STREAM * FROM Products;
--! 10:22 RT0102 Cannot convert table 'PRODUCTS' to a stream

SELECT STREAM productId,
  COUNT(*) AS c,
  SUM(units) AS units
FROM Orders
GROUP BY productId;
--! 17:1 RT0201 Streaming aggregation requires at least one monotonic expression in GROUP BY clause

SELECT STREAM * FROM (VALUES (1, 'abc'));
--! 20:23 RT0104 Cannot stream VALUES
